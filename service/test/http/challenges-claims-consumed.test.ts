import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dayMs } from '../../src/testing.js';
import { claimsOf } from '../support/claims.js';
import { type Customer, customerOf, home, laptop, origin, phone } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { fingerprintOf } from '../support/fingerprints.js';
import { startService, type TestProject, type TestService } from '../support/service.js';

/** Evaluations with a publishable key are claims until a secret key consumes them (docs/challenges.md). */
describeDatabases('claims', (kind) => {
  let service: TestService;
  let project: TestProject;
  let customer: Customer;
  beforeAll(async () => {
    service = await startService({ database: kind });
  });
  afterAll(() => service.close());
  const begin = async (settings: object = {}) => {
    project = await service.newProject({ allowed_origins: [origin], ...settings });
    customer = customerOf(service, project);
  };
  beforeEach(() => begin());

  const { eventTypes, claim, attachAnn } = claimsOf(() => ({ service, project, customer }));

  describe('with challenges', () => {
    const uses: [string, (id: string) => Promise<unknown>][] = [
      ['open', (id) => customer.ask(`/v2/challenges/${id}/open`)],
      ['send', (id) => customer.post(`/v2/challenges/${id}/send`)],
      ['verify', (id) => customer.post(`/v2/challenges/${id}/verify`, { code: '123456' })],
      ['kick', (id) => customer.post(`/v2/challenges/${id}/kick`, { device: id })],
      ['complete', (id) => customer.ask(`/v2/challenges/${id}/complete`)],
    ];
    test.each(uses)('become ordinary challenges by %s', async (name, use) => {
      const id = await claim();
      const before = (await customer.get(`/v2/challenges/${id}`)).body;
      await use(id);
      expect((await eventTypes())[0]).toBe('challenge.initiated');
      const challenge = (await customer.get(`/v2/challenges/${id}`)).body;
      expect(challenge.user).toEqual(before.user);
      expect(challenge.channels).toEqual([]);
      expect((await customer.get('/v2/challenges')).body.total).toBe(1);
      const devices = (await customer.get('/v2/user/ann/devices')).body.data;
      const isDone = name === 'complete';
      const status = isDone ? 'attached' : 'pending';
      expect(devices).toMatchObject([{ _id: challenge.device_id, status, trusted: isDone }]);
      expect((await eventTypes()).filter((type) => type === 'challenge.initiated')).toHaveLength(1);
    });

    test('can be skipped without being consumed', async () => {
      const id = await claim();
      expect(await customer.ask(`/v2/challenges/${id}/skip`)).toEqual({ success: true });
      expect((await customer.get(`/v2/challenges/${id}`)).body.status).toBe('skipped');
      expect((await customer.post(`/v2/challenges/${id}/send`)).body.code).toBe('challenge_closed');
      expect(await eventTypes()).toEqual([]);
    });

    test('send codes to the stored contacts, never to the claimed ones', async () => {
      await attachAnn();
      await customer.ask(`/v2/challenges/${await claim()}/send`);
      expect(service.outbox.map(({ to }) => to)).toEqual(['ann@example.com']);
    });

    test('trust the challenged fingerprint once completed', async () => {
      await attachAnn();
      const id = await claim();
      await customer.ask(`/v2/challenges/${id}/send`);
      await customer.ask(`/v2/challenges/${id}/verify`, { code: service.outbox.at(-1)?.code });
      await customer.ask(`/v2/challenges/${id}/complete`);
      const { ip } = (await customer.get(`/v2/challenges/${id}`)).body;
      const again = await customer.evaluate({ action: 'login', user: 'ann', fingerprint: laptop, ip });
      expect(again).toMatchObject({ verdict: 'allow', reasons: [] });
    });

    test("do not affect the user's existing device", async () => {
      const attached = await customer.ask('/v2/device/attach', { user: 'ann', fingerprint: laptop, ip: home });
      const before = (await customer.get('/v2/user/ann/devices')).body;
      const id = await claim();
      await customer.ask(`/v2/challenges/${id}/open`);
      expect((await customer.get(`/v2/challenges/${id}`)).body.device_id).toBe(attached.device_id);
      expect((await customer.get('/v2/user/ann/devices')).body).toEqual(before);
    });

    test('emit one event, by an operation and by consumption', async () => {
      const evaluation = await customer.claim('ann');
      await customer.ask(`/v2/challenges/${evaluation.challenge_id}/open`);
      const consume = `/v2/evaluations/${evaluation.evaluation_id}/consume`;
      await customer.ask(consume, { user: 'ann', action: 'login' });
      expect((await eventTypes()).filter((type) => type === 'challenge.initiated')).toHaveLength(1);
      expect((await customer.get('/v2/user/ann/devices')).body.total).toBe(1);
      expect((await customer.get('/v2/proj/access-history')).body.total).toBe(1);
    });

    test('are rejected after they expired', async () => {
      const id = await claim();
      service.clock.advance(dayMs);
      expect((await customer.post(`/v2/challenges/${id}/send`)).body.code).toBe('challenge_closed');
    });

    test("are judged with the user's data, including device limits", async () => {
      await begin({ device_limit: { overall: 1 } });
      await attachAnn();
      const { evaluation_id, verdict } = await customer.claim('ann');
      expect(verdict).toBe('challenge');
      const record = await customer.ask(`/v2/evaluations/${evaluation_id}/consume`, { user: 'ann', action: 'login' });
      expect(record.reasons).toEqual(['new_device', 'new_ip', 'limit_exceeded', 'high_risk']);
      expect((await customer.get(`/v2/challenges/${record.challenge_id}`)).body.reasons).toContain('limit_exceeded');
    });
  });

  describe('consumed', () => {
    const consume = (id: string, more: object = {}) =>
      customer.ask(`/v2/evaluations/${id}/consume`, { user: 'ann', action: 'login', ...more });

    test("keep the server's data of the user, and from the page only data that is not a contact", async () => {
      const { evaluation_id, challenge_id } = await customer.claim('ann', {
        email: 'thief@example.com',
        metadata: { theme: 'dark' },
      });
      await consume(evaluation_id, { email: 'ann@example.com', metadata: { plan: 'family' } });
      await customer.ask(`/v2/challenges/${challenge_id}/send`);
      expect(service.outbox.map(({ to }) => to)).toEqual(['ann@example.com']);
      const { body } = await customer.get(`/v2/evaluations/${evaluation_id}`);
      expect(body).toMatchObject({ email: 'a***@e******.com', metadata: { plan: 'family' } });
    });

    test('return the stricter of both verdicts, with its reasons', async () => {
      const { device_id } = await attachAnn();
      await customer.ask(`/v2/device/${device_id}/update`, { whitelisted: true });
      const spoofed = fingerprintOf({ seed: 'spoofed', integrity: ['proxied_function'] });
      const strange = await customer.claim('ann', { fingerprint: spoofed });
      expect(strange.verdict).toBe('challenge_and_restrict');
      expect(await consume(strange.evaluation_id)).toMatchObject({
        verdict: 'challenge_and_restrict',
        reasons: ['new_device', 'new_ip', 'tampering', 'high_risk'],
      });
      const known = await customer.claim('ann', { fingerprint: phone });
      expect(known.verdict).toBe('allow');
      await customer.ask('/v2/user/ann/update', { status: 'active' });
      expect(await consume(known.evaluation_id)).toMatchObject({ verdict: 'allow', claimed: true });
    });

    test("drop reasons that only applied because the claim's user was unknown", async () => {
      await customer.ask('/v2/device/attach', { user: 'ann', fingerprint: phone, ip: '127.0.0.1' });
      await customer.ask(`/v2/challenges/${(await customer.claim('ann')).challenge_id}/complete`);
      const other = await customer.claim('ann', { fingerprint: fingerprintOf({ seed: 'a third device' }) });
      const reasons = ['new_device', 'high_risk'];
      expect(await consume(other.evaluation_id)).toMatchObject({ verdict: 'challenge', reasons });
    });

    test('require no challenge that was completed in the meantime', async () => {
      const { evaluation_id, challenge_id } = await customer.claim('ann');
      await customer.ask(`/v2/challenges/${challenge_id}/complete`);
      const record = await consume(evaluation_id);
      expect(record).toMatchObject({ verdict: 'allow', reasons: [] });
      expect(record).not.toHaveProperty('challenge_id');
    });
  });
});
