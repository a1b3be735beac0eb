import { decodeJwt } from 'jose';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Whorl } from 'whorl/server';
import { minuteMs, openRequest } from '../../src/testing.js';
import { type Customer, customerOf, elsewhere, home, laptop, origin, phone } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { startService, type TestProject, type TestService } from '../support/service.js';

const login = { action: 'login', user: 'ada', fingerprint: laptop, ip: home };
const failed = { ...login, outcome: 'failed' };

describeDatabases('failed attempts', (kind) => {
  let service: TestService;
  let project: TestProject;
  let customer: Customer;
  let worldId: string;
  beforeAll(async () => {
    service = await startService({ database: kind });
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    project = await service.newProject({ allowed_origins: [origin] });
    customer = customerOf(service, project);
    const { id } = await service.db
      .selectFrom('worlds')
      .select('id')
      .where('project_id', '=', project.project.id)
      .where('mode', '=', 'live')
      .executeTakeFirstOrThrow();
    worldId = id;
  });

  /** Returns the number of rows in each table that an evaluation may write to. */
  async function rowsOf() {
    const tables = ['users', 'devices', 'identities', 'variants', 'user_addresses', 'challenges', 'events', 'crowds'];
    const count = async (table: string) => {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from ${sql.table(table)} where world_id = ${worldId}`.execute(service.db);
      return [table, rows[0]?.count] as const;
    };
    return Object.fromEntries(await Promise.all(tables.map(count)));
  }

  const recorded = async (id: string) => (await customer.get(`/v2/evaluations/${id}`)).body;
  const rowOf = (id: string) =>
    service.db.selectFrom('evaluations').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

  describe('with the secret key', () => {
    test('are judged and recorded, and change nothing else', async () => {
      const before = await rowsOf();
      const contacts = { email: 'ada@example.com', phone: '+49 170 1234567' };
      const evaluation = await customer.evaluate({ ...failed, ...contacts, last_fingerprint: phone });
      expect(evaluation).toEqual({
        verdict: 'challenge',
        reasons: ['new_device', 'new_ip'],
        decided_by: expect.objectContaining({ excused: [], outweighed: [] }),
        evaluation_id: expect.any(String),
        fingerprint_id: expect.any(String),
        confidence: 1,
        matched_by: 'new',
        changed: [],
        risk: { score: 0.1, bits: -9.96, contributions: [expect.objectContaining({ fact: 'prior' })] },
      });
      expect(await rowsOf()).toEqual(before);
      expect(service.outbox).toEqual([]);
      const record = await recorded(evaluation.evaluation_id);
      expect(record).toMatchObject({ outcome: 'failed', verdict: 'challenge', reasons: ['new_device', 'new_ip'] });
      for (const name of ['user', 'user_id', 'email', 'phone', 'challenge_id']) expect(record).not.toHaveProperty(name);
    });

    test('of one fingerprint have one fingerprint_id, also after it is stored', async () => {
      const ids = [];
      for (const request of [failed, failed, login]) ids.push((await customer.evaluate(request)).fingerprint_id);
      expect(new Set(ids).size).toBe(1);
    });

    test('store an unknown name only as a keyed hash, and no contacts', async () => {
      const attempt = { ...failed, user: 'hunter2 as a name', email: 'typed@example.com', phone: '+491701234567' };
      const { evaluation_id } = await customer.evaluate(attempt);
      const row = await rowOf(evaluation_id);
      expect([row.external_user, row.user_id, row.user_index?.length]).toEqual([null, null, 32]);
      expect(openRequest(service.service, row)).toEqual({ fingerprint: laptop });
      const other = await rowOf((await customer.evaluate({ ...attempt, user: 'another' })).evaluation_id);
      expect(other.user_index).not.toEqual(row.user_index);
    });

    test('of a known user name the user and its device, and leave both unchanged', async () => {
      const { user_id, device_id } = await customer.evaluate({ ...login, action: 'signup' });
      const devices = async () => (await customer.get('/v2/user/ada/devices')).body.data;
      const before = await devices();
      service.clock.advance(minuteMs);
      const typo = await customer.evaluate(failed);
      expect(typo).toMatchObject({ verdict: 'allow', user_id, device_id });
      expect(typo).not.toHaveProperty('device_token');
      expect(await devices()).toEqual(before);
      expect(await recorded(typo.evaluation_id)).toMatchObject({ user: 'ada', user_id, device_id, outcome: 'failed' });
      // The service's ID names nobody in a body: it could be another user's own identifier.
      const byId = await customer.evaluate({ ...failed, user: user_id });
      expect(byId).not.toHaveProperty('user_id');
    });

    test('grant no trust: neither to the first device of a new account nor in the learning period', async () => {
      const learning = customerOf(service, await service.newProject({ learning_days: 7 }));
      expect(await learning.evaluate(failed)).toMatchObject({ verdict: 'allow' });
      await customer.evaluate({ ...failed, action: 'signup' });
      expect(await customer.evaluate(login)).toMatchObject({ verdict: 'challenge' });
    });

    test('create no challenge, and do not return an open one', async () => {
      const { challenge_id } = await customer.challenge('ada');
      const evaluation = await customer.evaluate(failed);
      expect(evaluation).toMatchObject({ verdict: 'challenge' });
      expect(evaluation).not.toHaveProperty('challenge_id');
      expect((await customer.get(`/v2/challenges/${challenge_id}`)).body).toMatchObject({ status: 'pending' });
    });

    test('of a blocked device are denied', async () => {
      const { device_id } = await customer.evaluate({ ...login, action: 'signup' });
      await customer.ask(`/v2/device/${device_id}/update`, { status: 'blocked' });
      expect(await customer.evaluate(failed)).toMatchObject({ verdict: 'deny', reasons: ['new_device', 'blocked'] });
    });

    test('return the observed verdict in observe mode', async () => {
      const observing = customerOf(service, await service.newProject({ mode: 'observe' }));
      expect(await observing.evaluate(failed)).toMatchObject({ verdict: 'allow', observed_verdict: 'challenge' });
    });

    test('can be consumed, but only as failed', async () => {
      const { evaluation_id } = await customer.evaluate(failed);
      const path = `/v2/evaluations/${evaluation_id}/consume`;
      const consumed = { user: 'ada', action: 'login' };
      const mismatch = { status: 409, body: { code: 'evaluation_mismatch' } };
      expect(await customer.post(path, consumed)).toMatchObject(mismatch);
      expect(await customer.post(path, { ...consumed, user: 'ben', outcome: 'failed' })).toMatchObject(mismatch);
      expect(await customer.ask(path, { ...consumed, outcome: 'failed' })).toMatchObject({ outcome: 'failed' });
      const succeeded = await customer.evaluate(login);
      const late = { ...consumed, outcome: 'failed' };
      expect(await customer.post(`/v2/evaluations/${succeeded.evaluation_id}/consume`, late)).toMatchObject(mismatch);
    });

    test('are reported by the server client', async () => {
      const whorl = new Whorl({ apiSecret: project.keys.live.secret, baseUrl: service.url });
      const evaluation = await whorl.reportFailure({ action: 'login', user: 'ada', fingerprint: laptop, ip: home });
      expect(evaluation).toMatchObject({ verdict: 'challenge', reasons: ['new_device', 'new_ip'] });
      expect(await whorl.evaluations.retrieve(evaluation.evaluation_id)).toMatchObject({ outcome: 'failed' });
    });

    test('are rejected with an unknown outcome', async () => {
      const { status, body } = await customer.post('/v2/device/evaluate', { ...login, outcome: 'undecided' });
      expect([status, body.errors[0].path]).toEqual([400, 'outcome']);
    });
  });

  describe('with a publishable key', () => {
    const consume = (id: string, more: object = {}) =>
      customer.post(`/v2/evaluations/${id}/consume`, { user: 'ada', action: 'login', ...more });

    test('are claims without a challenge, and without the name', async () => {
      const claim = await customer.claim('ada', { outcome: 'failed', email: 'typed@example.com' });
      expect(Object.keys(claim).sort()).toEqual(['evaluation_id', 'fingerprint_id', 'token', 'verdict']);
      expect(decodeJwt(claim.token)).toMatchObject({ user: 'ada', outcome: 'failed', verdict: claim.verdict });
      const record = await recorded(claim.evaluation_id);
      expect(record).toMatchObject({ outcome: 'failed', claimed: true });
      expect(record).not.toHaveProperty('user');
      expect(record).not.toHaveProperty('email');
    });

    test('have a token that the server client rejects', async () => {
      const whorl = new Whorl({ apiSecret: project.keys.live.secret, baseUrl: service.url });
      const { token } = await customer.claim('ada', { outcome: 'failed' });
      const expected = { audience: project.project.id, issuer: 'https://fraud.example' };
      await expect(whorl.verifyToken(token, expected)).rejects.toMatchObject({ name: 'WhorlVerificationError' });
    });

    test('can only be consumed as failed, for the same user, once', async () => {
      const before = await rowsOf();
      const { evaluation_id: id } = await customer.claim('ada', { outcome: 'failed' });
      const mismatch = { status: 409, body: { code: 'evaluation_mismatch' } };
      expect(await consume(id)).toMatchObject(mismatch);
      expect(await consume(id, { user: 'ben', outcome: 'failed' })).toMatchObject(mismatch);
      const { status, body } = await consume(id, { outcome: 'failed' });
      expect([status, body.outcome, body.claimed]).toEqual([200, 'failed', true]);
      expect(body).not.toHaveProperty('device_token');
      expect((await rowOf(id)).external_user).toBeNull();
      expect(await rowsOf()).toEqual(before);
      expect(await consume(id, { outcome: 'failed' })).toMatchObject({
        status: 409,
        body: { code: 'already_consumed' },
      });
    });

    test("name an existing user by the customer's ID only", async () => {
      const { user_id } = await customer.evaluate({ ...login, action: 'signup' });
      for (const [claimed, consumed] of [
        ['ada', user_id],
        [user_id, 'ada'],
      ]) {
        const { evaluation_id: id } = await customer.claim(claimed, { outcome: 'failed' });
        const { status, body } = await consume(id, { user: consumed, outcome: 'failed' });
        expect([status, body.code]).toEqual([409, 'evaluation_mismatch']);
      }
    });

    test('are what a page evaluated before the server rejected the password', async () => {
      const before = await rowsOf();
      const claim = await customer.claim('ada', { email: 'typed@example.com' });
      expect(claim.challenge_id).toEqual(expect.any(String));
      const { status, body } = await consume(claim.evaluation_id, { outcome: 'failed' });
      expect([status, body.outcome]).toEqual([200, 'failed']);
      expect(body).not.toHaveProperty('challenge_id');
      expect(await rowsOf()).toEqual(before);
      const row = await rowOf(claim.evaluation_id);
      expect(openRequest(service.service, row)).not.toHaveProperty('email');
      expect((await customer.get(`/v2/challenges/${claim.challenge_id}`)).status).toBe(404);
    });
  });

  describe('afterwards', () => {
    test('are listed apart from the access history', async () => {
      const { evaluation_id } = await customer.evaluate(failed);
      const { evaluation_id: access } = await customer.evaluate({ ...login, action: 'signup' });
      const { evaluation_id: typo } = await customer.evaluate({ ...failed, ip: elsewhere });
      await customer.evaluate({ ...failed, user: 'ben' });
      const idsOf = async (query: string) => {
        const { body } = await customer.get(`/v2/proj/access-history?${query}`);
        return body.data.map(({ _id }: { _id: string }) => _id);
      };
      expect(await idsOf('')).toEqual([access]);
      expect(await idsOf('outcome=failed&user=ada')).toEqual([typo]);
      expect((await idsOf('outcome=failed')).length).toBe(3);
      expect(await idsOf('outcome=failed&limit=1&page=3')).toEqual([evaluation_id]);
      const { body } = await customer.get('/v2/proj/access-history?outcome=failed&user=ben');
      expect(body.data).toMatchObject([{ action: 'login', verdict: 'challenge' }]);
      expect(body.data[0]).not.toHaveProperty('external_user');
    });

    test('are exported and erased with the user, including those from before it existed', async () => {
      const ids = [(await customer.evaluate(failed)).evaluation_id];
      await customer.evaluate({ ...login, action: 'signup' });
      ids.push((await customer.evaluate(failed)).evaluation_id);
      const kept = (await customer.evaluate({ ...failed, user: 'ben' })).evaluation_id;
      const { body } = await customer.get('/v2/user/ada/export');
      const exported = body.evaluations.filter(({ outcome }: { outcome: string }) => outcome === 'failed');
      expect(exported.map((one: { evaluation_id: string }) => one.evaluation_id)).toEqual(ids);
      await customer.ask('/v2/user/ada/delete');
      for (const id of ids) expect((await customer.get(`/v2/evaluations/${id}`)).status).toBe(404);
      expect((await customer.get(`/v2/evaluations/${kept}`)).status).toBe(200);
    });

    test('of a name without a user can be erased, with the stored response', async () => {
      const headers = { 'Idempotency-Key': 'once' };
      const first = await customer.post('/v2/device/evaluate', failed, headers);
      await customer.claim('ada', { outcome: 'failed' });
      await customer.ask('/v2/user/ada/delete');
      expect((await customer.get(`/v2/evaluations/${first.body.evaluation_id}`)).status).toBe(404);
      const again = await customer.post('/v2/device/evaluate', failed, headers);
      expect(again.body.evaluation_id).not.toBe(first.body.evaluation_id);
      await customer.ask('/v2/user/ada/delete');
      expect(await customer.post('/v2/user/ada/delete')).toMatchObject({ status: 404 });
    });

    test('are counted in the metrics apart from verdicts', async () => {
      const metric = async (name: string) => {
        const text = await (await fetch(`${service.url}/metrics`)).text();
        const values = [...text.matchAll(new RegExp(`^${name}{[^}]*} (\\d+)$`, 'gm'))].map(([, value]) =>
          Number(value),
        );
        return values.reduce((sum, value) => sum + value, 0);
      };
      const before = [await metric('whorl_verdicts_total'), await metric('whorl_failed_attempts_total')];
      await customer.evaluate(failed);
      const after = [await metric('whorl_verdicts_total'), await metric('whorl_failed_attempts_total')];
      expect(after).toEqual([before[0], (before[1] ?? 0) + 1]);
    });
  });
});
