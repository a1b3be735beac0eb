import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Customer, customerOf, elsewhere, home, laptop, origin, phone } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { startService, type TestProject, type TestService } from '../support/service.js';
import { callsAboutUsers } from '../support/users.js';

describeDatabases('users', (kind) => {
  let service: TestService;
  let project: TestProject;
  let customer: Customer;
  beforeAll(async () => {
    service = await startService({ database: kind });
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    project = await service.newProject({ allowed_origins: [origin] });
    customer = customerOf(service, project);
  });

  const { update, attach, login } = callsAboutUsers(() => customer);

  describe('POST /v2/user/:id/delete', () => {
    test('deletes all data of the user, and none of others', async () => {
      const { id } = await customer.sendCode('ann');
      const { evaluation_id, device_id } = await login();
      await attach('bob');
      const bobs = (await customer.get('/v2/user/bob/devices')).body;
      expect(await customer.ask('/v2/user/ann/delete')).toEqual({ success: true });
      const gone = [
        '/v2/user/ann/devices',
        '/v2/user/ann/export',
        `/v2/challenges/${id}`,
        `/v2/evaluations/${evaluation_id}`,
      ];
      for (const path of gone) expect((await customer.get(path)).status, path).toBe(404);
      expect((await customer.post(`/v2/device/${device_id}/detach`)).status).toBe(404);
      expect((await customer.post('/v2/user/ann/delete')).status).toBe(404);
      expect((await customer.get('/v2/challenges')).body.total).toBe(0);
      expect((await customer.get('/v2/proj/access-history')).body.total).toBe(1);
      expect((await customer.get('/v2/user/bob/devices')).body).toEqual(bobs);
      expect(await service.events(project)).toEqual([]);
    });

    test('deletes the emails about devices and contacts', async () => {
      customer = customerOf(service, await service.newProject({ mail_contact_changed: true }));
      for (const user of ['ann', 'bob']) {
        await attach(user, { email: `${user}@example.com` });
        await customer.ask(`/v2/user/${user}/update`, { email: `new.${user}@example.com` });
      }
      const notices = async () => (await service.db.selectFrom('notices').select('user_id').execute()).length;
      const before = await notices();
      await customer.ask('/v2/user/ann/delete');
      expect(await notices()).toBe(before - 1);
      expect((await customer.get('/v2/user/bob/export')).body.notices).toHaveLength(1);
    });

    test("accepts the service's own ID", async () => {
      await attach();
      const { _id } = (await update({})).body;
      await customer.ask(`/v2/user/${_id}/delete`);
      expect((await customer.get('/v2/user/ann/devices')).status).toBe(404);
    });

    test('deletes claims about a user whom the secret key never named', async () => {
      const { evaluation_id, challenge_id } = await customer.claim('ann');
      expect(await customer.ask('/v2/user/ann/delete')).toEqual({ success: true });
      expect((await customer.get(`/v2/evaluations/${evaluation_id}`)).status).toBe(404);
      expect((await customer.get(`/v2/challenges/${challenge_id}`)).status).toBe(404);
    });

    test('keeps blocks: the same account on the same device stays denied', async () => {
      const { device_id } = await attach();
      await customer.ask(`/v2/device/${device_id}/update`, { status: 'blocked' });
      await customer.ask('/v2/user/ann/delete');
      expect(await login()).toMatchObject({ verdict: 'deny', reasons: expect.arrayContaining(['blocked']) });
      expect((await login('bob')).verdict).not.toBe('deny');
    });

    test('keeps suspensions on the devices of the user', async () => {
      await attach();
      await update({ status: 'suspended' });
      await customer.ask('/v2/user/ann/delete');
      expect((await login()).verdict).toBe('deny');
    });

    test('keeps the number of accounts per device, and counts a returning account once', async () => {
      const signUp = (user: string) =>
        customer.evaluate({ action: 'signup', user, fingerprint: laptop, ip: home, email: `${user}@example.com` });
      await signUp('ann');
      await customer.ask('/v2/user/ann/delete');
      const bob = await signUp('bob');
      expect(bob.reasons).toContain('multiple_accounts');
      await customer.ask('/v2/user/bob/delete');
      const ann = await signUp('ann');
      const { evidence } = (await customer.get(`/v2/evaluations/${ann.evaluation_id}`)).body;
      expect(evidence.find(({ reason }: { reason: string }) => reason === 'multiple_accounts')).toMatchObject({
        evidence: { others: { fingerprint: 1 } },
      });
    });

    test("removes the user's name from the evaluations of users they referred", async () => {
      await attach('ann', { fingerprint: phone, ip: elsewhere });
      const referred = await customer.evaluate({
        action: 'referral',
        user: 'bob',
        fingerprint: laptop,
        ip: home,
        metadata: { referrer: 'ann', campaign: 'spring' },
      });
      await customer.ask('/v2/user/ann/delete');
      const { metadata } = (await customer.get(`/v2/evaluations/${referred.evaluation_id}`)).body;
      expect(metadata).toEqual({ campaign: 'spring' });
    });

    test('deletes stored responses about the user, and no others', async () => {
      const attachOnce = (user: string, key: string) =>
        customer.post('/v2/device/attach', { user, fingerprint: laptop, ip: home }, { 'Idempotency-Key': key });
      const ann = await attachOnce('ann', 'first');
      const bob = await attachOnce('bob', 'second');
      expect((await attachOnce('ann', 'first')).body.device_id).toBe(ann.body.device_id);
      await customer.ask('/v2/user/ann/delete');
      expect((await attachOnce('bob', 'second')).body.device_id).toBe(bob.body.device_id);
      expect((await attachOnce('ann', 'first')).body.device_id).not.toBe(ann.body.device_id);
    });
  });
});
