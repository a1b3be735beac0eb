import { type Kysely, sql } from 'kysely';

const statements = [
  // The last batch of counts that each process has stored, so that none is counted twice.
  `create table velocity_batches (
    world_id uuid not null,
    process uuid not null,
    batch bigint not null,
    at timestamptz not null,
    primary key (world_id, process)
  )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
