import { type Kysely, sql } from 'kysely';

const statements = [
  // Which master secrets this database was used with.
  `create table key_ring (
    key_id text primary key,
    lookup_keys bytea,
    current_since timestamptz not null,
    leaked boolean not null default false,
    resealed_at timestamptz
  )`,
  // The master secret that a mark was made with; null where that is not known.
  `alter table marks add column key_id text`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
