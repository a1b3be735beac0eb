import { type Kysely, sql } from 'kysely';

const statements = [
  // Older processes, which may still create keys during an upgrade, know no other scope.
  `alter table api_keys add column scopes text[] not null default '{evaluate}'`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
