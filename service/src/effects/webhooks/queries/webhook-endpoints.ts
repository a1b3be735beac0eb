import { sql } from 'kysely';
import type { WebhookEndpointStatus } from '../../../ground/db/schema/index.js';
import type { Database, Transaction } from '../../../resources/service.js';
import type { EndpointKey } from './webhook-deliveries.js';

export interface EndpointRow {
  readonly id: string;
  readonly world_id: string;
  readonly url: string;
  readonly secret: Uint8Array;
  readonly previous_secret: Uint8Array | null;
  readonly previous_until: Date | null;
  readonly status: WebhookEndpointStatus;
  readonly created_at: Date;
}

/** Numbers of an endpoint's deliveries by state. */
export interface EndpointCounts {
  readonly waiting: number;
  readonly failed: number;
}

export async function insertEndpoint(
  trx: Transaction,
  { id, worldId, url, secret, now }: { id: string; worldId: string; url: string; secret: Uint8Array; now: Date },
): Promise<void> {
  await trx
    .insertInto('webhook_endpoints')
    .values({ id, world_id: worldId, url, secret, status: 'healthy', created_at: now })
    .execute();
}

/** Returns the endpoints of a world, the oldest first, or only the one with a given ID. */
export async function listEndpointRows(
  db: Database,
  worldId: string,
  id?: string,
): Promise<(EndpointRow & EndpointCounts)[]> {
  // The world as a value everywhere, or Citus asks all workers, and then rejects changes of the project.
  const { rows } = await sql<EndpointRow & EndpointCounts>`
    select e.*,
      (select count(*) from webhook_deliveries d
        where d.world_id = ${worldId} and d.endpoint_id = e.id and d.status = 'waiting')::int as waiting,
      (select count(*) from webhook_deliveries d
        where d.world_id = ${worldId} and d.endpoint_id = e.id and d.status = 'failed')::int as failed
    from webhook_endpoints e where e.world_id = ${worldId} ${id === undefined ? sql`` : sql`and e.id = ${id}`}
    order by e.id
  `.execute(db);
  return rows;
}

/** Returns the endpoints of a world that fail or were switched off. */
export function listFailingEndpoints(
  db: Database,
  worldId: string,
): Promise<Pick<EndpointRow, 'id' | 'url' | 'status'>[]> {
  return db
    .selectFrom('webhook_endpoints')
    .select(['id', 'url', 'status'])
    .where('world_id', '=', worldId)
    .where('status', '<>', 'healthy')
    .orderBy('id')
    .execute();
}

export function findEndpoint(db: Database, { worldId, endpointId }: EndpointKey): Promise<EndpointRow | undefined> {
  return db
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('world_id', '=', worldId)
    .where('id', '=', endpointId)
    .executeTakeFirst();
}

/** Returns an endpoint, locked until the end of the transaction. */
export function holdEndpoint(trx: Transaction, worldId: string, id: string): Promise<EndpointRow | undefined> {
  return trx
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('world_id', '=', worldId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Deletes an endpoint with its deliveries and their attempts. */
export async function deleteEndpoint(trx: Transaction, worldId: string, id: string): Promise<void> {
  await trx.deleteFrom('webhook_endpoints').where('world_id', '=', worldId).where('id', '=', id).execute();
}

export async function replaceSecret(
  trx: Transaction,
  { id, world_id }: Pick<EndpointRow, 'id' | 'world_id'>,
  change: { secret: Uint8Array; previous: Uint8Array; previousUntil: Date },
): Promise<void> {
  await trx
    .updateTable('webhook_endpoints')
    .set({ secret: change.secret, previous_secret: change.previous, previous_until: change.previousUntil })
    .where('world_id', '=', world_id)
    .where('id', '=', id)
    .execute();
}

/** Changes the status if it is one of `from`. */
export async function setEndpointStatus(
  db: Database,
  { id, world_id }: Pick<EndpointRow, 'id' | 'world_id'>,
  to: WebhookEndpointStatus,
  from: readonly WebhookEndpointStatus[],
): Promise<void> {
  await db
    .updateTable('webhook_endpoints')
    .set({ status: to })
    .where('world_id', '=', world_id)
    .where('id', '=', id)
    .where('status', 'in', [...from])
    .execute();
}
