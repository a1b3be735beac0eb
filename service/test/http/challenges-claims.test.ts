import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hourMs, removeOldClaims } from '../../src/testing.js';
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

  const { eventTypes, claim, attachAnn, claimFrom } = claimsOf(() => ({ service, project, customer }));

  describe('before they are consumed', () => {
    test('change nothing and emit no events', async () => {
      await claim();
      expect((await customer.get('/v2/challenges')).body.total).toBe(0);
      expect((await customer.get('/v2/user/ann/devices')).status).toBe(404);
      expect((await customer.get('/v2/proj/access-history')).body.total).toBe(0);
      expect(await eventTypes()).toEqual([]);
    });

    const reads: [string, (id: string) => Promise<{ status: number }>][] = [
      ['the challenge', (id) => customer.get(`/v2/challenges/${id}`)],
      ['its devices', (id) => customer.get(`/v2/challenges/${id}/devices`)],
      ['a device hash', (id) => customer.get(`/v2/challenges/${id}/devices/${id}/hash`)],
    ];
    test.each(reads)('do not change when the secret key reads %s', async (_name, read) => {
      const id = await claim();
      await read(id);
      expect((await customer.get('/v2/user/ann/devices')).status).toBe(404);
      expect((await customer.get('/v2/challenges')).body.total).toBe(0);
      expect(await eventTypes()).toEqual([]);
    });

    test('are visible to the secret key, with the user that they name', async () => {
      const unknown = (await customer.get(`/v2/challenges/${await claim()}`)).body;
      expect(unknown).toMatchObject({
        status: 'pending',
        user: { _id: expect.stringMatching(/^[0-9a-f-]{36}$/), external_id: 'ann' },
        reasons: ['new_device', 'new_ip'],
        channels: [],
        limit: { is_exceeded: false, overall: 0 },
      });
      const attached = await attachAnn();
      const { body } = await customer.get(
        `/v2/challenges/${await claim({ fingerprint: fingerprintOf({ seed: 'x' }) })}`,
      );
      expect(body).toMatchObject({ user: { email: 'a***@e******.com' }, channels: ['email'], limit: { overall: 1 } });
      const devices = (await customer.get(`/v2/challenges/${body._id}/devices`)).body.data;
      expect(devices).toMatchObject([{ _id: attached.device_id }]);
      const hash = await customer.get(`/v2/challenges/${body._id}/devices/${attached.device_id}/hash`);
      expect(hash.body).toEqual({ device_id: attached.device_id, hash: phone });
    });

    test('contain the user agent of the request, before and after they are consumed', async () => {
      const user_agent = 'Mozilla/5.0 (X11; Linux x86_64)';
      const { evaluation_id } = (await claimFrom(home, { user_agent })).body;
      expect((await customer.get(`/v2/evaluations/${evaluation_id}`)).body).toMatchObject({
        claimed: true,
        user_agent,
      });
      const consumed = await customer.ask(`/v2/evaluations/${evaluation_id}/consume`, { user: 'ann', action: 'login' });
      expect(consumed).toMatchObject({ user_agent });
    });

    test('share the challenge ID for the same browser, user, action and IP address, and the fingerprint_id for the same browser', async () => {
      const [one, other] = [await customer.claim('ann'), await customer.claim('ann')];
      expect(other.challenge_id).toBe(one.challenge_id);
      expect(other.evaluation_id).not.toBe(one.evaluation_id);
      const bobs = await customer.claim('bob');
      expect(bobs.challenge_id).not.toBe(one.challenge_id);
      expect(bobs.fingerprint_id).toBe(one.fingerprint_id);
      const seen = await customer.evaluate({ action: 'login', user: 'cyd', fingerprint: laptop, ip: home });
      expect(seen.fingerprint_id).toBe(one.fingerprint_id);
    });

    test('are deleted after a day, and not earlier', async () => {
      const { evaluation_id } = await customer.claim('ann');
      service.clock.advance(23 * hourMs);
      await removeOldClaims(service.service);
      expect((await customer.get(`/v2/evaluations/${evaluation_id}`)).body).toMatchObject({ claimed: true });
      service.clock.advance(hourMs + 1);
      await removeOldClaims(service.service);
      expect((await customer.get(`/v2/evaluations/${evaluation_id}`)).status).toBe(404);
    });

    test('cannot be labelled before they are consumed', async () => {
      const { evaluation_id } = await customer.claim('ann');
      const feedback = () => customer.post(`/v2/evaluations/${evaluation_id}/feedback`, { label: 'fraud' });
      expect(await feedback()).toMatchObject({ status: 409, body: { code: 'not_consumed' } });
      await customer.ask(`/v2/evaluations/${evaluation_id}/consume`, { user: 'ann', action: 'login' });
      expect((await feedback()).status).toBe(200);
    });

    test('are limited in size: 413 for a request that would need more', async () => {
      const large = await claimFrom(home, { metadata: { cart: 'x'.repeat(1400) } });
      expect(large).toMatchObject({ status: 413, body: { code: 'too_large' } });
      expect(large.body.detail).toMatch(/1400 bytes.*consumes/);
      expect((await claimFrom(home, { fingerprint: 'x'.repeat(1400) })).status).toBe(413);
    });
  });

  describe('quotas', () => {
    test('apply per source network, without affecting other networks', async () => {
      await begin({ claim_limits: { evaluations_per_network: 2 } });
      const statuses = [];
      for (const ip of ['203.0.113.1', '203.0.113.2', '203.0.113.3', '198.51.100.1']) {
        statuses.push((await claimFrom(ip)).status);
      }
      expect(statuses).toEqual([200, 200, 429, 200]);
      expect((await claimFrom('2001:db8:1:1::1')).status).toBe(200);
      expect((await claimFrom('2001:db8:1:2::1')).status).toBe(200);
      const refused = await claimFrom('2001:db8:1:3::1');
      expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
      expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
      service.clock.advance(hourMs);
      expect((await claimFrom('203.0.113.1')).status).toBe(200);
    });

    test('apply per project, but not to the secret key', async () => {
      await begin({ claim_limits: { evaluations_per_day: 64 } });
      expect((await claimFrom('203.0.113.1')).status).toBe(200);
      expect((await claimFrom('203.0.113.1')).status).toBe(429);
      expect((await customer.evaluate({ action: 'login', user: 'ann', fingerprint: laptop, ip: home })).verdict).toBe(
        'challenge',
      );
    });
  });

  describe('do not reveal stored data of the user', () => {
    const answer = async (body: object) => {
      const { status, body: answered } = await claimFrom('203.0.113.77', body);
      const { verdict, ...ids } = answered;
      return { status, verdict, fields: Object.keys(ids).sort() };
    };
    const strange = fingerprintOf({ seed: 'the laptop of a stranger' });

    test.each(['login', 'signup', 'referral'])('for %s', async (action) => {
      await begin({ device_limit: { overall: 1 } });
      await service.list(project, ['allow', 'user', 'listed']);
      const contact = { email: 'known@example.com', phone: '+14155550123' };
      for (const user of ['plain', 'listed', 'suspended', 'contacted']) {
        const attaching = { user, fingerprint: fingerprintOf({ seed: user }), ip: home };
        await customer.ask('/v2/device/attach', { ...attaching, ...(user === 'contacted' && contact) });
      }
      await customer.ask('/v2/user/suspended/update', { status: 'suspended' });
      const asked = ['plain', 'listed', 'suspended', 'contacted', 'nobody'].flatMap((user) => [
        { user },
        { user, ...contact },
        { user, email: 'other@example.com', metadata: { referrer: 'plain' } },
        { user, fingerprint: fingerprintOf({ seed: 'contacted' }), ...contact },
      ]);
      const answers = new Map<string, string[]>();
      for (const { user, ...more } of asked) {
        // The browser of a user is excluded, because the user's own result may depend on it.
        if (user === 'contacted' && 'fingerprint' in more) continue;
        const kindOfRequest = JSON.stringify(more);
        const given = JSON.stringify(await answer({ action, user, fingerprint: strange, ...more }));
        answers.set(kindOfRequest, [...(answers.get(kindOfRequest) ?? []), given]);
      }
      for (const [request, given] of answers) expect(new Set(given).size, request).toBe(1);
    });

    test('for a blocked device: only the server learns of it', async () => {
      const { device_id } = await attachAnn();
      await customer.ask(`/v2/device/${device_id}/update`, { status: 'blocked' });
      const blocked = await customer.claim('ann', { fingerprint: phone });
      expect(blocked.verdict).toBe((await customer.claim('nobody', { fingerprint: phone })).verdict);
      const consumed = await customer.ask(`/v2/evaluations/${blocked.evaluation_id}/consume`, {
        user: 'ann',
        action: 'login',
      });
      expect(consumed).toMatchObject({ verdict: 'deny', reasons: expect.arrayContaining(['blocked']) });
    });
  });
});
