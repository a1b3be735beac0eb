import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index evaluations_labelled on evaluations (world_id, created_at desc)
    where feedback_label is not null`.execute(db);
}
