import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createVault } from '../../src/testing.js';
import { type Customer, customerOf, elsewhere, home, laptop, origin, phone } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { openSecondApp } from '../support/second-app.js';
import { patientMs, startService, type TestProject, type TestService } from '../support/service.js';

const evaluatePath = '/v2/device/evaluate';
/** Contains letters that cannot occur in an ID. */
const user = 'ada lovelace';
const login = { action: 'login', user, fingerprint: laptop, ip: home, email: 'ada@example.com' };
const named = (key: string) => ({ 'Idempotency-Key': key });
const masterSecret = 'the first master secret, which is long enough';

describeDatabases('Idempotency-Key', (kind) => {
  let service: TestService;
  let project: TestProject;
  let customer: Customer;
  beforeAll(async () => {
    service = await startService({ database: kind, environment: { WHORL_SECRET: masterSecret } });
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    project = await service.newProject({ allowed_origins: [origin] });
    customer = customerOf(service, project);
  });

  const accesses = async (): Promise<number> => (await customer.get('/v2/proj/access-history')).body.total;
  const rowsOf = () =>
    service.db
      .selectFrom('idempotency')
      .innerJoin('api_keys', 'api_keys.id', 'idempotency.key_id')
      .innerJoin('worlds', 'worlds.id', 'api_keys.world_id')
      .selectAll('idempotency')
      .where('worlds.project_id', '=', project.project.id)
      .execute();
  /** Simulates another request that has been in flight since a given time. */
  const pretendInFlight = (key: string, agoMs: number) =>
    service.db
      .updateTable('idempotency')
      .set({ status: null, response: null, created_at: new Date(service.clock.now().getTime() - agoMs) })
      .where('idempotency_key', '=', key)
      .execute();

  test('the same key and body return the same response, and the request is processed once', async () => {
    const first = await customer.post(evaluatePath, login, named('a'));
    const again = await customer.post(evaluatePath, login, named('a'));
    expect(first).toMatchObject({ status: 200, body: { verdict: 'challenge' } });
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('Content-Type')).toBe(first.headers.get('Content-Type'));
    expect(first.headers.get('Idempotent-Replayed')).toBeNull();
    expect(again.headers.get('Idempotent-Replayed')).toBe('true');
    expect(await accesses()).toBe(1);
  });

  test('another key, or none, processes the request again', async () => {
    for (const headers of [named('a'), named('b'), {}, {}]) await customer.post(evaluatePath, login, headers);
    expect(await accesses()).toBe(4);
  });

  test('422: another body, or another path of the same route', async () => {
    await customer.post(evaluatePath, login, named('a'));
    for (const body of [{ ...login, ip: elsewhere }, { ...login, more: 1 }, {}]) {
      const answer = await customer.post(evaluatePath, body, named('a'));
      expect(answer).toMatchObject({ status: 422, body: { code: 'idempotency_mismatch' } });
    }
    const one = await customer.challenge('bob');
    const other = await customer.challenge('eve');
    await customer.post(`/v2/challenges/${one.challenge_id}/open`, {}, named('c'));
    const answer = await customer.post(`/v2/challenges/${other.challenge_id}/open`, {}, named('c'));
    expect(answer).toMatchObject({ status: 422, body: { code: 'idempotency_mismatch' } });
    expect(await accesses()).toBe(3);
  });

  test('routes, modes and projects have keys of their own', async () => {
    await customer.post(evaluatePath, login, named('a'));
    expect((await customer.post('/v2/devices/evaluate', login, named('a'))).status).toBe(200);
    expect(await accesses()).toBe(2);
    const other = await service.newProject();
    for (const someone of [customerOf(service, project, 'test'), customerOf(service, other)]) {
      const { headers, status } = await someone.post(evaluatePath, { ...login, ip: elsewhere }, named('a'));
      expect([status, headers.get('Idempotent-Replayed')]).toEqual([200, null]);
    }
  });

  test('one of many concurrent requests is processed; the others are told to retry, or get its response', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => customer.post(evaluatePath, login, named('many'))),
    );
    const done = answers.filter(({ status }) => status === 200);
    const inFlight = answers.filter(({ status }) => status === 409);
    expect(done.length + inFlight.length).toBe(20);
    expect(new Set(done.map(({ body }) => body.evaluation_id)).size).toBe(1);
    expect(done.filter(({ headers }) => !headers.has('Idempotent-Replayed'))).toHaveLength(1);
    for (const { body, headers } of inFlight) {
      expect(body.code).toBe('idempotency_in_flight');
      expect(headers.get('Retry-After')).toBe('1');
    }
    expect(await accesses()).toBe(1);
  });

  test('a permanent error is stored, with its request ID', async () => {
    const path = '/v2/challenges/00000000-0000-7000-8000-000000000000/open';
    const first = await customer.post(path, {}, named('a'));
    const again = await customer.post(path, {}, named('a'));
    expect(first.status).toBe(404);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('Content-Type')).toBe('application/problem+json');
    expect(again.headers.get('Idempotent-Replayed')).toBe('true');
  });

  test('429 is not stored', async () => {
    const { id } = await customer.sendCode('ada');
    const send = () => customer.post(`/v2/challenges/${id}/send`, {}, named('resend'));
    expect((await send()).status).toBe(429);
    service.clock.advance(31_000);
    expect((await send()).status).toBe(200);
  });

  test('5xx is not stored', async () => {
    await sql`alter table evaluations rename to evaluations_gone`.execute(service.db);
    const broken = await customer.post(evaluatePath, login, named('a'));
    await sql`alter table evaluations_gone rename to evaluations`.execute(service.db);
    expect(broken.status).toBe(500);
    expect((await customer.post(evaluatePath, login, named('a'))).status).toBe(200);
  });

  test('is deleted after 24 hours', async () => {
    service.clock.stop();
    const ask = () => customer.post('/v2/device/fingerprint', { fingerprint: phone }, named('day'));
    await ask();
    service.clock.advance(86_399_000);
    expect((await ask()).headers.get('Idempotent-Replayed')).toBe('true');
    service.clock.advance(2000);
    expect((await ask()).headers.get('Idempotent-Replayed')).toBeNull();
  });

  test('409 while a request is in flight; a request abandoned by a crash is taken over', async () => {
    await customer.post(evaluatePath, login, named('crash'));
    await pretendInFlight('crash', 9000);
    const waiting = await customer.post(evaluatePath, login, named('crash'));
    expect(waiting).toMatchObject({ status: 409, body: { code: 'idempotency_in_flight' } });
    // By then, no request can still be in flight.
    await pretendInFlight('crash', patientMs + 21_000);
    expect((await customer.post(evaluatePath, login, named('crash'))).status).toBe(200);
    expect(await accesses()).toBe(2);
  });

  test.each(['with space', 'ä', 'x'.repeat(256)])('400: a key such as %j', async (key) => {
    const encoded = Buffer.from(key, 'utf8').toString('latin1');
    const answer = await customer.post(evaluatePath, login, named(encoded));
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: 'Idempotency-Key' }] } });
  });

  test('is ignored with a publishable key and on GET', async () => {
    const headers = { Origin: origin, ...named('a') };
    const claim = () => service.api(evaluatePath, { key: project.keys.live.publishable, body: login, headers });
    const [one, other] = [await claim(), await claim()];
    expect(one.body.evaluation_id).not.toBe(other.body.evaluation_id);
    const list = await service.api('/v2/challenges', { key: project.keys.live.secret, headers: named('a') });
    expect(list.status).toBe(200);
    expect(await rowsOf()).toEqual([]);
  });

  describe('stored responses', () => {
    test('cannot be read without the master secret', async () => {
      const { body } = await customer.post(evaluatePath, login, named('a'));
      const [row] = await rowsOf();
      expect(row?.status).toBe(200);
      const bytes = [row?.response, row?.body_mark].map((value) => Buffer.from(value ?? []).toString('latin1')).join();
      for (const value of [user, laptop, home, body.evaluation_id, 'verdict']) expect(bytes).not.toContain(value);
      expect(JSON.stringify({ ...row, response: null, body_mark: null })).not.toMatch(/lovelace|198\.51/);
    });

    test('survive a rotation of the master secret', async () => {
      const { body } = await customer.post(evaluatePath, login, named('a'));
      const vault = createVault('the next master secret, which is long enough', { previous: masterSecret });
      const rotated = await openSecondApp({ ...service.service, vault });
      const response = await fetch(rotated.url + evaluatePath, {
        method: 'POST',
        headers: {
          ...named('a'),
          Authorization: `Bearer ${project.keys.live.secret}`,
          'Content-Type': 'application/json',
        },
        body: JSON.stringify(login),
      });
      expect(await response.json()).toEqual(body);
      await rotated.close();
    });
  });
});
