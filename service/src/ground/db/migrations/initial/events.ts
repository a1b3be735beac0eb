/** Events of a world, and their delivery. */
export const eventStatements: readonly string[] = [
  // Partitioned by month: see db/partitions.ts.
  `create table events (
    id uuid not null,
    world_id uuid not null,
    type text not null,
    user_id uuid,
    data jsonb not null,
    created_at timestamptz not null,
    primary key (world_id, id),
    foreign key (world_id, user_id) references users (world_id, id) on delete cascade
  ) partition by range (id)`,
  `create table events_default partition of events default`,
  `create index events_by_time on events (world_id, created_at desc)`,
  `create index events_by_user on events (world_id, user_id, created_at desc)`,
  `create index events_of_conversion on events (world_id, (data #>> '{from_user,_id}')) where type = 'user.converted'`,
  // Events that may exist only once. A unique constraint on \`events\` would have to include the ID.
  `create table event_onces (
    world_id uuid not null,
    once text not null,
    event_id uuid not null,
    primary key (world_id, once)
  )`,
  `create index event_onces_of_event on event_onces (world_id, event_id)`,
  `create table webhook_endpoints (
    id uuid not null,
    world_id uuid not null references worlds on delete cascade,
    url text not null,
    secret bytea not null,
    previous_secret bytea,
    previous_until timestamptz,
    status text not null,
    created_at timestamptz not null,
    primary key (world_id, id)
  )`,
  // No foreign key to \`events\`: it would make dropping a partition read all deliveries.
  `create table webhook_deliveries (
    world_id uuid not null,
    event_id uuid not null,
    endpoint_id uuid not null,
    status text not null default 'waiting',
    attempts integer not null default 0,
    next_at timestamptz not null,
    claim uuid,
    primary key (world_id, event_id, endpoint_id),
    foreign key (world_id, endpoint_id) references webhook_endpoints (world_id, id) on delete cascade
  )`,
  `create index webhook_deliveries_due on webhook_deliveries (world_id, endpoint_id, next_at) where status = 'waiting'`,
  `create index webhook_deliveries_of_endpoint on webhook_deliveries (world_id, endpoint_id)`,
  `create index webhook_deliveries_failed on webhook_deliveries (world_id, endpoint_id) where status = 'failed'`,
  `create table webhook_attempts (
    id uuid not null,
    world_id uuid not null,
    event_id uuid not null,
    endpoint_id uuid not null,
    at timestamptz not null,
    status integer,
    failure text,
    duration_ms integer not null,
    primary key (world_id, id),
    foreign key (world_id, event_id, endpoint_id) references webhook_deliveries (world_id, event_id, endpoint_id)
      on delete cascade
  )`,
  `create index webhook_attempts_of_delivery on webhook_attempts (world_id, event_id, endpoint_id)`,
  `create index webhook_attempts_of_endpoint on webhook_attempts (world_id, endpoint_id, at desc)`,
  `create index webhook_attempts_by_time on webhook_attempts (world_id, at)`,
];
