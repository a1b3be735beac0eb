import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { pgbouncerVersion, startPgbouncer } from '../../../scripts/pgbouncer.mjs';
import { openDatabase } from '../../src/testing.js';
import { callApi } from '../support/api.js';
import { createDatabase, type FreshDatabase } from '../support/databases.js';
import { fingerprintOf } from '../support/fingerprints.js';
import { environmentFor, launch, runProcess, startProcess } from '../support/process.js';
import { waitFor } from '../support/wait-for.js';

const { postgresql } = inject('databases');
const isInstalled = postgresql !== undefined && pgbouncerVersion() !== undefined;
if (!isInstalled && process.env.WHORL_REQUIRE_ENGINES === '1') throw new Error('No PgBouncer: install pgbouncer');

describe.skipIf(!isInstalled)('behind PgBouncer in transaction mode', () => {
  let pooler: Awaited<ReturnType<typeof startPgbouncer>>;
  let fresh: FreshDatabase;
  let direct: string;
  let pooled: string;
  beforeAll(async () => {
    // One connection to the server for all clients, so that each statement meets what the previous one left.
    pooler = await startPgbouncer(postgresql?.admin ?? '', { poolSize: 1 });
    fresh = await createDatabase('postgresql', { empty: true });
    if (fresh.options.kind !== 'postgresql') throw new Error('That is another database');
    direct = fresh.options.directUrl ?? fresh.options.url;
    pooled = pooler.url(new URL(direct).pathname.slice(1));
  });
  afterAll(async () => {
    await pooler.stop();
    await fresh.drop();
  });

  test('a start without DATABASE_POOLER says at once what to set', async () => {
    const service = await launch(['start'], environmentFor({ kind: 'postgresql', url: pooled }));
    const { code, stderr } = await service.finished;
    expect(code).toBe(1);
    expect(stderr).toMatch(/ is a pooler: set DATABASE_POOLER=true, and DATABASE_DIRECT_URL\.\n$/);
  });

  test('tables are changed over the direct address only', async () => {
    const withoutDirect = environmentFor({ kind: 'postgresql', url: pooled, pooler: true });
    for (const args of [['start'], ['migrate']]) {
      const { code, stderr } = await runProcess(args, withoutDirect);
      expect(code).toBe(1);
      expect(stderr).toContain('does not work through a pooler: set DATABASE_DIRECT_URL');
    }
    const withDirect = environmentFor({ kind: 'postgresql', url: pooled, pooler: true, directUrl: direct });
    expect(await runProcess(['migrate'], withDirect)).toMatchObject({ code: 0 });
    // Nothing is left to change.
    expect(await runProcess(['migrate'], withoutDirect)).toMatchObject({ code: 0 });
    expect(await runProcess(['compact'], withoutDirect)).toMatchObject({ code: 1 });
    expect(await runProcess(['compact'], withDirect)).toMatchObject({ code: 0 });
  });

  test('two processes share its connection, and statements leave nothing behind', async () => {
    const environment = environmentFor({ kind: 'postgresql', url: pooled, pooler: true, directUrl: direct });
    const services = await Promise.all([startProcess(environment), startProcess(environment)]);
    const keys = services.map(({ stdout, left }) => (stdout().includes('first-keys.txt') ? left.keys() : '')).join('');
    const key = /live, secret +(sk_live_\S+)/.exec(keys)?.[1] ?? '';
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        callApi(services[at % 2]?.url ?? '', '/v2/device/evaluate', {
          key,
          body: { action: 'login', user: `user ${at % 5}`, fingerprint: fingerprintOf({ seed: `device ${at % 5}` }) },
        }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    // One challenge for each user: the lock of a user holds across both processes.
    expect(new Set(answers.map(({ body }) => body.challenge_id)).size).toBe(5);
    const database = await openDatabase({ kind: 'postgresql', url: pooled, pooler: true });
    const { rows } = await sql<{ count: number }>`select count(*) from pg_prepared_statements`.execute(database.db);
    expect(rows).toEqual([{ count: 0 }]);
    await database.close();
    await Promise.all(services.map((service) => service.end('SIGTERM')));
  });

  test('notifications arrive over the direct address', async () => {
    const database = await openDatabase({ kind: 'postgresql', url: pooled, pooler: true, directUrl: direct });
    let received = '';
    const onMessage = (text: string) => {
      received = text;
    };
    const stop = await database.listen?.('whorl_device_ended', { onMessage, onEnd: () => undefined });
    await sql`select pg_notify('whorl_device_ended', ${'device'})`.execute(database.db);
    await waitFor(() => received === 'device', { what: 'the notification' });
    await stop?.();
    await database.close();
    const pooledOnly = await openDatabase({ kind: 'postgresql', url: pooled, pooler: true });
    expect(pooledOnly.listen).toBeUndefined();
    await pooledOnly.close();
  });
});
