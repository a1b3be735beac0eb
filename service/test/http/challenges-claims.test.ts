import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dayMs, hourMs, removeOldClaims } from '../../src/testing.js';
import { type Customer, customerOf, home, laptop, origin, phone } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { fingerprintOf } from '../support/fingerprints.js';
import { startService, type TestProject, type TestService } from '../support/service.js';

const path = '/v2/device/evaluate';

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

  const eventTypes = async () => (await service.events(project)).map(({ type }) => type);
  const claim = async (more: object = {}) =>
    (await customer.claim('ann', { email: 'thief@example.com', phone: '+491701234567', ...more })).challenge_id;
  const attachAnn = () =>
    customer.ask('/v2/device/attach', { user: 'ann', fingerprint: phone, ip: home, email: 'ann@example.com' });
  /** Sends a page's request from an IP address. */
  const claimFrom = (ip: string, body: object = {}, key = project.keys.live.publishable) => {
    const headers = { Origin: origin, 'X-Forwarded-For': ip };
    return service.api(path, { key, headers, body: { action: 'login', user: 'ann', fingerprint: laptop, ...body } });
  };

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
