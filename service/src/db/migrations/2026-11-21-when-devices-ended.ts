import { type Kysely, sql } from 'kysely';

const statements = [
  // When a device was last detached or blocked, and by what: it stays when the device comes back, so that a page from
  // before, which was asleep meanwhile, is told still.
  `alter table devices add column ended_at timestamptz`,
  `alter table devices add column end_cause text`,
  `update devices set ended_at = detached_at, end_cause = case when auto_detached then 'auto_detach' else 'detach' end
    where status = 'detached' and merged_into is null`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
