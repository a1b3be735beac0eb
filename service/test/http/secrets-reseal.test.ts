import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  createVault,
  dayMs,
  lastingHashes,
  plainHashes,
  removeOldRows,
  resealAll,
  sealedTables,
} from '../../src/testing.js';
import { callApi } from '../support/api.js';
import { customerOf, home, laptop, origin } from '../support/customer.js';
import { createDatabase, describeDatabases, describePostgresql, type FreshDatabase } from '../support/databases.js';
import { environmentFor, type Finished, launch, runProcess, startProcess } from '../support/process.js';
import {
  newSecret,
  oldSecret,
  openRestartableService,
  type RestartableService,
  resealed,
  rotated,
} from '../support/rotation.js';
import { fillSealedColumns, sealedTextsOf, sealedValuesOf } from '../support/sealed-values.js';
import type { TestService } from '../support/service.js';
import { sealUnnamed } from '../support/unnamed-seal.js';
import { waitFor } from '../support/wait-for.js';

const newPrefix = createVault(newSecret).sealedPrefix;

describeDatabases('resealing', (kind) => {
  let restarted: RestartableService;
  let service: TestService;
  beforeEach(async () => {
    restarted = await openRestartableService(kind);
    service = await restarted.restart();
  });
  afterEach(() => restarted.close());

  test('covers every binary column: sealed, blind index, or hash without a master secret', async () => {
    const { rows } = await sql<{ column: string }>`
      select c.relname || '.' || a.attname as column from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and a.atttypid = 'bytea'::regtype and not a.attisdropped
    `.execute(service.db);
    const named = (columns: Partial<Record<string, readonly string[]>>) =>
      Object.entries(columns).flatMap(([table, names = []]) => names.map((name) => `${table}.${name}`));
    const known = [
      ...sealedTables.flatMap(({ table, sealed, indexes = {} }) =>
        [...Object.keys(sealed), ...Object.keys(indexes)].map((name) => `${table}.${name}`),
      ),
      ...named(lastingHashes),
      ...named(plainHashes),
    ];
    const inText = ['counters.subject'];
    expect(rows.map(({ column }) => column).sort()).toEqual(known.filter((name) => !inText.includes(name)).sort());
  });

  test('reseals every value and recomputes blind indexes in pages, and changes nothing the second time', async () => {
    await fillSealedColumns(service);
    const before = await sealedValuesOf(service);
    const texts = await sealedTextsOf(service.service);
    for (const [column, values] of Object.entries({ ...before.sealed, ...before.indexes })) {
      expect(values.length, `nothing in ${column}`).toBeGreaterThan(0);
    }
    service = await restarted.restart(rotated);
    const counts = await resealAll(service.service, { limit: 2 });
    for (const { table, resealed: count, unreadable } of counts) {
      expect([count > 0, unreadable], table).toEqual([true, 0]);
    }
    const after = await sealedValuesOf(service);
    for (const value of Object.values(after.sealed).flat())
      expect(value).toMatch(new RegExp(`^${newPrefix.toString('hex')}`));
    // The end of the audit log moves, because resealing is recorded in it.
    const { 'key_ring.lookup_keys': _, 'audit_head.seal': _head, ...kept } = await sealedTextsOf(service.service);
    expect(texts).toMatchObject(kept);
    const madeBefore = new Set(Object.values(before.indexes).flat());
    expect(
      Object.values(after.indexes)
        .flat()
        .filter((value) => madeBefore.has(value)),
    ).toEqual([]);

    const again = await resealAll(service.service);
    expect(again.map(({ resealed }) => resealed)).toEqual(sealedTables.map(() => 0));
    const { 'audit_head.seal': _seal, ...unchanged } = after.sealed;
    expect(await sealedValuesOf(service)).toMatchObject({ indexes: after.indexes, sealed: unchanged });
    service = await restarted.restart(resealed);
    expect(await sealedTextsOf(service.service)).toMatchObject(kept);
  });

  test('reseals values without a key ID, even without a previous secret', async () => {
    const customer = customerOf(service, await service.newProject());
    await customer.ask('/v2/device/attach', { user: 'ada', fingerprint: laptop, ip: home, email: 'ada@example.com' });
    const unnamed = sealUnnamed(oldSecret, 'ada@example.com', 'user.email');
    await service.db.updateTable('users').set({ email: unnamed, email_mark: null }).execute();
    expect((await customer.get('/v2/user/ada/export')).body.user.email).toBe('ada@example.com');
    const counts = await resealAll(service.service);
    expect(counts.filter(({ resealed }) => resealed > 0)).toMatchObject([
      { table: 'users', resealed: 1, unreadable: 0 },
    ]);
    const user = await service.db.selectFrom('users').selectAll().executeTakeFirstOrThrow();
    expect(Buffer.from(user.email_mark ?? [])).toEqual(
      createVault(oldSecret).blindIndex('ada@example.com', 'user.email'),
    );
  });

  test('counts values that neither secret opens, continues, and does not report completion', async () => {
    const customer = customerOf(service, await service.newProject());
    for (const user of ['ada', 'ben', 'cid']) {
      await customer.ask('/v2/device/attach', { user, fingerprint: laptop, email: `${user}@example.com` });
    }
    const foreign = createVault('a secret that nobody has set here').seal('ben@example.com', 'user.email');
    await service.db.updateTable('users').set({ email: foreign }).where('external_id', '=', 'ben').execute();
    service = await restarted.restart(rotated);
    const counts = await resealAll(service.service, { limit: 1 });
    const [ben] = await service.db.selectFrom('users').select('id').where('external_id', '=', 'ben').execute();
    expect(counts).toContainEqual({ table: 'users', resealed: 2, unreadable: 1, unreadableIds: [ben?.id] });
    await expect(restarted.restart(resealed)).rejects.toThrow('set WHORL_SECRET_PREVIOUS to that secret');
  });

  test('keeps the look-up keys of a retired secret while marks of erased users need them', async () => {
    const customer = customerOf(service, await service.newProject());
    await customer.ask('/v2/device/attach', { user: 'ada', fingerprint: laptop });
    await customer.ask('/v2/user/ada/delete');
    service = await restarted.restart(rotated);
    await resealAll(service.service);
    const lookupKeys = async () => {
      const rows = await service.db.selectFrom('key_ring').selectAll().orderBy('current_since').execute();
      return rows.map(({ lookup_keys }) => lookup_keys !== null);
    };
    service = await restarted.restart(resealed);
    service.clock.advance(3 * dayMs);
    await removeOldRows(service.service);
    expect(await lookupKeys()).toEqual([true, true]);
    await service.db.deleteFrom('marks').execute();
    await removeOldRows(service.service);
    expect(await lookupKeys()).toEqual([false, true]);
    await restarted.restart(resealed);
  });

  test('keeps the look-up keys of a retired secret while failed attempts need them', async () => {
    const project = await service.newProject({ allowed_origins: [origin] });
    let customer = customerOf(service, project);
    const attempt = { action: 'login', user: 'nobody', fingerprint: laptop, ip: home, outcome: 'failed' };
    const claimed = await customer.claim('nobody', { outcome: 'failed' });
    await customer.evaluate(attempt);
    const { user_index: index } = await service.db.selectFrom('claims').select('user_index').executeTakeFirstOrThrow();
    service = await restarted.restart(rotated);
    customer = customerOf(service, project);
    await resealAll(service.service);
    expect(await service.db.selectFrom('claims').select('user_index').execute()).toEqual([{ user_index: index }]);
    const consumed = { user: 'nobody', action: 'login', outcome: 'failed' };
    await customer.ask(`/v2/evaluations/${claimed.evaluation_id}/consume`, consumed);
    service = await restarted.restart(resealed);
    customer = customerOf(service, project);
    service.clock.advance(3 * dayMs);
    await removeOldRows(service.service);
    await customer.ask('/v2/user/nobody/delete');
    expect(await service.db.selectFrom('evaluations').selectAll().execute()).toEqual([]);
    await removeOldRows(service.service);
    const keys = await service.db.selectFrom('key_ring').select('lookup_keys').orderBy('current_since').execute();
    expect(keys.map(({ lookup_keys }) => lookup_keys !== null)).toEqual([false, true]);
  });
});

