import { type Kysely, sql } from 'kysely';

const statements = [
  // They last an hour, and do not say whom they are for.
  `delete from admin_links`,
  `alter table admin_links drop column for_first`,
  // An invitation is for an address, a reset for an account; the first administrator chooses the address.
  `alter table admin_links
    add column purpose text not null check (purpose in ('first', 'invitation', 'reset')),
    add column email bytea,
    add column admin_id uuid references admins on delete cascade,
    add check ((purpose = 'invitation') = (email is not null)),
    add check ((purpose = 'reset') = (admin_id is not null))`,
  `create index admin_links_of_admin on admin_links (admin_id) where admin_id is not null`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
