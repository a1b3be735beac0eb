import { type Kysely, sql } from 'kysely';

const statements = [
  `create table projects (
    id uuid primary key,
    name text not null,
    settings jsonb not null,
    signing_key bytea not null,
    signing_public jsonb not null,
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
    expires_at timestamptz
  )`,
  `create table users (
    id uuid primary key,
    world_id uuid not null references worlds on delete cascade,
    external_id text not null,
    email bytea,
    email_mark bytea,
    phone bytea,
    phone_mark bytea,
    metadata jsonb not null,
    status text not null check (status in ('active', 'suspended')),
    created_at timestamptz not null,
    updated_at timestamptz not null,
    unique (world_id, external_id)
  )`,
  `create table user_addresses (
    user_id uuid not null references users on delete cascade,
    world_id uuid not null,
    network text not null,
    seen_at timestamptz not null,
    trusted_until timestamptz,
    primary key (user_id, network)
  )`,
  `create index user_addresses_by_network on user_addresses (world_id, network, seen_at desc)`,
  `create table identities (
    id uuid primary key,
    world_id uuid not null references worlds on delete cascade,
    merged_into uuid references identities,
    created_at timestamptz not null
  )`,
  `create table variants (
    id uuid primary key,
    world_id uuid not null,
    identity_id uuid not null references identities on delete cascade,
    digest bytea not null,
    fingerprint text not null,
    hardware_key text,
    claimed boolean not null,
    first_seen_at timestamptz not null,
    last_seen_at timestamptz not null,
    unique (world_id, digest)
  )`,
  `create index variants_by_identity on variants (identity_id, last_seen_at desc)`,
  `create index variants_by_hardware on variants (world_id, hardware_key, last_seen_at desc) where not claimed`,
  `create table devices (
    id uuid primary key,
    world_id uuid not null,
    user_id uuid not null references users on delete cascade,
    identity_id uuid not null references identities,
    status text not null check (status in ('attached', 'detached', 'pending', 'blocked')),
    kind text not null check (kind in ('mobile', 'tablet', 'desktop', 'unknown')),
    info jsonb not null,
    metadata jsonb not null,
    trusted boolean not null,
    whitelisted boolean not null,
    auto_detached boolean not null,
    variant_id uuid not null references variants,
    last_ip text,
    last_network text,
    last_seen_at timestamptz not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    detached_at timestamptz,
    revision integer not null default 0,
    unique (user_id, identity_id)
  )`,
  `create index devices_by_identity on devices (world_id, identity_id, last_seen_at desc)`,
  `create index devices_to_detach on devices (world_id, last_seen_at) where status = 'attached'`,
  `create table device_variants (
    device_id uuid not null references devices on delete cascade,
    variant_id uuid not null references variants on delete cascade,
    primary key (device_id, variant_id)
  )`,
  `create table evaluations (
    id uuid primary key,
    world_id uuid not null,
    user_id uuid references users on delete cascade,
    external_user text not null,
    device_id uuid,
    identity_id uuid not null,
    variant_id uuid not null,
    action text not null,
    verdict text not null,
    observed_verdict text,
    reasons jsonb not null,
    findings jsonb not null,
    request bytea not null,
    ip text,
    network text,
    confidence real not null,
    matched_by text not null,
    changed jsonb not null,
    challenge_id uuid,
    claimed boolean not null,
    consumed_at timestamptz,
    feedback_label text,
    feedback_note text,
    created_at timestamptz not null
  )`,
  `create index evaluations_by_time on evaluations (world_id, created_at desc)`,
  `create index evaluations_by_user on evaluations (user_id, created_at desc)`,
  `create index evaluations_by_device on evaluations (device_id, created_at desc)`,
  `create table challenges (
    id uuid primary key,
    world_id uuid not null,
    user_id uuid references users on delete cascade,
    external_user text not null,
    device_id uuid references devices on delete cascade,
    identity_id uuid not null,
    variant_id uuid not null,
    action text not null,
    ip text,
    network text,
    reasons jsonb not null,
    status text not null check (status in ('pending', 'completed', 'skipped', 'expired')),
    announced_at timestamptz,
    code_hash bytea,
    code_channel text,
    code_expires_at timestamptz,
    code_tries integer not null default 0,
    sends integer not null default 0,
    sent_at timestamptz,
    opened_at timestamptz,
    verified_at timestamptz,
    completed_at timestamptz,
    expires_at timestamptz not null,
    created_at timestamptz not null
  )`,
  // One open challenge for the same user, device, action and address.
  `create unique index challenges_open on challenges (world_id, external_user, identity_id, action, coalesce(network, ''))
    where status = 'pending'`,
  `create index challenges_by_time on challenges (world_id, created_at desc)`,
  `create index challenges_by_user on challenges (user_id)`,
  `create index challenges_by_identity on challenges (world_id, identity_id, created_at desc)`,
  `create index challenges_by_device on challenges (device_id)`,
  `create index challenges_to_expire on challenges (expires_at) where status = 'pending'`,
  `create table counters (
    world_id uuid not null,
    name text not null,
    subject text not null,
    window_start timestamptz not null,
    count integer not null,
    primary key (world_id, name, subject, window_start)
  )`,
  `create index counters_by_time on counters (window_start)`,
  `create table crowds (
    world_id uuid not null references worlds on delete cascade,
    hardware_key text not null,
    shard smallint not null,
    devices integer not null,
    primary key (world_id, hardware_key, shard)
  )`,
  `create table events (
    id uuid primary key,
    world_id uuid not null,
    type text not null,
    user_id uuid references users on delete cascade,
    once text unique,
    data jsonb not null,
    created_at timestamptz not null
  )`,
  `create index events_by_time on events (world_id, created_at desc)`,
  `create index events_by_user on events (user_id)`,
  `create table idempotency (
    key_id uuid not null references api_keys on delete cascade,
    route text not null,
    idempotency_key text not null,
    body_mark bytea not null,
    status integer,
    answer bytea,
    created_at timestamptz not null,
    primary key (key_id, route, idempotency_key)
  )`,
  `create index idempotency_by_time on idempotency (created_at)`,
  `create table marks (
    world_id uuid not null references worlds on delete cascade,
    identity_id uuid not null,
    cause text not null check (cause in ('blocked', 'account')),
    mark bytea not null,
    created_at timestamptz not null,
    primary key (world_id, identity_id, cause, mark)
  )`,
  `create table setting_changes (
    id uuid primary key,
    project_id uuid not null references projects on delete cascade,
    changed_by text not null,
    changes jsonb not null,
    created_at timestamptz not null
  )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