describeDatabases('the command line and the master secret', (kind) => {
  let fresh: FreshDatabase;
  beforeEach(async () => {
    fresh = await createDatabase(kind);
  });
  afterEach(() => fresh.drop());

  test('rejects a database of another secret, reseals it, and reports when the previous one can be removed', async () => {
    const location = environmentFor(fresh.options);
    await (await startProcess(location)).end('SIGTERM');
    // As in docs/operating.md: for an embedded database, the next start creates a new secret.
    const previous = location.WHORL_SECRET ?? (await takeSecretOf(fresh));
    const next = { ...location, ...(location.WHORL_SECRET !== undefined && { WHORL_SECRET: newSecret }) };
    const both = { ...next, WHORL_SECRET_PREVIOUS: previous };
    expect(await runProcess(['project', 'list'], next)).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'The database was sealed with another master secret: set WHORL_SECRET to that secret, or, to replace it, WHORL_SECRET_PREVIOUS.\n',
    });
    const started = await startProcess(both);
    await started.end('SIGTERM');
    expect(started.stdout()).toContain('run \\"whorl-service secrets reseal\\"');
    expect(await runProcess(['project', 'list'], next)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^The database still holds values sealed with the master secret that was set on .* run "whorl-service secrets reseal"\.\n$/,
      ),
    });

    expect(await runProcess(['secrets', 'reseal'], both)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/rows resealed\n.*WHORL_SECRET_PREVIOUS can be removed\.\n$/s),
      stderr: '',
    });
    const again = await runProcess(['secrets', 'reseal'], both);
    expect(again.stdout).toMatch(/^Nothing to reseal\.\n/);
    const told = await startProcess(both);
    await told.end('SIGTERM');
    expect(told.stdout()).toContain('WHORL_SECRET_PREVIOUS can be removed');
    const last = await startProcess(next);
    expect(await last.end('SIGTERM')).toMatchObject({ code: 0 });
    expect(last.stdout()).not.toContain('WHORL_SECRET_PREVIOUS');
  });
});

