import { type Kysely, sql } from 'kysely';

const statements = [
  // Administrators could change every project, so they become owners.
  'alter table admins add column is_owner boolean not null default true',
  'alter table admins alter column is_owner drop default',
  `create table project_members (
    project_id uuid not null references projects on delete cascade,
    admin_id uuid not null references admins on delete cascade,
    role text not null check (role in ('viewer', 'analyst', 'administrator')),
    created_at timestamptz not null,
    primary key (project_id, admin_id)
  )`,
  'create index project_members_of_admin on project_members (admin_id)',
  // An invitation is for a role: of the installation's owner, or in a project. It ends with whoever made it.
  'alter table admin_links add column id uuid not null default gen_random_uuid() unique',
  'alter table admin_links alter column id drop default',
  "alter table admin_links add column role text check (role in ('viewer', 'analyst', 'administrator', 'owner'))",
  'alter table admin_links add column project_id uuid references projects on delete cascade',
  'alter table admin_links add column invited_by uuid references admins on delete cascade',
  "update admin_links set role = 'owner' where purpose = 'invitation'",
  "alter table admin_links add check ((purpose = 'invitation') = (role is not null))",
  "alter table admin_links add check ((role is not null and role <> 'owner') = (project_id is not null))",
  'create index admin_links_of_project on admin_links (project_id) where project_id is not null',
  'create index admin_links_by_inviter on admin_links (invited_by) where invited_by is not null',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
