import { type Kysely, sql } from 'kysely';

/** Most failed attempts have no user and no device. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const name of ['user', 'device']) {
    const [index, column] = [sql.ref(`evaluations_by_${name}`), sql.ref(`${name}_id`)];
    await sql`drop index ${index}`.execute(db);
    await sql`create index ${index} on evaluations (world_id, ${column}, created_at desc) where ${column} is not null`.execute(
      db,
    );
  }
}
