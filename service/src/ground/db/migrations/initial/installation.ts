/** Tables of the whole installation. */
export const installationStatements: readonly string[] = [
  `create table projects (
    id uuid primary key,
    name text not null,
    settings jsonb not null,
    created_at timestamptz not null
  )`,
  `create table worlds (
    id uuid primary key,
    project_id uuid not null references projects on delete cascade,
    mode text not null check (mode in ('live', 'test')),
    unique (project_id, mode)
  )`,
  `create table api_keys (
    id uuid primary key,
    world_id uuid not null references worlds on delete cascade,
    kind text not null check (kind in ('secret', 'publishable')),
    hash bytea not null unique,
    hint text not null,
    created_at timestamptz not null,
    expires_at timestamptz,
    unique (world_id, id)
  )`,
  // One key signs the tokens of a project. Earlier keys stay published until their tokens have expired, and a new key is
  // published before it is used.
  `create table signing_keys (
    kid text primary key,
    project_id uuid not null references projects on delete cascade,
    private_key bytea not null,
    public_key jsonb not null,
    created_at timestamptz not null,
    signs_from timestamptz not null,
    published_until timestamptz
  )`,
  `create index signing_keys_of_project on signing_keys (project_id, signs_from desc)`,
  // The master secrets that this database was used with.
  `create table key_ring (
    key_id text primary key,
    lookup_keys bytea,
    current_since timestamptz not null,
    leaked boolean not null default false,
    resealed_at timestamptz
  )`,
  // Background jobs. \`every\` is the period of a scheduled job, which has one row.
  `create table jobs (
    id uuid primary key,
    name text not null,
    data jsonb not null,
    every interval,
    attempts integer not null default 0,
    next_at timestamptz not null,
    claim uuid
  )`,
  `create unique index jobs_scheduled on jobs (name) where every is not null`,
  `create index jobs_by_time on jobs (name, next_at)`,
  // Networks that recently sent X-Forwarded-For or Forwarded, and are not trusted proxies.
  `create table forwarders (
    network text primary key,
    seen_at timestamptz not null
  )`,
  `create table admins (
    id uuid primary key,
    email bytea not null,
    email_mark bytea not null unique,
    password_hash text not null,
    created_at timestamptz not null
  )`,
  `create table admin_sessions (
    hash bytea primary key,
    admin_id uuid not null references admins on delete cascade,
    notice bytea,
    created_at timestamptz not null,
    last_seen_at timestamptz not null,
    expires_at timestamptz not null,
    confirmed_at timestamptz
  )`,
  `create index admin_sessions_of_admin on admin_sessions (admin_id)`,
  `create index admin_sessions_by_age on admin_sessions (expires_at)`,
  // An invitation is for an address, a reset for an account. The first administrator chooses the address.
  `create table admin_links (
    hash bytea primary key,
    expires_at timestamptz not null,
    purpose text not null check (purpose in ('first', 'invitation', 'reset')),
    email bytea,
    admin_id uuid references admins on delete cascade,
    check ((purpose = 'invitation') = (email is not null)),
    check ((purpose = 'reset') = (admin_id is not null))
  )`,
  `create index admin_links_of_admin on admin_links (admin_id) where admin_id is not null`,
  // Wrong passwords, by the blind index of the account or the address.
  `create table sign_in_failures (
    subject bytea primary key,
    failures integer not null,
    last_at timestamptz not null,
    locked_until timestamptz not null
  )`,
  `create index sign_in_failures_by_age on sign_in_failures (last_at)`,
  // Who did what to the installation, its projects and their users. The erasure of a user sets \`user_id\` to null.
  `create table audit_log (
    id uuid primary key,
    kind text not null,
    actor text not null,
    admin_id uuid,
    project_id uuid references projects on delete set null,
    mode text,
    user_id uuid,
    subject uuid,
    network text,
    changes jsonb,
    details jsonb not null,
    created_at timestamptz not null
  )`,
  `create index audit_log_by_kind on audit_log (kind, id desc)`,
  `create index audit_log_by_age on audit_log (created_at)`,
  `create index audit_log_of_user on audit_log (user_id, created_at desc) where user_id is not null`,
  `create index audit_log_changes on audit_log (project_id, id desc) where changes is not null`,
  // For finding the networks of an account's sign-ins, and counting attempts on accounts that do not exist.
  `create index audit_log_sign_ins on audit_log (admin_id, network, created_at desc) where kind = 'signed_in'`,
  `create index audit_log_strangers on audit_log (kind, created_at) where admin_id is null`,
];
