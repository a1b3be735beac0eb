import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dayMs, minuteMs } from '../../src/testing.js';
import { type Customer, customerOf, elsewhere, home, laptop, phone, tablet } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { fingerprintOf } from '../support/fingerprints.js';
import { importsOf, path } from '../support/imports.js';
import { wideLimits } from '../support/operations.js';
import { startService, type TestProject, type TestService } from '../support/service.js';
import { waitFor } from '../support/wait-for.js';

describeDatabases('POST /v2/user/import', (kind) => {
  let service: TestService;
  let project: TestProject;
  let customer: Customer;
  beforeAll(async () => {
    service = await startService({ database: kind });
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    project = await service.newProject(wideLimits);
    customer = customerOf(service, project);
  });

  const { run, exported } = importsOf(() => customer);
  const login = (user: string, more: object = {}) =>
    customer.evaluate({ action: 'login', user, fingerprint: laptop, ip: home, ...more });
  const ada = {
    id: 'ada',
    email: 'ada@example.com',
    phone: '+491701234567',
    metadata: { plan: 'family', since: { year: 2019, month: 4 } },
    trusted_addresses: [home, '2001:db8::1'],
    devices: [
      { fingerprint: laptop, metadata: { nickname: 'Laptop' }, trusted: true },
      { fingerprint: phone, last_fingerprint: null },
    ],
  };

  describe('a row', () => {
    test('creates a user with all its data', async () => {
      expect(await run(ada)).toEqual([{ id: 'ada', status: 'created' }]);
      const { user, addresses, devices } = await exported('ada');
      expect(user).toMatchObject({ external_id: 'ada', email: ada.email, phone: ada.phone, metadata: ada.metadata });
      const trusted = { seen_at: null, trusted_until: expect.any(String) };
      expect(addresses).toEqual([
        { network: home, ...trusted },
        { network: '2001:db8::/64', ...trusted },
      ]);
      expect(devices).toMatchObject([
        { status: 'attached', trusted: true, external_user: 'ada', metadata: { nickname: 'Laptop' } },
        { status: 'attached', trusted: false, metadata: {} },
      ]);
      const fingerprints = devices.map((device: { fingerprints: { fingerprint: string }[] }) =>
        device.fingerprints.map(({ fingerprint }) => fingerprint),
      );
      expect(fingerprints).toEqual([[laptop], [phone]]);
      expect(await service.events(project)).toEqual([]);
    });

    test('allows a trusted device at a trusted IP address, and challenges it elsewhere', async () => {
      await run(ada);
      expect(await login('ada')).toMatchObject({ verdict: 'allow', reasons: [] });
      expect(await login('ada', { ip: elsewhere })).toMatchObject({ verdict: 'challenge', reasons: ['new_ip'] });
      const changed = fingerprintOf({ seed: 'laptop', changed: ['surface'] });
      expect(await login('ada', { fingerprint: changed, ip: elsewhere })).toMatchObject({ verdict: 'challenge' });
    });

    test('recognises the ID that another library gave a device only as the fingerprint itself', async () => {
      const fingerprint = '8f0cc7e1a9';
      await run({ id: 'ada', trusted_addresses: [home], devices: [{ fingerprint, trusted: true }] });
      expect(await login('ada', { fingerprint })).toMatchObject({ verdict: 'allow', reasons: [] });
      const last = { last_fingerprint: fingerprint };
      expect(await login('ada', last)).toMatchObject({ verdict: 'challenge', reasons: ['new_device', 'high_risk'] });
    });

    test('trusts an IP address for the configured time', async () => {
      project = await service.newProject({ address_trust_days: 10 });
      customer = customerOf(service, project);
      await run(ada);
      service.clock.advance(10 * dayMs + 1000);
      expect((await login('ada')).reasons).toContain('new_ip');
    });

    test("sets a user's contact for codes", async () => {
      await run({ id: 'ada', email: 'ada@example.com' });
      const { challenge_id } = await customer.challenge('ada', { email: undefined });
      await customer.ask(`/v2/challenges/${challenge_id}/send`);
      expect(service.outbox).toMatchObject([{ to: 'ada@example.com' }]);
    });

    test('has no effect when imported again', async () => {
      await run(ada);
      const before = await exported('ada');
      service.clock.advance(minuteMs);
      expect(await run(ada, { ...ada, email: ' ada@example.com' })).toEqual([
        { id: 'ada', status: 'unchanged' },
        { id: 'ada', status: 'unchanged' },
      ]);
      expect({ ...(await exported('ada')), exported_at: '' }).toEqual({ ...before, exported_at: '' });
    });

    test.each<[string, object]>([
      ['a contact', { email: 'new@example.com' }],
      ['metadata', { metadata: { plan: null } }],
      ['an address', { trusted_addresses: [elsewhere] }],
      ['a device', { devices: [{ fingerprint: tablet }] }],
      ['the trust in a device', { devices: [{ fingerprint: phone, trusted: true }] }],
      ['metadata of a device', { devices: [{ fingerprint: phone, metadata: { a: 1 } }] }],
    ])('adds %s to an existing user, once', async (_name, change) => {
      await run(ada);
      expect(await run({ id: 'ada', ...change })).toEqual([{ id: 'ada', status: 'updated' }]);
      expect(await run({ id: 'ada', ...change })).toEqual([{ id: 'ada', status: 'unchanged' }]);
    });

    test('does not change absent fields, and treats "" and null as absent', async () => {
      await run(ada);
      const empty = { email: null, phone: '', metadata: null, trusted_addresses: null, devices: null };
      expect(await run({ id: 'ada' }, { id: 'ada', ...empty })).toEqual([
        { id: 'ada', status: 'unchanged' },
        { id: 'ada', status: 'unchanged' },
      ]);
      expect((await exported('ada')).user).toMatchObject({ email: ada.email, phone: ada.phone });
    });

    test('ignores an invalid contact with a warning', async () => {
      const [result] = await run({ id: 'ada', email: 'ada at example', phone: '0170 1234567', metadata: { a: 1 } });
      expect(result).toEqual({
        id: 'ada',
        status: 'created',
        errors: [
          { path: 'email', message: expect.stringContaining('is not an email address') },
          { path: 'phone', message: expect.stringContaining('default_country') },
        ],
      });
      const { user } = await exported('ada');
      expect(user).not.toHaveProperty('email');
      expect(user.metadata).toEqual({ a: 1 });
    });

    test("accepts the service's ID of a user", async () => {
      await run(ada);
      const { _id } = (await exported('ada')).user;
      expect(await run({ id: _id, email: 'new@example.com' })).toEqual([{ id: _id, status: 'updated' }]);
      expect((await exported('ada')).user.email).toBe('new@example.com');
    });
  });

  describe('revocations', () => {
    test.each(['detach', 'block'])('are kept when the row is imported again: %s', async (how) => {
      await run(ada);
      const { _id } = (await exported('ada')).devices[0];
      if (how === 'detach') await customer.ask(`/v2/device/${_id}/detach`);
      else await customer.ask(`/v2/device/${_id}/update`, { status: 'blocked' });
      const [result] = await run(ada);
      expect(result).toMatchObject({ status: 'unchanged', errors: [{ path: 'devices.0' }] });
      expect((await exported('ada')).devices[0]).toMatchObject({ trusted: false });
      expect((await login('ada')).verdict).not.toBe('allow');
    });

    test('a suspended user stays suspended', async () => {
      await run(ada);
      await customer.ask('/v2/user/ada/update', { status: 'suspended' });
      await run({ ...ada, email: 'new@example.com' });
      expect(await login('ada')).toMatchObject({ verdict: 'deny' });
    });

    test('a device with a pending challenge stays pending', async () => {
      const { device_id } = await customer.challenge('ada', { fingerprint: laptop });
      const [result] = await run({ id: 'ada', devices: [{ fingerprint: laptop, trusted: true }] });
      expect(result).toMatchObject({ status: 'unchanged', errors: [{ path: 'devices.0' }] });
      expect((await exported('ada')).devices).toMatchObject([{ _id: device_id, status: 'pending', trusted: false }]);
    });
  });

  test('an imported IP address does not count as seen', async () => {
    await run(...Array.from({ length: 40 }, (_, at) => ({ id: `user ${at}`, trusted_addresses: [home] })));
    const { reasons } = await login('ada', { action: 'signup' });
    expect(reasons).not.toContain('velocity');
  });

  test('processes rows in order, also of one user', async () => {
    const rows = [1, 2, 3].map((turn) => ({ id: 'ada', metadata: { turn } }));
    expect((await run(...rows)).map(({ status }) => status)).toEqual(['created', 'updated', 'updated']);
    expect((await exported('ada')).user.metadata).toEqual({ turn: 3 });
  });

  test('creates one user for concurrent requests', async () => {
    await Promise.all([run(ada), run(ada)]);
    const { user, devices } = await exported('ada');
    expect([user.external_id, devices.length]).toEqual(['ada', 2]);
  });

  test('imports 1,000 users without blocking other requests', async () => {
    const users = Array.from({ length: 1000 }, (_, at) => ({ id: `user ${at}`, email: `user${at}@example.com` }));
    let isOver = false;
    const importing = run(...users).finally(() => {
      isOver = true;
    });
    await waitFor(async () => (await customer.get('/v2/user/user%200/devices')).status === 200, {
      what: 'the first user to be there',
    });
    for (let time = 0; time < 3; time += 1) await login('ada');
    expect(isOver).toBe(false);
    expect((await importing).filter(({ status }) => status === 'created')).toHaveLength(1000);
    expect((await customer.get('/v2/user/user%20999/devices')).status).toBe(200);
  });

  test('deletes stored responses that name an erased user', async () => {
    const repeat = async () => {
      const { body, headers } = await customer.post(path, { users: [{ id: 'ada' }] }, { 'Idempotency-Key': 'one' });
      return [body.results[0].status, headers.get('Idempotent-Replayed')];
    };
    expect(await repeat()).toEqual(['created', null]);
    expect(await repeat()).toEqual(['created', 'true']);
    await customer.ask('/v2/user/ada/delete');
    expect(await repeat()).toEqual(['created', null]);
  });
});
