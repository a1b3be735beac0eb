import { type Kysely, sql } from 'kysely';
import type { Schema } from './schema/index.js';

export interface ForeignKey {
  readonly table: string;
  readonly name: string;
  readonly referenced: string;
  readonly definition: string;
}

/** Returns the foreign keys of all tables, without the copies that partitions have. */
export async function listForeignKeys(db: Kysely<Schema>): Promise<ForeignKey[]> {
  const { rows } = await sql<ForeignKey>`
    select r.relname as table, c.conname as name, f.relname as referenced, pg_get_constraintdef(c.oid) as definition
    from pg_constraint c join pg_class r on r.oid = c.conrelid join pg_class f on f.oid = c.confrelid
    where c.contype = 'f' and c.conparentid = 0 and c.connamespace = current_schema()::regnamespace
    order by r.relname, c.conname
  `.execute(db);
  return rows;
}

export async function dropForeignKeys(db: Kysely<Schema>, keys: readonly ForeignKey[]): Promise<void> {
  for (const { table, name } of keys) {
    await sql`alter table ${sql.table(table)} drop constraint ${sql.ref(name)}`.execute(db);
  }
}

/** Adds foreign keys, which checks all rows. */
export async function addForeignKeys(db: Kysely<Schema>, keys: readonly ForeignKey[]): Promise<void> {
  for (const { table, name, definition } of keys) {
    await sql`alter table ${sql.table(table)} add constraint ${sql.ref(name)} ${sql.raw(definition)}`.execute(db);
  }
}
