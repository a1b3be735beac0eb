import type { Database } from '../resources/service.js';

/** Identifies a request: API key, route and `Idempotency-Key`. */
export interface RequestName {
  readonly worldId: string;
  readonly keyId: string;
  readonly route: string;
  readonly idempotencyKey: string;
}

export interface Reservation extends RequestName {
  readonly bodyHash: Uint8Array;
  readonly now: Date;
  /** Stored responses from before this time no longer count. */
  readonly storedSince: Date;
  /** Requests in flight from before this time count as abandoned. */
  readonly inFlightSince: Date;
}

/** Reserves a request for processing. Returns false if it is already reserved. */
export async function reserveRequest(db: Database, reservation: Reservation): Promise<boolean> {
  const { bodyHash, now, storedSince, inFlightSince } = reservation;
  const fresh = { body_mark: bodyHash, status: null, response: null, created_at: now };
  const reserved = await db
    .insertInto('idempotency')
    .values({ ...columnsOf(reservation), ...fresh })
    .onConflict((conflict) =>
      conflict
        .columns(['world_id', 'key_id', 'route', 'idempotency_key'])
        .doUpdateSet(fresh)
        .where((row) =>
          row.or([
            row('idempotency.created_at', '<', storedSince),
            row.and([row('idempotency.status', 'is', null), row('idempotency.created_at', '<', inFlightSince)]),
          ]),
        ),
    )
    .returning('key_id')
    .executeTakeFirst();
  return reserved !== undefined;
}

export interface KnownRequest {
  readonly bodyHash: Uint8Array;
  /** Undefined while the request is in flight. */
  readonly stored: { readonly status: number; readonly response: Uint8Array } | undefined;
}

export async function findRequest(db: Database, name: RequestName): Promise<KnownRequest | undefined> {
  const row = await db
    .selectFrom('idempotency')
    .select(['body_mark', 'status', 'response'])
    .where((where) => where.and(columnsOf(name)))
    .executeTakeFirst();
  if (!row) return undefined;
  const { body_mark: bodyHash, status, response } = row;
  return { bodyHash, stored: status === null || response === null ? undefined : { status, response } };
}

/** Stores the response, unless the request has been reserved again since. */
export async function keepResponse(
  db: Database,
  { now, ...name }: Reservation,
  response: { status: number; response: Uint8Array },
): Promise<void> {
  await db
    .updateTable('idempotency')
    .set(response)
    .where((where) => where.and(columnsOf(name)))
    .where('created_at', '=', now)
    .execute();
}

/** Releases a reservation, unless the request has been reserved again since. */
export async function releaseRequest(db: Database, { now, ...name }: Reservation): Promise<void> {
  await db
    .deleteFrom('idempotency')
    .where((where) => where.and(columnsOf(name)))
    .where('created_at', '=', now)
    .execute();
}

function columnsOf({ worldId, keyId, route, idempotencyKey }: RequestName) {
  return { world_id: worldId, key_id: keyId, route, idempotency_key: idempotencyKey };
}
