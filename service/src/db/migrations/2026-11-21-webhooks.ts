import { type Kysely, sql } from 'kysely';

const statements = [
  `create table webhook_endpoints (
    id uuid primary key,
    world_id uuid not null references worlds on delete cascade,
    url text not null,
    secret bytea not null,
    previous_secret bytea,
    previous_until timestamptz,
    status text not null,
    created_at timestamptz not null
  )`,
  `create index webhook_endpoints_of_world on webhook_endpoints (world_id)`,
  `create table webhook_deliveries (
    event_id uuid not null references events on delete cascade,
    endpoint_id uuid not null references webhook_endpoints on delete cascade,
    status text not null default 'waiting',
    attempts integer not null default 0,
    next_at timestamptz not null,
    claim uuid,
    primary key (event_id, endpoint_id)
  )`,
  `create index webhook_deliveries_due on webhook_deliveries (endpoint_id, next_at) where status = 'waiting'`,
  `create index webhook_deliveries_of_endpoint on webhook_deliveries (endpoint_id)`,
  `create table webhook_attempts (
    id uuid primary key,
    event_id uuid not null,
    endpoint_id uuid not null,
    at timestamptz not null,
    status integer,
    failure text,
    duration_ms integer not null,
    foreign key (event_id, endpoint_id) references webhook_deliveries on delete cascade
  )`,
  `create index webhook_attempts_of_delivery on webhook_attempts (event_id, endpoint_id)`,
  `create index webhook_attempts_of_endpoint on webhook_attempts (endpoint_id, at desc)`,
  `create index webhook_attempts_by_time on webhook_attempts (at)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
