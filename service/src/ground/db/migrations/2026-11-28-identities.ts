import { type Kysely, sql } from 'kysely';

const statements = [
  // Accounts of an OpenID Connect provider. `mark`: blind index of issuer and subject.
  `create table admin_identities (
    mark bytea primary key,
    admin_id uuid not null references admins on delete cascade,
    created_at timestamptz not null
  )`,
  'create unique index admin_identities_of_admin on admin_identities (admin_id)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
