import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { changeSettings, createLog, createProject, type RunningServer, startServer } from '../../src/testing.js';
import { home, laptop, origin } from '../support/customer.js';
import { type DatabasePort, openDatabasePort } from '../support/database-port.js';
import { createDatabase, type FreshDatabase } from '../support/databases.js';
import { createOutbox } from '../support/outbox.js';
import { configFor } from '../support/service.js';
import { waitFor } from '../support/wait-for.js';

describe.skipIf(!inject('databases').postgresql)('a database that becomes unreachable', () => {
  let fresh: FreshDatabase;
  let wire: DatabasePort;
  let server: RunningServer;
  let keys: { secret: string; publishable: string };
  beforeAll(async () => {
    fresh = await createDatabase('postgresql');
    if (fresh.options.kind !== 'postgresql') throw new Error('asked for PostgreSQL');
    wire = await openDatabasePort(fresh.options.url);
    wire.connect();
    const config = configFor({ kind: 'postgresql', url: wire.url }, { LOG_LEVEL: 'silent' });
    // The clock is stopped, so that no request in flight times out and counts as abandoned.
    const startedAt = new Date();
    const surroundings = { log: createLog('silent'), sender: createOutbox(), now: () => startedAt };
    server = await startServer(config, surroundings);
    const created = await createProject(server.service, { name: randomUUID() });
    const changes = { allowed_origins: [origin] };
    await changeSettings(server.service, { project: created.project.id, changes, changedBy: 'test' });
    keys = created.keys.live;
  });
  afterAll(async () => {
    await server.close();
    wire.close();
    await fresh.drop();
  });

  const evaluate = (key: string, headers: Record<string, string> = {}) =>
    fetch(`${server.url}/v2/device/evaluate`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify({ action: 'login', user: 'ada', fingerprint: laptop, ip: home }),
    });

  test('is reported as 503 with Retry-After, also to a page, and recovers without a restart', async () => {
    expect((await evaluate(keys.secret)).status).toBe(200);
    expect((await evaluate(keys.publishable, { Origin: origin })).status).toBe(200);

    wire.cut();
    const refused = await evaluate(keys.secret, { 'Idempotency-Key': 'once' });
    const text = await refused.text();
    expect(refused.status).toBe(503);
    expect(refused.headers.get('Content-Type')).toBe('application/problem+json');
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(JSON.parse(text)).toMatchObject({ code: 'unavailable' });
    expect(text).not.toMatch(/ECONN|127\.0\.0\.1|postgres/i);
    const onPage = await evaluate(keys.publishable, { Origin: origin });
    expect([onPage.status, onPage.headers.get('Access-Control-Allow-Origin')]).toEqual([503, origin]);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(503);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    expect((await fetch(`${server.url}/.well-known/jwks.json`)).status).toBe(503);
    // Alerts about these errors need the metrics.
    const metrics = await fetch(`${server.url}/metrics`);
    expect(metrics.status).toBe(200);
    const counts = await metrics.text();
    expect(counts).toMatch(/^whorl_http_requests_total\{.*route="\/v2\/device\/evaluate",status="503"\} 2$/m);
    expect(counts).not.toContain('whorl_queue_jobs{');

    wire.connect();
    await waitFor(async () => (await fetch(`${server.url}/readyz`)).ok, { what: 'the service to recover' });
    expect((await evaluate(keys.secret, { 'Idempotency-Key': 'once' })).status).toBe(200);
    expect(await (await fetch(`${server.url}/metrics`)).text()).toContain('whorl_queue_jobs{');
  });

  test('does not prevent repeating an interrupted request', async () => {
    if (fresh.options.kind !== 'postgresql') throw new Error('asked for PostgreSQL');
    const other = new pg.Client(fresh.options.url);
    await other.connect();
    await other.query('begin');
    await other.query('lock table users in access exclusive mode');
    const breaking = evaluate(keys.secret, { 'Idempotency-Key': 'broken-off' });
    const blocked = `select 1 from pg_locks where not granted and relation = 'users'::regclass
      and database = (select oid from pg_database where datname = current_database())`;
    const isBlocked = async () => (await other.query(blocked)).rowCount !== 0;
    await waitFor(isBlocked, { what: 'the request to be under way' });
    wire.cut();
    expect((await breaking).status).toBe(503);

    wire.connect();
    await other.end();
    const repeat = () => evaluate(keys.secret, { 'Idempotency-Key': 'broken-off' });
    const isTaken = async () => (await repeat()).status === 200;
    await waitFor(isTaken, { what: 'the repetition to be answered' });
  });

  test('does not report a commit as successful that no standby has confirmed', async () => {
    if (fresh.options.kind !== 'postgresql') throw new Error('asked for PostgreSQL');
    const other = new pg.Client(fresh.options.url);
    await other.connect();
    const set = async (names: string) => {
      await other.query(`alter system set synchronous_standby_names = '${names}'`);
      await other.query('select pg_reload_conf()');
      const isSet = async () =>
        (await other.query('show synchronous_standby_names')).rows[0].synchronous_standby_names === names;
      await waitFor(isSet, { what: 'the new configuration' });
    };
    await other.query(`alter database ${new URL(fresh.options.url).pathname.slice(1)} set synchronous_commit = on`);
    // New connections take up the setting of the database.
    wire.cut();
    wire.connect();
    await waitFor(async () => (await evaluate(keys.secret)).ok, { what: 'new connections' });
    await set('absent');
    try {
      let status: number | undefined;
      const unconfirmed = evaluate(keys.secret, { 'Idempotency-Key': 'unconfirmed' }).then((answer) => {
        status = answer.status;
      });
      // As a timeout of the statement would do.
      const cancel = `select pg_cancel_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event = 'SyncRep'`;
      const isAnswered = async () => {
        await other.query(cancel);
        return status !== undefined;
      };
      await waitFor(isAnswered, { what: 'the response' });
      await unconfirmed;
      expect(status).toBe(503);
    } finally {
      await set('');
      await other.end();
    }
    const isRepeated = async () => (await evaluate(keys.secret, { 'Idempotency-Key': 'unconfirmed' })).status === 200;
    await waitFor(isRepeated, { what: 'the repetition to be answered' });
  });
});
