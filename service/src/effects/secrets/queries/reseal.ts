import { type RawBuilder, sql } from 'kysely';
import type { Schema } from '../../../ground/db/schema/index.js';
import { groupBy } from '../../../ground/group-by.js';
import type { Database } from '../../../resources/service.js';

/** Table to reseal, with its key and sealed columns. */
export interface ResealTable {
  readonly table: keyof Schema;
  /** Columns of the primary key, with their types. */
  readonly key: Readonly<Record<string, string>>;
  readonly sealed: readonly string[];
  readonly indexes: readonly { readonly column: string; readonly from: string }[];
}

type KeyValues = Readonly<Record<string, unknown>>;

/** Row with the sealed values that were not sealed with the current master secret; null for all others. */
export interface StaleRow {
  readonly key: KeyValues;
  readonly sealed: Readonly<Record<string, Uint8Array | null>>;
}

/** Replacement values. A sealed column whose old value is null is not changed. */
export interface ResealedRow {
  readonly key: KeyValues;
  readonly old: Readonly<Record<string, Uint8Array | null>>;
  readonly new: Readonly<Record<string, Uint8Array | null>>;
  readonly indexes: Readonly<Record<string, Uint8Array | null>>;
}

/**
 * Reads at most `limit` rows after a key, in the order of the primary key. Each page is fast, even if nothing in it is
 * stale.
 *
 * @param prefixes First bytes of values sealed with the current master secret, all of one length.
 */
export async function readSealedPage(
  db: Database,
  { table, key, sealed }: ResealTable,
  {
    prefixes,
    after,
    limit,
  }: { prefixes: readonly [Uint8Array, ...Uint8Array[]]; after: KeyValues | undefined; limit: number },
): Promise<StaleRow[]> {
  const names = Object.keys(key);
  const keyColumns = sql.join(names.map((name) => sql.ref(name)));
  const staleColumns = sql.join(
    sealed.map((name) => {
      const beginning = sql`substring(${sql.ref(name)} from 1 for ${sql.lit(prefixes[0].length)})`;
      // An empty value was erased.
      const current = sql.join(prefixes.map((prefix) => sql`${prefix}::bytea`));
      const isStale = sql`${beginning} not in (${current}) and length(${sql.ref(name)}) > 0`;
      return sql`case when ${isStale} then ${sql.ref(name)} end as ${sql.ref(name)}`;
    }),
  );
  const afterKey = after ? sql`where (${keyColumns}) > (${sql.join(keyValues(key, after))})` : sql``;
  const { rows } = await sql<KeyValues>`
    select ${keyColumns}, ${staleColumns} from ${sql.table(table)} ${afterKey}
    order by ${keyColumns} limit ${sql.lit(limit)}
  `.execute(db);
  return rows.map((row) => ({
    key: Object.fromEntries(names.map((name) => [name, row[name]])),
    sealed: Object.fromEntries(sealed.map((name) => [name, bytesOf(row[name])])),
  }));
}

/**
 * Replaces old values with resealed ones. Returns the number of changed rows. Skips rows that are locked or have
 * changed since they were read, so it never waits and never overwrites a change.
 */
export async function writeResealed(db: Database, table: ResealTable, rows: readonly ResealedRow[]): Promise<number> {
  let changed = 0;
  for (const [world, ofWorld] of groupBy(rows, ({ key }) => String(key.world_id ?? ''))) {
    changed += await writeRows(db, table, { world, rows: ofWorld });
  }
  return changed;
}

/** Replaces the values of one world: Citus locks rows of one world only. `world`: empty for tables without worlds. */
async function writeRows(
  db: Database,
  { table, key, sealed, indexes }: ResealTable,
  { world, rows }: { readonly world: string; readonly rows: readonly ResealedRow[] },
): Promise<number> {
  const keys = Object.keys(key);
  const columns = [
    ...keys,
    ...sealed.flatMap((name) => [`old_${name}`, `new_${name}`]),
    ...indexes.map(({ column }) => `new_${column}`),
  ];
  const values = rows.map((row) => {
    const bytes = [
      ...sealed.flatMap((name) => [row.old[name], row.new[name]]),
      ...indexes.map((i) => row.indexes[i.column]),
    ];
    return sql`(${sql.join([...keyValues(key, row.key), ...bytes.map((each) => sql`${each ?? null}::bytea`)])})`;
  });
  const isSameRow = sql.join(
    [
      ...(world === '' ? [] : [sql`t.world_id = ${world}::uuid`]),
      ...keys.map((name) => sql`t.${sql.ref(name)} = g.${sql.ref(name)}`),
    ],
    sql` and `,
  );
  const isUnchanged = sql.join(
    sealed.map(
      (name) => sql`(g.${sql.ref(`old_${name}`)} is null or t.${sql.ref(name)} = g.${sql.ref(`old_${name}`)})`,
    ),
    sql` and `,
  );
  const changes = [
    ...sealed.map((name) => sql`${sql.ref(name)} = coalesce(g.${sql.ref(`new_${name}`)}, t.${sql.ref(name)})`),
    ...indexes.map(({ column, from }) => {
      const isKept = sql`g.${sql.ref(`old_${from}`)} is null`;
      const current = sql`t.${sql.ref(column)}`;
      return sql`${sql.ref(column)} = case when ${isKept} then ${current} else coalesce(g.${sql.ref(`new_${column}`)}, ${current}) end`;
    }),
  ];
  const { rows: changed } = await sql`
    with given (${sql.join(columns.map((name) => sql.ref(name)))}) as (values ${sql.join(values)}),
    held as (
      select g.* from ${sql.table(table)} t join given g on ${isSameRow} where ${isUnchanged}
      for no key update of t skip locked
    )
    update ${sql.table(table)} t set ${sql.join(changes)} from held g where ${isSameRow} and ${isUnchanged}
    returning 1
  `.execute(db);
  return changed.length;
}

function keyValues(key: ResealTable['key'], values: KeyValues): RawBuilder<unknown>[] {
  return Object.entries(key).map(([name, type]) => sql`${values[name]}::${sql.raw(type)}`);
}

function bytesOf(value: unknown): Uint8Array | null {
  return value instanceof Uint8Array ? value : null;
}
