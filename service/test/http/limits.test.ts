import { request } from 'node:http';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lockUser } from '../../src/testing.js';
import { home, laptop, origin } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { openSecondApp, type SecondApp } from '../support/second-app.js';
import { startService, type TestProject, type TestService } from '../support/service.js';
import { waitFor } from '../support/wait-for.js';

const timeoutMs = 400;

describeDatabases('limits', (kind) => {
  let service: TestService;
  let second: SecondApp;
  let impatient: SecondApp;
  beforeAll(async () => {
    service = await startService({ database: kind });
    second = await openSecondApp(service.service);
    impatient = await openSecondApp(service.service, { timeoutMs });
  });
  afterAll(async () => {
    await impatient.close();
    await second.close();
    await service.close();
  });

  describe('rate limits', () => {
    const rates = { secret_per_second: 5, publishable_per_second: 3, publishable_burst: 6 };
    const atOnce = <Answer>(times: number, ask: () => Promise<Answer>) =>
      Promise.all(Array.from({ length: times }, ask));
    const list = (project: TestProject, mode: 'live' | 'test' = 'live') =>
      service.api('/v2/challenges', { key: project.keys[mode].secret });
    const recognise = (project: TestProject, forwardedFor: string) =>
      fetch(`${second.url}/v2/device/fingerprint`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${project.keys.live.publishable}`,
          'Content-Type': 'application/json',
          Origin: origin,
          'X-Forwarded-For': forwardedFor,
        },
        body: JSON.stringify({ fingerprint: laptop }),
      });
    const allowed = (answers: { status: number }[]) => answers.filter(({ status }) => status === 200).length;

    test('of a secret key: 429 with Retry-After, and the remaining quota in every response', async () => {
      const project = await service.newProject({ rate_limits: rates });
      const answers = await atOnce(60, () => list(project));
      const refused = answers.filter(({ status }) => status === 429);
      expect(allowed(answers)).toBeGreaterThanOrEqual(5);
      expect(refused.length).toBeGreaterThan(0);
      for (const { body, headers } of refused) {
        expect(body).toMatchObject({ code: 'rate_limited', status: 429 });
        expect(headers.get('Retry-After')).toBe('1');
        expect(headers.get('RateLimit')).toBe('"secret";r=0;t=1');
      }
      for (const { headers } of answers) expect(headers.get('RateLimit-Policy')).toBe('"secret";q=5;w=1');
      expect(answers[0]?.headers.get('RateLimit')).toMatch(/^"secret";r=[0-4];t=1$/);
      await waitFor(async () => (await list(project)).status === 200, { what: 'the limit to pass' });
    });

    test('are separate for each key', async () => {
      const [one, other] = [
        await service.newProject({ rate_limits: rates }),
        await service.newProject({ rate_limits: rates }),
      ];
      await atOnce(60, () => list(one));
      expect((await list(one, 'test')).status).toBe(200);
      expect((await list(other)).status).toBe(200);
    });

    test('of a publishable key: apply per IP address, with bursts', async () => {
      const project = await service.newProject({ rate_limits: rates, allowed_origins: [origin] });
      const answers = await atOnce(60, () => recognise(project, '203.0.113.1'));
      expect(allowed(answers)).toBeGreaterThanOrEqual(6);
      const refused = answers.find(({ status }) => status === 429);
      expect(refused?.headers.get('RateLimit-Policy')).toBe('"publishable";q=3;w=1');
      expect(Number(refused?.headers.get('Retry-After'))).toBeGreaterThan(0);
      expect(refused?.headers.get('Access-Control-Allow-Origin')).toBe(origin);
      expect((await recognise(project, '203.0.113.2')).status).toBe(200);
    });

    test('of a publishable key: treat an IPv6 network as one address', async () => {
      const project = await service.newProject({ rate_limits: rates, allowed_origins: [origin] });
      const hosts = Array.from({ length: 60 }, (_, host) => `2001:db8:1:1::${host + 1}`);
      const answers = await Promise.all(hosts.map((host) => recognise(project, host)));
      expect(allowed(answers)).toBeLessThan(60);
      expect((await recognise(project, '2001:db8:1:2::1')).status).toBe(200);
    });

    test('do not apply without a key', async () => {
      const { headers } = await service.api('/v2/challenges');
      expect(headers.get('RateLimit')).toBeNull();
    });

    const from = (address: string, path: string, headers: Record<string, string> = {}) =>
      fetch(second.url + path, { headers: { 'X-Forwarded-For': address, ...headers } });

    test.each(['/metrics', '/.well-known/jwks.json'])('of %s: apply per IP address', async (path) => {
      const answers = await atOnce(120, () => from('203.0.113.10', path));
      expect(allowed(answers)).toBeGreaterThan(0);
      const refused = answers.find(({ status }) => status === 429);
      expect(Number(refused?.headers.get('Retry-After'))).toBeGreaterThan(0);
      expect(refused?.headers.get('RateLimit')).toMatch(/^"\w+";r=0;t=\d+$/);
      expect(refused?.headers.get('RateLimit-Policy')).toMatch(/^"\w+";q=\d+;w=1$/);
      expect(await refused?.json()).toMatchObject({ code: 'rate_limited' });
      expect((await from('203.0.113.11', path)).status).toBe(200);
    });

    test('of /readyz: far exceed the rate of load balancers', async () => {
      const answers = await atOnce(100, () => from('203.0.113.12', '/readyz'));
      expect(allowed(answers)).toBe(100);
      const isRefused = async () =>
        (await atOnce(300, () => from('203.0.113.12', '/readyz'))).some(({ status }) => status === 429);
      await waitFor(isRefused, { what: 'a flood to be refused' });
      expect((await from('203.0.113.12', '/healthz')).status).toBe(200);
    });

    test('of wrong keys: apply per IP address, without affecting valid keys', async () => {
      const project = await service.newProject();
      const address = '203.0.113.13';
      const wrong = { Authorization: `Bearer sk_live_${'x'.repeat(43)}` };
      const statuses = new Set<number>();
      const isRefused = async () => {
        const answers = await atOnce(300, () => from(address, '/v2/challenges', wrong));
        for (const { status } of answers) statuses.add(status);
        return statuses.has(429);
      };
      await waitFor(isRefused, { what: 'wrong keys to be refused' });
      expect([...statuses].sort()).toEqual([401, 429]);
      const right = { Authorization: `Bearer ${project.keys.live.secret}` };
      expect((await from(address, '/v2/challenges', right)).status).toBe(200);
      expect((await from('203.0.113.14', '/v2/challenges', wrong)).status).toBe(401);
    });
  });

  describe('timeouts', () => {
    const evaluate = (project: TestProject, headers: Record<string, string> = {}, { url } = impatient) =>
      fetch(`${url}/v2/device/evaluate`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${project.keys.live.secret}`,
          'Content-Type': 'application/json',
          ...headers,
        },
        body: JSON.stringify({ action: 'signup', user: 'ada', fingerprint: laptop, ip: home }),
      });

    test('408: work that waits too long is abandoned, returns its connection, and its response is stored', async () => {
      const project = await service.newProject();
      const world = await service.db
        .selectFrom('worlds')
        .select('id')
        .where('project_id', '=', project.project.id)
        .where('mode', '=', 'live')
        .executeTakeFirstOrThrow();
      const named = { 'Idempotency-Key': 'slow' };
      let late: Response[] = [];
      await service.db.transaction().execute(async (trx) => {
        await lockUser(trx, world.id, 'ada');
        // The lock is sent with the next statement.
        await sql`select 1`.execute(trx);
        late = await Promise.all([evaluate(project, named), ...Array.from({ length: 14 }, () => evaluate(project))]);
      });
      for (const response of late) {
        expect(response.status).toBe(408);
        expect(await response.json()).toMatchObject({ code: 'timeout' });
      }
      // Its work finished once the lock was released.
      const isDone = async () => (await evaluate(project, named, second)).status === 200;
      await waitFor(isDone, { what: 'the work to end' });
      const replayed = await evaluate(project, named, second);
      expect(replayed.headers.get('Idempotent-Replayed')).toBe('true');
      expect(await replayed.json()).toMatchObject({ verdict: 'allow' });
      await waitFor(async () => (await busyConnections()) === 0, { what: 'all connections to be given back' });
    });

    /** Excludes this query itself. */
    async function busyConnections(): Promise<number> {
      const { rows } = await sql<{ count: number }>`
        select count(*) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and application_name = 'whorl' and state <> 'idle'
      `.execute(service.db);
      return rows[0]?.count ?? 0;
    }

    test('408: a body that never ends', async () => {
      const project = await service.newProject();
      const status = await new Promise((resolve, reject) => {
        const slow = request(`${impatient.url}/v2/device/evaluate`, {
          method: 'POST',
          headers: {
            Authorization: `Bearer ${project.keys.live.secret}`,
            'Content-Type': 'application/json',
            'Content-Length': '100',
          },
        });
        slow.on('response', (response) => {
          resolve(response.statusCode);
          slow.destroy();
        });
        slow.on('error', reject);
        slow.write('{"action":');
      });
      expect(status).toBe(408);
    });
  });
});
