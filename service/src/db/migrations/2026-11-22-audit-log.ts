import { type Kysely, sql } from 'kysely';

const deeds = [
  'key_created',
  'key_rotated',
  'key_revoked',
  'webhook_added',
  'webhook_removed',
  'webhook_enabled',
  'webhook_secret_rotated',
];

const statements = [
  // Who did what to the installation, its projects and their users: entries are added, and removed when they are old.
  `create table audit_log (
    id uuid primary key,
    kind text not null,
    actor text not null,
    admin_id uuid,
    project_id uuid references projects on delete set null,
    mode text,
    user_id uuid references users on delete set null,
    subject uuid,
    network text,
    changes jsonb,
    details jsonb not null,
    created_at timestamptz not null
  )`,
  `insert into audit_log (id, kind, actor, admin_id, project_id, changes, details, created_at)
    select id,
      coalesce((select name from unnest(array['${deeds.join("','")}']) name where jsonb_exists(changes, name) limit 1), 'settings_changed'),
      case when changed_by like 'administrator %' then 'administrator' else changed_by end,
      case when changed_by like 'administrator %' then substring(changed_by from 15)::uuid end,
      project_id, changes, '{}', created_at
    from setting_changes`,
  `insert into audit_log (id, kind, actor, admin_id, project_id, mode, user_id, subject, details, created_at)
    select a.id, a.action, 'administrator', a.admin_id, w.project_id, w.mode, a.user_id, a.subject, '{}', a.created_at
    from admin_actions a join worlds w on w.id = a.world_id`,
  `drop table setting_changes`,
  `drop table admin_actions`,
  `create index audit_log_by_kind on audit_log (kind, id desc)`,
  `create index audit_log_by_age on audit_log (created_at)`,
  `create index audit_log_of_user on audit_log (user_id, created_at desc) where user_id is not null`,
  `create index audit_log_changes on audit_log (project_id, id desc) where changes is not null`,
  // From where an account was signed in to, and how many tries there were at accounts that do not exist.
  `create index audit_log_sign_ins on audit_log (admin_id, network, created_at desc) where kind = 'signed_in'`,
  `create index audit_log_strangers on audit_log (kind, created_at) where admin_id is null`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
