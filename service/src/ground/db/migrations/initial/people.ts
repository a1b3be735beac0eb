const groupKeys = ['software_key', 'frame_key', 'settled_key'];

/** Users, fingerprints and devices of a world. */
export const peopleStatements: readonly string[] = [
  `create table users (
    id uuid not null,
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
    revocations integer not null default 0,
    suspension integer not null default 0,
    primary key (world_id, id),
    unique (world_id, external_id)
  )`,
  // Byte order, so that prefix searches can use it with any database collation.
  `create index users_by_name on users (world_id, external_id collate "C")`,
  `create index users_by_email on users (world_id, email_mark) where email_mark is not null`,
  `create index users_by_phone on users (world_id, phone_mark) where phone_mark is not null`,
  // An imported address is trusted before the user was seen there.
  `create table user_addresses (
    user_id uuid not null,
    world_id uuid not null,
    network text not null,
    seen_at timestamptz,
    trusted_until timestamptz,
    primary key (world_id, user_id, network),
    foreign key (world_id, user_id) references users (world_id, id) on delete cascade
  )`,
  `create index user_addresses_by_network on user_addresses (world_id, network, seen_at desc)`,
  `create table identities (
    id uuid not null,
    world_id uuid not null references worlds on delete cascade,
    merged_into uuid,
    created_at timestamptz not null,
    primary key (world_id, id),
    foreign key (world_id, merged_into) references identities (world_id, id)
  )`,
  `create index identities_by_merged on identities (world_id, merged_into) where merged_into is not null`,
  `create table identity_merges (
    from_identity uuid not null,
    into_identity uuid not null,
    world_id uuid not null references worlds on delete cascade,
    cause text not null check (cause in ('last')),
    confidence real not null,
    variant_id uuid not null,
    last_variant_id uuid not null,
    created_at timestamptz not null,
    primary key (world_id, from_identity),
    foreign key (world_id, from_identity) references identities (world_id, id) on delete cascade,
    foreign key (world_id, into_identity) references identities (world_id, id) on delete cascade
  )`,
  `create index identity_merges_by_survivor on identity_merges (world_id, into_identity)`,
  `create index identity_merges_by_time on identity_merges (world_id, created_at desc)`,
  `create table variants (
    id uuid not null,
    world_id uuid not null,
    identity_id uuid not null,
    digest bytea not null,
    fingerprint text not null,
    hardware_key text,
    first_seen_at timestamptz not null,
    last_seen_at timestamptz not null,
    ${groupKeys.map((key) => `${key} bigint,`).join(' ')}
    primary key (world_id, id),
    unique (world_id, digest, identity_id),
    foreign key (world_id, identity_id) references identities (world_id, id) on delete cascade
  )`,
  `create index variants_by_identity on variants (world_id, identity_id, last_seen_at desc)`,
  `create index variants_by_age on variants (world_id, last_seen_at)`,
  // By groups of facets, to find a fingerprint if another group has changed.
  ...['hardware_key', ...groupKeys].map(
    (key) =>
      `create index variants_by_${key} on variants (world_id, ${key}, last_seen_at desc) where ${key} is not null`,
  ),
  `create table devices (
    id uuid not null,
    world_id uuid not null,
    user_id uuid not null,
    identity_id uuid not null,
    status text not null check (status in ('attached', 'detached', 'pending', 'blocked')),
    kind text not null check (kind in ('mobile', 'tablet', 'desktop', 'unknown')),
    info jsonb not null,
    metadata jsonb not null,
    trusted boolean not null,
    whitelisted boolean not null,
    auto_detached boolean not null,
    variant_id uuid not null,
    last_ip text,
    last_network text,
    last_seen_at timestamptz not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    detached_at timestamptz,
    revision integer not null default 0,
    merged_into uuid,
    proven boolean not null default false,
    ended_at timestamptz,
    end_cause text,
    revocation integer not null default 0,
    primary key (world_id, id),
    unique (world_id, user_id, identity_id),
    foreign key (world_id, user_id) references users (world_id, id) on delete cascade,
    foreign key (world_id, identity_id) references identities (world_id, id),
    foreign key (world_id, variant_id) references variants (world_id, id),
    foreign key (world_id, merged_into) references devices (world_id, id) on delete cascade
  )`,
  `create index devices_by_identity on devices (world_id, identity_id, last_seen_at desc)`,
  `create index devices_to_detach on devices (world_id, last_seen_at) where status = 'attached'`,
  // Attached devices use the index above, so that updates of \`last_seen_at\` do not write to this one.
  `create index devices_at_rest on devices (world_id, status, last_seen_at desc, id desc)
    where status <> 'attached' and merged_into is null`,
  // Without it, deleting a variant would read all devices to check the foreign key.
  `create index devices_by_variant on devices (world_id, variant_id)`,
  // Finds one user's device of an identity, which may have very many devices.
  `create index devices_of_identity on devices (world_id, identity_id, user_id)`,
  `create index devices_by_merged on devices (world_id, merged_into) where merged_into is not null`,
  `create table device_variants (
    world_id uuid not null,
    device_id uuid not null,
    variant_id uuid not null,
    primary key (world_id, device_id, variant_id),
    foreign key (world_id, device_id) references devices (world_id, id) on delete cascade,
    foreign key (world_id, variant_id) references variants (world_id, id) on delete cascade
  )`,
  `create index device_variants_by_variant on device_variants (world_id, variant_id, device_id)`,
  // Keys of allowed devices, by thumbprint. Those of a detached device no longer count as trust, but still show whose
  // device it was.
  `create table device_keys (
    device_id uuid not null,
    world_id uuid not null,
    thumbprint text not null,
    created_at timestamptz not null,
    revoked_at timestamptz,
    primary key (world_id, device_id, thumbprint),
    foreign key (world_id, device_id) references devices (world_id, id) on delete cascade
  )`,
  `create index device_keys_by_thumbprint on device_keys (world_id, thumbprint, device_id)`,
  `create table spent_nonces (
    world_id uuid not null,
    nonce text not null,
    expires_at timestamptz not null,
    primary key (world_id, nonce)
  )`,
  `create index spent_nonces_by_age on spent_nonces (world_id, expires_at)`,
  `create table crowds (
    world_id uuid not null references worlds on delete cascade,
    hardware_key text not null,
    shard smallint not null,
    hardware_id uuid,
    devices integer not null,
    primary key (world_id, hardware_key, shard)
  )`,
  `create index crowds_by_hardware_id on crowds (world_id, hardware_id) where hardware_id is not null`,
  // Pseudonymous remains of erased users. \`key_id\` identifies the master secret of the mark; null if unknown.
  `create table marks (
    world_id uuid not null references worlds on delete cascade,
    identity_id uuid not null,
    cause text not null check (cause in ('blocked', 'account')),
    mark bytea not null,
    created_at timestamptz not null,
    key_id text,
    primary key (world_id, identity_id, cause, mark)
  )`,
];
