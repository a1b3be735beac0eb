import { createRemoteJWKSet, jwtVerify } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Customer, customerOf, elsewhere, home, laptop, origin, phone } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { fingerprintOf } from '../support/fingerprints.js';
import { startService, type TestProject, type TestService } from '../support/service.js';

const uuid = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const login = { action: 'login', user: 'ada', fingerprint: laptop, ip: home };

describeDatabases('evaluations and attachments', (kind) => {
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

  describe('POST /v2/device/evaluate', () => {
    test('responds with the documented fields', async () => {
      const evaluation = await customer.evaluate(login);
      expect(evaluation).toEqual({
        verdict: 'challenge',
        reasons: ['new_device', 'new_ip'],
        decided_by: expect.objectContaining({ outweighed: [], excused: [] }),
        challenge_id: expect.stringMatching(uuid),
        user_id: expect.stringMatching(uuid),
        evaluation_id: expect.stringMatching(uuid),
        device_id: expect.stringMatching(uuid),
        device_token: expect.any(String),
        fingerprint_id: expect.stringMatching(uuid),
        confidence: 1,
        matched_by: 'new',
        changed: [],
        risk: { score: 0.1, bits: -9.96, contributions: [expect.objectContaining({ fact: 'prior' })] },
      });
      const [device] = (await customer.get('/v2/user/ada/devices')).body.data;
      expect([device.user, device.external_user]).toEqual([evaluation.user_id, 'ada']);
      const { body } = await customer.get(`/v2/evaluations/${evaluation.evaluation_id}`);
      expect([body.user_id, body.user]).toEqual([evaluation.user_id, 'ada']);
    });

    test('returns no user ID if the user does not exist', async () => {
      const project = await service.newProject();
      await service.list(project, ['block', 'address', home]);
      const blocking = customerOf(service, project);
      const denied = await blocking.evaluate(login);
      expect(denied).toMatchObject({ verdict: 'deny' });
      expect(denied).not.toHaveProperty('user_id');
    });

    test('returns a challenge only with verdicts that require one, and reuses an open one', async () => {
      const allowed = await customer.evaluate({ ...login, action: 'signup' });
      expect(allowed).toMatchObject({ verdict: 'allow' });
      expect(allowed).not.toHaveProperty('challenge_id');
      const away = { ...login, ip: elsewhere };
      const [one, other] = [await customer.evaluate(away), await customer.evaluate(away)];
      expect(one).toMatchObject({ verdict: 'challenge', reasons: ['new_ip'] });
      expect(other.challenge_id).toBe(one.challenge_id);
      expect(other.evaluation_id).not.toBe(one.evaluation_id);
    });

    test('returns no device token with a denial, even for a known device', async () => {
      const { device_id, device_token } = await customer.evaluate({ ...login, action: 'signup' });
      expect(device_token).toEqual(expect.any(String));
      await customer.ask(`/v2/device/${device_id}/update`, { status: 'blocked' });
      const denied = await customer.evaluate(login);
      expect(denied).toMatchObject({ verdict: 'deny', device_id });
      expect(denied).not.toHaveProperty('device_token');
    });

    test('ignores the `ip` field of a page', async () => {
      for (const ip of [elsewhere, 'no address', 7, { nested: true }]) {
        const { evaluation_id } = await customer.claim('ada', { ip });
        expect((await customer.get(`/v2/evaluations/${evaluation_id}`)).body.ip).toBe(home);
      }
      expect((await customer.post('/v2/device/evaluate', { ...login, ip: 'no address' })).status).toBe(400);
    });

    test('returns a claim to a page, with a verifiable token and nothing about the user', async () => {
      const claim = await customer.claim('ada');
      expect(Object.keys(claim).sort()).toEqual([
        'challenge_id',
        'evaluation_id',
        'fingerprint_id',
        'token',
        'verdict',
      ]);
      const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', service.url));
      const { payload } = await jwtVerify(claim.token, keys, {
        issuer: 'https://fraud.example',
        audience: project.project.id,
        currentDate: service.clock.now(),
      });
      expect(payload).toMatchObject({ jti: claim.evaluation_id, user: 'ada', action: 'login', verdict: claim.verdict });
      expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(300);
    });
  });

  describe('POST /v2/device/fingerprint', () => {
    test('recognises known fingerprints and says how', async () => {
      const first = await customer.ask('/v2/device/fingerprint', { fingerprint: laptop });
      expect(first).toMatchObject({ matched_by: 'new', confidence: 1, changed: [] });
      const again = await customer.ask('/v2/device/fingerprint', { fingerprint: laptop });
      expect(again).toMatchObject({ fingerprint_id: first.fingerprint_id, matched_by: 'exact' });
      const changed = fingerprintOf({ seed: 'laptop', changed: ['surface'] });
      const updated = await customer.ask('/v2/device/fingerprint', { fingerprint: changed, last_fingerprint: laptop });
      expect(updated).toMatchObject({ fingerprint_id: first.fingerprint_id, matched_by: 'last', changed: ['surface'] });
      const other = await customer.ask('/v2/device/fingerprint', { fingerprint: phone });
      expect(other.fingerprint_id).not.toBe(first.fingerprint_id);
    });

    test('does not tell a publishable key whether a browser is known', async () => {
      const asPage = async (body: object) => {
        const request = { key: project.keys.live.publishable, body, headers: { Origin: origin } };
        return (await service.api('/v2/device/fingerprint', request)).body;
      };
      const changed = fingerprintOf({ seed: 'laptop', changed: ['surface'] });
      const requests = [{ fingerprint: laptop }, { fingerprint: changed, last_fingerprint: laptop }];
      const asked = async () => [await asPage(requests[0] ?? {}), await asPage(requests[1] ?? {})];
      const unknown = await asked();
      await customer.evaluate({ action: 'signup', user: 'ada', fingerprint: laptop, ip: home });
      expect(await asked()).toEqual(unknown);
      expect(unknown.map((answer) => Object.keys(answer))).toEqual([['fingerprint_id'], ['fingerprint_id']]);
    });
  });

  describe('POST /v2/device/attach', () => {
    test('attaches a device and counts the devices of the user', async () => {
      const one = await customer.ask('/v2/device/attach', { user: 'ada', fingerprint: laptop, ip: home });
      const user_id = (await customer.get('/v2/user/ada/devices')).body.data[0].user;
      expect(one).toMatchObject({
        success: true,
        user_id,
        attached_devices: 1,
        limit: { overall: 1, desktop: 1, mobile: 0 },
      });
      const two = await customer.ask('/v2/device/attach', { user: 'ada', fingerprint: phone, ip: home });
      expect(two).toMatchObject({ attached_devices: 2, limit: { is_exceeded: false, overall: 2, mobile: 1 } });
      const { body } = await customer.get('/v2/user/ada/devices?status=attached');
      expect(body.data.map(({ _id }: { _id: string }) => _id).sort()).toEqual([one.device_id, two.device_id].sort());
    });

    test('creates a challenge if the user has too many devices', async () => {
      const tight = customerOf(service, await service.newProject({ device_limit: { overall: 1 } }));
      await tight.ask('/v2/device/attach', { user: 'ada', fingerprint: laptop });
      const answer = await tight.ask('/v2/device/attach', { user: 'ada', fingerprint: phone });
      const { body } = await tight.get(`/v2/challenges/${answer.challenge_id}`);
      expect(body).toMatchObject({ status: 'pending', device_id: answer.device_id });
      expect(body.reasons).toContain('limit_exceeded');
    });

    test('is not prevented by what strangers do, nor by what is new about the device', async () => {
      for (const settings of [{}, { judge_by: 'risk' }]) {
        const shop = customerOf(service, await service.newProject(settings));
        await shop.evaluate({ action: 'signup', user: 'ada', fingerprint: laptop, ip: home });
        const failed = { action: 'login', user: 'ada', outcome: 'failed', ip: elsewhere };
        for (let attempt = 0; attempt < 11; attempt++) await shop.evaluate(failed);
        const attached = await shop.ask('/v2/device/attach', { user: 'ada', fingerprint: phone, ip: home });
        expect(attached.challenge_id).toBeUndefined();
        const { body } = await shop.get('/v2/evaluations?action=attach');
        expect(body.data[0]).toMatchObject({
          verdict: 'allow',
          reasons: expect.arrayContaining(['password_guessing']),
        });
      }
    });

    test('does not raise what the policy turns off', async () => {
      const policy = { login: { new_device: 'off' } };
      const shop = customerOf(service, await service.newProject({ policy }));
      await shop.ask('/v2/device/attach', { user: 'ada', fingerprint: laptop });
      expect((await shop.get('/v2/evaluations')).body.data[0].reasons).toEqual([]);
    });

    test('creates no challenge in observe mode', async () => {
      const shop = customerOf(service, await service.newProject({ mode: 'observe', device_limit: { overall: 1 } }));
      await shop.ask('/v2/device/attach', { user: 'ada', fingerprint: laptop });
      const attached = await shop.ask('/v2/device/attach', { user: 'ada', fingerprint: phone });
      expect(attached).toMatchObject({ attached_devices: 2, limit: { is_exceeded: true } });
      expect(attached.challenge_id).toBeUndefined();
      const { body } = await shop.get('/v2/evaluations');
      expect(body.data[0]).toMatchObject({ verdict: 'allow', observed_verdict: 'challenge' });
    });

    test('403: a blocked device', async () => {
      const { device_id } = await customer.ask('/v2/device/attach', { user: 'ada', fingerprint: laptop });
      await customer.ask(`/v2/device/${device_id}/update`, { status: 'blocked' });
      const answer = await customer.post('/v2/device/attach', { user: 'ada', fingerprint: laptop });
      expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    });
  });

  describe('GET /v2/evaluations/:id', () => {
    test('returns the request with masked contacts, and the evidence for each reason', async () => {
      for (const last of [{}, { last_fingerprint: laptop }, { last_fingerprint: phone }]) {
        const asked = {
          ...login,
          ...last,
          email: 'ada@example.com',
          version: '0.1.0',
          user_agent:
            'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36',
          metadata: { plan: 'family "{"metadata":{\u0001\n' },
        };
        const { evaluation_id, fingerprint_id } = await customer.evaluate(asked);
        const { body } = await customer.get(`/v2/evaluations/${evaluation_id}`);
        expect(body).toMatchObject({
          ...asked,
          email: 'a***@e******.com',
          evaluation_id,
          fingerprint_id,
          claimed: false,
        });
        expect('last_fingerprint' in body).toBe('last_fingerprint' in last);
        expect(body.evidence.map(({ reason }: { reason: string }) => reason)).toEqual(body.reasons);
        expect(body).not.toHaveProperty('consumed_at');
      }
    });
  });

  describe('a declared agent', () => {
    const agent = { name: 'Agent', verified: true };
    const declared = ({ evidence }: { evidence: { reason: string }[] }) =>
      evidence.find(({ reason }) => reason === 'declared_agent');

    test('is reported, stored and returned with its evidence', async () => {
      await customer.evaluate({ ...login, action: 'signup' });
      const { evaluation_id, verdict, reasons } = await customer.evaluate({ ...login, agent });
      expect({ verdict, reasons }).toEqual({ verdict: 'allow', reasons: ['declared_agent'] });
      const { body } = await customer.get(`/v2/evaluations/${evaluation_id}`);
      expect(body.agent).toEqual(agent);
      expect(declared(body)).toEqual({ reason: 'declared_agent', evidence: { agent: 'Agent', verified: true } });
    });

    test('that is not verified is reported with the problem', async () => {
      const problem = { name: 'agent.example', verified: false, problem: 'expired' };
      const { evaluation_id } = await customer.evaluate({ ...login, agent: problem });
      const { body } = await customer.get(`/v2/evaluations/${evaluation_id}`);
      expect(declared(body)).toMatchObject({
        evidence: { agent: 'agent.example', verified: false, problem: 'expired' },
      });
    });

    test('has the effect that the project chooses', async () => {
      const strict = customerOf(
        service,
        await service.newProject({
          policy: { login: { declared_agent: 'restrict' }, signup: { declared_agent: 'off' } },
        }),
      );
      expect((await strict.evaluate({ ...login, action: 'signup', agent })).reasons).not.toContain('declared_agent');
      expect((await strict.evaluate({ ...login, agent })).verdict).toBe('restrict');
    });

    test('named by a page is ignored; the server names it when it consumes the evaluation', async () => {
      const { evaluation_id } = await customer.claim('ada', { agent });
      const { body: claim } = await customer.get(`/v2/evaluations/${evaluation_id}`);
      expect(claim).not.toHaveProperty('agent');
      expect(claim.reasons).not.toContain('declared_agent');
      const body = { user: 'ada', action: 'login', agent };
      const { body: consumed } = await customer.post(`/v2/evaluations/${evaluation_id}/consume`, body);
      expect(consumed.agent).toEqual(agent);
      expect(consumed.reasons).toContain('declared_agent');
    });

    test('400: without a name, or with an unknown problem', async () => {
      for (const invalid of [
        { verified: true },
        { name: 'a\nb', verified: true },
        { ...agent, problem: 'none' },
        'Agent',
      ]) {
        expect((await customer.post('/v2/device/evaluate', { ...login, agent: invalid })).status).toBe(400);
      }
    });
  });

  describe('POST /v2/evaluations/:id/consume', () => {
    const consume = (id: string, user = 'ada', action = 'login') =>
      customer.post(`/v2/evaluations/${id}/consume`, { user, action });

    test('works once and returns the time; 409 the second time', async () => {
      const { evaluation_id } = await customer.claim('ada');
      const { status, body } = await consume(evaluation_id);
      expect(status).toBe(200);
      expect(body).toMatchObject({ evaluation_id, claimed: true, consumed_at: expect.stringMatching(/Z$/) });
      expect(await consume(evaluation_id)).toMatchObject({ status: 409, body: { code: 'already_consumed' } });
    });

    test('409: another user or another action', async () => {
      const { evaluation_id } = await customer.claim('ada');
      for (const [user, action] of [['bob'], ['ada', 'payment']]) {
        const answer = await consume(evaluation_id, user, action);
        expect(answer).toMatchObject({ status: 409, body: { code: 'evaluation_mismatch' } });
      }
      expect((await consume(evaluation_id)).status).toBe(200);
    });

    test('returns no device token if the evaluation was denied', async () => {
      const { device_id } = await customer.evaluate({ ...login, action: 'signup' });
      await customer.ask(`/v2/device/${device_id}/update`, { status: 'blocked' });
      const { evaluation_id } = await customer.evaluate(login);
      const { body } = await consume(evaluation_id);
      expect(body).toMatchObject({ verdict: 'deny' });
      expect(body).not.toHaveProperty('device_token');
    });

    test('410: after 5 minutes', async () => {
      const { evaluation_id } = await customer.claim('ada');
      service.clock.advance(301_000);
      expect(await consume(evaluation_id)).toMatchObject({ status: 410, body: { code: 'evaluation_expired' } });
    });
  });

  describe('POST /v2/evaluations/:id/feedback', () => {
    test('saves and returns the latest label', async () => {
      const { evaluation_id } = await customer.evaluate(login);
      const path = `/v2/evaluations/${evaluation_id}`;
      await customer.ask(`${path}/feedback`, { label: 'fraud', note: 'Charged back.' });
      expect((await customer.get(path)).body.feedback).toEqual({ label: 'fraud', note: 'Charged back.' });
      await customer.ask(`${path}/feedback`, { label: 'legitimate' });
      expect((await customer.get(path)).body.feedback).toEqual({ label: 'legitimate' });
    });

    test('400: another label', async () => {
      const { evaluation_id } = await customer.evaluate(login);
      const answer = await customer.post(`/v2/evaluations/${evaluation_id}/feedback`, { label: 'unsure' });
      expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: 'label' }] } });
    });
  });
});
