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
import { customerOf, home, laptop, origin } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import {
  newPrefixes,
  oldSecret,
  openRestartableService,
  type RestartableService,
  resealed,
  rotated,
} from '../support/rotation.js';
import { fillSealedColumns, sealedTextsOf, sealedValuesOf } from '../support/sealed-values.js';
import type { TestService } from '../support/service.js';
import { sealUnnamed } from '../support/unnamed-seal.js';

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
    for (const [column, values] of Object.entries(after.sealed)) {
      const [ofText, ofCompressed] = newPrefixes.map((prefix) => prefix.toString('hex'));
      const prefix = ['claims.content', 'evaluations.request'].includes(column) ? ofCompressed : ofText;
      for (const value of values) expect(value.slice(0, 10), column).toBe(prefix);
    }
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