describePostgresql('resealing while the service runs', () => {
  const rows = 20_000;
  let restarted: RestartableService;
  let service: TestService;
  beforeEach(async () => {
    restarted = await openRestartableService('postgresql');
    service = await restarted.restart();
  });
  afterEach(() => restarted.close());

  const reseal = () => launch(['secrets', 'reseal'], { ...environmentFor(restarted.fresh.options), ...rotated });
  const countStale = async () => {
    const { rows: counted } = await sql<{ count: number }>`
      select count(*)::int as count from evaluations where substring(request from 1 for 5) <> ${newPrefix}
    `.execute(service.db);
    return counted[0]?.count ?? 0;
  };

  test('continues where it was killed, without disturbing requests', async () => {
    const project = await service.newProject();
    const customer = customerOf(service, project);
    const request = { action: 'signup', user: 'ada', fingerprint: laptop, ip: home, email: 'ada@example.com' };
    await customer.evaluate(request);
    const { rows: columns } = await sql<{ name: string }>`
      select column_name as name from information_schema.columns where table_name = 'evaluations' and column_name <> 'id'
    `.execute(service.db);
    const names = sql.join(columns.map(({ name }) => sql.ref(name)));
    await sql`
      insert into evaluations (id, ${names}) select gen_random_uuid(), ${names} from evaluations, generate_series(1, ${rows}::int)
    `.execute(service.db);
    service = await restarted.restart(rotated);
    const busy = keepEvaluating(service, project.keys.live.secret, request);

    const killed = await reseal();
    await waitFor(async () => (await countStale()) < rows, { what: 'the first page' });
    const finished: Finished = await killed.end('SIGKILL');
    expect(finished.code).toBeNull();
    expect(await countStale()).toBeGreaterThan(0);

    expect(await (await reseal()).finished).toMatchObject({ code: 0, stderr: '' });
    expect(await countStale()).toBe(0);
    const statuses = await busy.end();
    expect(statuses.length).toBeGreaterThan(0);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  test('does not wait for locks or overwrite concurrent changes', async () => {
    const customer = customerOf(service, await service.newProject());
    for (const user of ['ada', 'ben']) {
      await customer.ask('/v2/device/attach', { user, fingerprint: laptop, email: `${user}@example.com` });
    }
    service = await restarted.restart(rotated);
    const { db, vault } = service.service;
    const waits: number[] = [];
    let resealing: Promise<unknown> = Promise.resolve();
    await db.transaction().execute(async (trx) => {
      const changed = { email: vault.seal('new@example.com', 'user.email') };
      await trx.updateTable('users').set(changed).where('external_id', '=', 'ada').execute();
      resealing = resealAll(service.service, { onWait: (_, left) => waits.push(left) });
      await waitFor(() => waits.length > 0, { what: 'the row that is locked to be passed over' });
      const ben = await db
        .selectFrom('users')
        .select('email')
        .where('external_id', '=', 'ben')
        .executeTakeFirstOrThrow();
      expect(Buffer.from(ben.email ?? []).subarray(0, 5)).toEqual(newPrefix);
    });
    await resealing;
    const ada = await db.selectFrom('users').select('email').where('external_id', '=', 'ada').executeTakeFirstOrThrow();
    expect(vault.open(ada.email ?? Buffer.alloc(0), 'user.email')).toBe('new@example.com');
  });
});

/** Sends evaluations one after the other until stopped. Returns the status of each. */
function keepEvaluating({ url }: TestService, key: string, body: object): { end(): Promise<number[]> } {
  const statuses: number[] = [];
  let isOver = false;
  const run = async () => {
    while (!isOver) statuses.push((await callApi(url, '/v2/device/evaluate', { key, body })).status);
  };
  const running = run();
  return {
    async end() {
      isOver = true;
      await running;
      return statuses;
    },
  };
}

async function takeSecretOf({ options }: FreshDatabase): Promise<string> {
  const path = join(options.kind === 'embedded' ? options.folder : '', 'secret');
  const secret = await readFile(path, 'utf8');
  await rm(path);
  return secret;
}
