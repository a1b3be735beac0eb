import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dayMs, minuteMs } from '../../src/testing.js';
import { type Customer, customerOf, elsewhere, home, laptop, phone } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { startService, type TestProject, type TestService } from '../support/service.js';

describeDatabases('completing and kicking', (kind) => {
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

  const complete = (id: string) => customer.post(`/v2/challenges/${id}/complete`);
  const kick = (id: string, device: string) => customer.post(`/v2/challenges/${id}/kick`, { device });
  const eventsOf = async (type: string) => (await service.events(project)).filter((event) => event.type === type);
  const deviceOf = async (user: string) => (await customer.get(`/v2/user/${user}/devices`)).body.data[0];
  const login = (user: string, more: object = {}) =>
    customer.evaluate({ action: 'login', user, fingerprint: laptop, ip: home, ...more });
  const attach = async (user: string, fingerprint: string) =>
    (await customer.ask('/v2/device/attach', { user, fingerprint })).device_id;

  describe('POST /v2/challenges/:id/complete', () => {
    test('trusts the device at the IP address after a verified code', async () => {
      const { id, code } = await customer.sendCode('ann');
      await customer.ask(`/v2/challenges/${id}/verify`, { code });
      expect((await complete(id)).body).toEqual({ success: true });
      expect(await deviceOf('ann')).toMatchObject({ status: 'attached', trusted: true });
      expect(await login('ann')).toMatchObject({ verdict: 'allow', reasons: [] });
      const challenge = (await customer.get(`/v2/challenges/${id}`)).body;
      expect(challenge).toMatchObject({ status: 'completed', completed_at: expect.any(String) });
    });

    test('keeps the trust invariant: other findings are only reported', async () => {
      const { challenge_id } = await customer.challenge('ann');
      await complete(challenge_id);
      const driven = laptop.replace(/\.AAAA$/, '.AAAB');
      expect(await login('ann', { fingerprint: driven })).toMatchObject({ verdict: 'allow', reasons: ['automation'] });
    });

    test("accepts the customer's own verification if no code was sent", async () => {
      const { challenge_id } = await customer.challenge('ann');
      expect((await complete(challenge_id)).status).toBe(200);
      expect((await login('ann')).verdict).toBe('allow');
    });

    test('accepts it also for a user without contacts', async () => {
      const { challenge_id } = await customer.challenge('ann', { email: undefined });
      expect((await complete(challenge_id)).status).toBe(200);
    });

    test('has no effect a second time, and emits one event', async () => {
      const { challenge_id } = await customer.challenge('ann');
      await complete(challenge_id);
      const { _id } = await deviceOf('ann');
      const { device } = await customer.ask(`/v2/device/${_id}/detach`, {});
      const challenge = (await customer.get(`/v2/challenges/${challenge_id}`)).body;
      expect((await complete(challenge_id)).body).toEqual({ success: true });
      expect(await deviceOf('ann')).toEqual(device);
      expect((await customer.get(`/v2/challenges/${challenge_id}`)).body).toEqual(challenge);
      expect(await eventsOf('challenge.completed')).toHaveLength(1);
    });

    test('trusts only this IP address, for the configured time', async () => {
      project = await service.newProject({ address_trust_days: 2 });
      customer = customerOf(service, project);
      const { challenge_id } = await customer.challenge('ann');
      await complete(challenge_id);
      expect(await login('ann', { ip: elsewhere })).toMatchObject({ verdict: 'challenge', reasons: ['new_ip'] });
      service.clock.advance(dayMs * 2 - minuteMs);
      expect((await login('ann')).verdict).toBe('allow');
      service.clock.advance(minuteMs);
      expect(await login('ann')).toMatchObject({ verdict: 'challenge', reasons: ['new_ip'] });
    });

    test('trusts no IP address if none was known', async () => {
      const { challenge_id } = await customer.challenge('ann', { ip: undefined });
      await complete(challenge_id);
      expect((await login('ann', { ip: undefined })).verdict).toBe('allow');
      expect((await login('ann')).reasons).toEqual(['new_ip']);
    });

    test('409: the device was blocked in the meantime, and stays blocked', async () => {
      const { challenge_id, device_id } = await customer.challenge('ann');
      await customer.ask(`/v2/device/${device_id}/update`, { status: 'blocked' });
      expect((await complete(challenge_id)).body.code).toBe('evaluation_superseded');
      expect(await deviceOf('ann')).toMatchObject({ status: 'blocked', trusted: false });
      expect((await login('ann')).verdict).toBe('deny');
    });

    test('409: a code was sent and not verified', async () => {
      const { id } = await customer.sendCode('ann');
      const { status, body } = await complete(id);
      expect([status, body.code]).toEqual([409, 'challenge_not_verified']);
      expect(await deviceOf('ann')).toMatchObject({ status: 'pending', trusted: false });
    });

    test('409: skipped or expired', async () => {
      const { challenge_id } = await customer.challenge('ann');
      await customer.ask(`/v2/challenges/${challenge_id}/skip`);
      expect((await complete(challenge_id)).body.code).toBe('challenge_closed');
      const verified = await customer.sendCode('bob');
      await customer.ask(`/v2/challenges/${verified.id}/verify`, { code: verified.code });
      service.clock.advance(dayMs);
      expect((await complete(verified.id)).body.code).toBe('challenge_closed');
    });
  });

  describe('POST /v2/challenges/:id/kick', () => {
    test('detaches another device of the user, once, and removes its trust', async () => {
      const old = await customer.challenge('ann', { fingerprint: phone });
      await complete(old.challenge_id);
      const { id, code } = await customer.sendCode('ann');
      await customer.ask(`/v2/challenges/${id}/verify`, { code });
      const { body } = await kick(id, old.device_id);
      expect(body).toMatchObject({ success: true, device: { _id: old.device_id, status: 'detached', trusted: false } });
      expect((await kick(id, old.device_id)).body).toEqual(body);
      const data = { device: body.device, cause: 'kick' };
      expect(await eventsOf('device.detached')).toEqual([{ type: 'device.detached', data }]);
      expect((await login('ann', { fingerprint: phone })).reasons).toContain('new_device');
    });

    test('needs no code if the customer verified the user', async () => {
      const device = await attach('ann', phone);
      const { challenge_id } = await customer.challenge('ann');
      expect((await kick(challenge_id, device)).status).toBe(200);
    });

    test('400: the challenged device', async () => {
      const { challenge_id, device_id } = await customer.challenge('ann');
      const { status, body } = await kick(challenge_id, device_id);
      expect([status, body.errors[0].path]).toEqual([400, 'device']);
    });

    test("404: another user's device", async () => {
      const device = await attach('bob', phone);
      const { challenge_id } = await customer.challenge('ann');
      expect((await kick(challenge_id, device)).body.code).toBe('not_found');
    });

    test('409: a code was sent and not verified', async () => {
      const device = await attach('ann', phone);
      const { id } = await customer.sendCode('ann');
      expect((await kick(id, device)).body.code).toBe('challenge_not_verified');
      expect((await customer.get('/v2/user/ann/devices?status=attached')).body.total).toBe(1);
    });

    test('409: skipped', async () => {
      const device = await attach('ann', phone);
      const { challenge_id } = await customer.challenge('ann');
      await customer.ask(`/v2/challenges/${challenge_id}/skip`);
      expect((await kick(challenge_id, device)).body.code).toBe('challenge_closed');
    });

    test('422: a user without contacts cannot be verified', async () => {
      const device = await attach('ann', phone);
      const { challenge_id } = await customer.challenge('ann', { email: undefined });
      const { status, body } = await kick(challenge_id, device);
      expect([status, body.code]).toEqual([422, 'no_channel']);
      await complete(challenge_id);
      expect((await kick(challenge_id, device)).body.code).toBe('no_channel');
      expect((await customer.get('/v2/user/ann/devices?status=attached')).body.total).toBe(2);
    });

    test('does not lift a block', async () => {
      const device = await attach('ann', phone);
      await customer.ask(`/v2/device/${device}/update`, { status: 'blocked' });
      const { challenge_id } = await customer.challenge('ann');
      expect((await kick(challenge_id, device)).body.device.status).toBe('blocked');
    });
  });
});
