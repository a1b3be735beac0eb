import { sql } from 'kysely';
import { statement } from '../../../ground/db/statement.js';
import type { WebhookFailure } from '../../../ground/vocabulary.js';
import type { Database } from '../../../resources/service.js';

/** Delivery leased by a worker, with its event. */
export interface LeasedDelivery {
  readonly event_id: string;
  readonly endpoint_id: string;
  /** Number of earlier attempts. */
  readonly attempts: number;
  readonly type: string;
  readonly data: object;
  readonly created_at: Date;
}

/** Primary key of an endpoint. */
export interface EndpointKey {
  readonly worldId: string;
  readonly endpointId: string;
}

/** Returns the endpoints with due deliveries. */
export const listDueEndpoints = statement<{ now: Date }, EndpointKey>()`
  select e.world_id as "worldId", e.id as "endpointId" from worlds w join webhook_endpoints e on e.world_id = w.id
  where e.status <> 'off' and exists (
    select from webhook_deliveries d
    where d.world_id = e.world_id and d.endpoint_id = e.id and d.status = 'waiting' and d.next_at <= ${'now'}
  )`;

interface LeaseValues extends EndpointKey {
  readonly now: Date;
  /** End of the lease. After it, the delivery is due again. */
  readonly until: Date;
  readonly lease: string;
  readonly limit: number;
}

/** Leases due deliveries of an endpoint, the longest due first. Skips those leased by other workers. */
export const leaseDeliveries = statement<LeaseValues, LeasedDelivery>()`
  with due as (
    select d.event_id, d.endpoint_id from webhook_deliveries d
    where d.world_id = ${'worldId'} and d.endpoint_id = ${'endpointId'}::uuid and d.status = 'waiting' and d.next_at <= ${'now'}
    order by d.next_at limit ${'limit'}::int for update skip locked
  )
  update webhook_deliveries d set lease = ${'lease'}::uuid, next_at = ${'until'}::timestamptz
  from due join events e on e.world_id = ${'worldId'} and e.id = due.event_id
  where d.world_id = e.world_id and d.event_id = due.event_id and d.endpoint_id = due.endpoint_id
  returning d.event_id, d.endpoint_id, d.attempts, e.type, e.data, e.created_at`;

export interface AttemptValues {
  readonly worldId: string;
  readonly attemptId: string;
  readonly eventId: string;
  readonly endpointId: string;
  readonly lease: string;
  readonly state: 'waiting' | 'delivered' | 'failed';
  readonly nextAt: Date;
  readonly at: Date;
  readonly status: number | null;
  readonly failure: WebhookFailure | null;
  readonly durationMs: number;
}

/** Stores the outcome of an attempt, unless its lease was lost: the delivery was deleted, replayed or leased again. */
export const recordAttempt = statement<AttemptValues>()`
  with made as (
    update webhook_deliveries set status = ${'state'}, attempts = attempts + 1, next_at = ${'nextAt'}, lease = null
    where world_id = ${'worldId'} and event_id = ${'eventId'}::uuid and endpoint_id = ${'endpointId'}::uuid and lease = ${'lease'}::uuid
    returning world_id, event_id, endpoint_id
  )
  insert into webhook_attempts (id, world_id, event_id, endpoint_id, at, status, failure, duration_ms)
  select ${'attemptId'}::uuid, world_id, event_id, endpoint_id, ${'at'}::timestamptz, ${'status'}::int, ${'failure'}::text, ${'durationMs'}::int
  from made`;

/** Marks the waiting deliveries of an endpoint as failed, except attempts in progress. */
export async function failWaiting(db: Database, { worldId, endpointId }: EndpointKey): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({ status: 'failed' })
    .where('world_id', '=', worldId)
    .where('endpoint_id', '=', endpointId)
    .where('status', '=', 'waiting')
    .where('lease', 'is', null)
    .execute();
}

/** Selects the events of a world to deliver again. */
export interface ReplayChoice {
  readonly endpointId: string;
  readonly worldId: string;
  readonly now: Date;
  /** One event, regardless of its outcome. */
  readonly eventId?: string | undefined;
  /** Events of a period: `from` inclusive, `to` exclusive. */
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  /** Whether to include delivered events. */
  readonly delivered: boolean;
}

/** Makes events due now, with all attempts available again. Returns their number. Skips attempts in progress. */
export async function replayEvents(db: Database, choice: ReplayChoice): Promise<number> {
  const { eventId = null, from = null, to = null } = choice;
  const { numAffectedRows = 0n } = await sql`
    insert into webhook_deliveries as d (world_id, event_id, endpoint_id, next_at)
    select world_id, id, ${choice.endpointId}::uuid, ${choice.now}::timestamptz from events
    where world_id = ${choice.worldId}
      and (${eventId}::uuid is null or id = ${eventId}::uuid)
      and (${from}::timestamptz is null or created_at >= ${from}::timestamptz)
      and (${to}::timestamptz is null or created_at < ${to}::timestamptz)
    for key share
    on conflict (world_id, event_id, endpoint_id) do update
      set status = 'waiting', attempts = 0, next_at = excluded.next_at
      where d.lease is null and (d.status <> 'delivered' or ${choice.delivered}::boolean)
  `.execute(db);
  return Number(numAffectedRows);
}

export interface AttemptRow {
  readonly event_id: string;
  readonly type: string;
  readonly at: Date;
  readonly status: number | null;
  readonly failure: WebhookFailure | null;
  readonly duration_ms: number;
}

/** Returns the latest attempts, the newest first. */
export function listAttemptRows(
  db: Database,
  { worldId, endpointId }: EndpointKey,
  limit: number,
): Promise<AttemptRow[]> {
  return db
    .selectFrom('webhook_attempts as a')
    .innerJoin('events as e', (join) => join.onRef('e.world_id', '=', 'a.world_id').onRef('e.id', '=', 'a.event_id'))
    .select(['a.event_id', 'e.type', 'a.at', 'a.status', 'a.failure', 'a.duration_ms'])
    .where('a.world_id', '=', worldId)
    .where('a.endpoint_id', '=', endpointId)
    .orderBy('a.at', 'desc')
    .orderBy('a.id', 'desc')
    .limit(limit)
    .execute();
}

/** Returns the number of waiting deliveries, due or not. */
export async function countWaiting(db: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from worlds w join webhook_deliveries d on d.world_id = w.id
    where d.status = 'waiting'
  `.execute(db);
  return rows[0]?.count ?? 0;
}
