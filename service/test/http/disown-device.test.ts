import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Customer, customerOf, elsewhere, home, laptop, phone, tablet } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { startService, type TestProject, type TestService } from '../support/service.js';

const dayMs = 24 * 60 * 60_000;

describeDatabases('POST /v2/device/:id/disown', (kind) => {
  let service: TestService;
  let project: TestProject;
  let customer: Customer;
  beforeAll(async () => {
    service = await startService({ database: kind });
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    project = await service.newProject();
    customer = customerOf(service, project);
  });

  const eventsOf = async (type: string) => (await service.events(project)).filter((event) => event.type === type);
  const login = (user: string, more: object = {}) =>
    customer.evaluate({ action: 'login', user, fingerprint: laptop, ip: home, email: `${user}@example.com`, ...more });
  const attempt = (more: object) => ({ action: 'login', user: 'ann', ip: home, ...more });
  const trust = async (user: string, more: object = {}): Promise<string> => {
    const { challenge_id, device_id } = await login(user, more);
    await customer.ask(`/v2/challenges/${challenge_id}/complete`);
    return device_id;
  };

  test('blocks the device, and returns it each time', async () => {
    const id = await trust('ann');
    const { body } = await customer.post(`/v2/device/${id}/disown`, { user: 'ann' });
    expect(body).toMatchObject({ success: true, device: { _id: id, status: 'blocked', trusted: false } });
    expect((await customer.post(`/v2/device/${id}/disown`)).body).toEqual(body);
    expect(await login('ann')).toMatchObject({ verdict: 'deny', reasons: expect.arrayContaining(['blocked']) });
  });

  test('emits device.disowned once, with the user and the device', async () => {
    const id = await trust('ann');
    for (let pressed = 0; pressed < 2; pressed++) await customer.ask(`/v2/device/${id}/disown`);
    const user = { external_id: 'ann', email: expect.stringContaining('*') };
    expect((await eventsOf('device.disowned')).map(({ data }) => data)).toEqual([
      { user: expect.objectContaining(user), device: expect.objectContaining({ _id: id, status: 'blocked' }) },
    ]);
  });

  test('closes the open challenges of the user and of nobody else', async () => {
    const id = await trust('ann');
    const { challenge_id: own } = await login('ann', { fingerprint: phone });
    const { challenge_id: other } = await login('bob', { fingerprint: tablet });
    await customer.ask(`/v2/device/${id}/disown`);
    const statusOf = async (challenge: string) => (await customer.get(`/v2/challenges/${challenge}`)).body.status;
    expect([await statusOf(own), await statusOf(other)]).toEqual(['skipped', 'pending']);
    const skipped = (await eventsOf('challenge.skipped')).map(({ data }) => data);
    expect(skipped).toEqual([expect.objectContaining({ cause: 'disowned' })]);
  });

  test('signs out the pages of the device', async () => {
    const { challenge_id, device_id, device_token } = await login('ann');
    await customer.ask(`/v2/challenges/${challenge_id}/complete`);
    service.clock.advance(5000);
    await customer.ask(`/v2/device/${device_id}/disown`);
    const path = `/v2/device/${device_id}/events?poll=1`;
    const headers = { Authorization: `Bearer ${device_token}`, Accept: 'application/json' };
    const response = await fetch(`${service.url}${path}`, { headers });
    expect(JSON.stringify(await response.json())).toMatch(/"type":"detached".*"cause":"block"/);
  });

  test.each([
    ['a device of another user', { user: 'bob' }],
    ['a user that does not exist', { user: 'nobody' }],
  ])('rejects %s', async (_what, body) => {
    const id = await trust('ann');
    await trust('bob', { fingerprint: phone });
    expect(await customer.post(`/v2/device/${id}/disown`, body)).toMatchObject({ status: 404 });
    expect(await eventsOf('device.disowned')).toEqual([]);
    expect(await login('ann')).toMatchObject({ verdict: 'allow' });
  });

  test('works again after the device was unblocked', async () => {
    const id = await trust('ann');
    await customer.ask(`/v2/device/${id}/disown`);
    await customer.ask(`/v2/device/${id}/update`, { status: 'attached' });
    await customer.ask(`/v2/device/${id}/disown`);
    expect(await eventsOf('device.disowned')).toHaveLength(2);
  });

  test('is in the audit log', async () => {
    const id = await trust('ann');
    await customer.ask(`/v2/device/${id}/disown`);
    const rows = await service.db.selectFrom('audit_log').select(['kind', 'subject']).execute();
    expect(rows.filter(({ subject }) => subject === id)).toEqual([{ kind: 'disown', subject: id }]);
  });

  describe('afterwards', () => {
    let stolen: string;
    beforeEach(async () => {
      await trust('ann');
      stolen = await trust('ann', { fingerprint: phone, ip: elsewhere });
      await customer.ask(`/v2/device/${stolen}/disown`);
    });

    test('a new device is challenged for a compromised account', async () => {
      const { verdict, reasons } = await login('ann', { fingerprint: tablet });
      expect([verdict, reasons]).toEqual(['challenge', expect.arrayContaining(['account_compromised'])]);
    });

    test('a trusted device at its address may still log in', async () => {
      const { verdict, reasons } = await login('ann');
      expect([verdict, reasons]).toEqual(['allow', ['account_compromised']]);
    });

    test('other actions are restricted', async () => {
      expect(await login('ann', { action: 'payout' })).toMatchObject({ verdict: 'restrict' });
      const strange = await login('ann', { action: 'payout', fingerprint: tablet });
      expect(strange).toMatchObject({ verdict: 'challenge_and_restrict' });
    });

    test('an allowed password reset ends it', async () => {
      service.clock.advance(1000);
      expect(await login('ann', { action: 'password_reset' })).toMatchObject({ verdict: 'allow' });
      expect((await login('ann')).reasons).toEqual([]);
    });

    test('a password reset ends it once its challenge is completed', async () => {
      service.clock.advance(1000);
      const reset = await login('ann', { action: 'password_reset', fingerprint: tablet });
      expect(reset).toMatchObject({ verdict: 'challenge' });
      expect((await login('ann')).reasons).toEqual(['account_compromised']);
      await customer.ask(`/v2/challenges/${reset.challenge_id}/complete`);
      expect((await login('ann')).reasons).toEqual([]);
    });

    test('a failed password reset does not end it', async () => {
      service.clock.advance(1000);
      await login('ann', { action: 'password_reset', outcome: 'failed' });
      expect((await login('ann')).reasons).toEqual(['account_compromised']);
    });

    test('it ends after 30 days', async () => {
      service.clock.advance(30 * dayMs - 60_000);
      expect((await login('ann')).reasons).toContain('account_compromised');
      service.clock.advance(60_000);
      expect((await login('ann')).reasons).not.toContain('account_compromised');
    });

    test('other users are judged as before', async () => {
      const { reasons } = await customer.evaluate(attempt({ user: 'bob', fingerprint: tablet }));
      expect(reasons).not.toContain('account_compromised');
    });

    test('a page with the publishable key does not learn of it', async () => {
      const changed = { allowed_origins: ['https://shop.example'] };
      const open = customerOf(service, await service.newProject(changed));
      await open.evaluate(attempt({ fingerprint: laptop }));
      const [device] = (await open.get('/v2/user/ann/devices')).body.data;
      await open.ask(`/v2/device/${device._id}/disown`);
      expect(JSON.stringify(await open.claim('ann', { fingerprint: tablet }))).not.toContain('account_compromised');
    });
  });

  describe('the name of a device', () => {
    const rename = (id: string, name: unknown, more: object = {}) =>
      customer.post(`/v2/device/${id}/update`, { name, ...more });

    test('is kept until it is removed', async () => {
      const id = await trust('ann');
      expect((await rename(id, 'Ann’s laptop')).body.name).toBe('Ann’s laptop');
      expect((await customer.get('/v2/user/ann/devices')).body.data[0]).toMatchObject({
        _id: id,
        name: 'Ann’s laptop',
      });
      expect(await login('ann')).toMatchObject({ verdict: 'allow' });
      expect((await rename(id, null)).body).not.toHaveProperty('name');
    });

    test.each([
      ['too long', 'x'.repeat(65)],
      ['two lines', 'a\nb'],
      ['not text', 7],
    ])('is rejected if it is %s', async (_what, name) => {
      const id = await trust('ann');
      expect(await rename(id, name)).toMatchObject({ status: 400 });
    });

    test('cannot be changed for another user', async () => {
      const id = await trust('ann');
      expect(await rename(id, 'Mine', { user: 'bob' })).toMatchObject({ status: 404 });
    });
  });
});
