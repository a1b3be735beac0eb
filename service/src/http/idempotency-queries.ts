import type { Database } from '../resources/service.js';

/** Identifies a request: API key, route and `Idempotency-Key`. */
export interface RequestName {
  readonly worldId: string;
  readonly keyId: string;
  readonly route: string;
  readonly idempotencyKey: string;
}

export interface Claim extends RequestName {
  readonly bodyHash: Uint8Array;
  readonly now: Date;
  /** Stored answers from before this time no longer count. */
  readonly storedSince: Date;
  /** Requests in flight from before this time count as abandoned. */
  readonly inFlightSince: Date;
}

/** Claims a request for processing. Returns false if it is already claimed. */
export async function claimRequest(db: Database, claim: Claim): Promise<boolean> {
  const { bodyHash, now, storedSince, inFlightSince } = claim;
  const fresh = { body_mark: bodyHash, status: null, answer: null, created_at: now };
  const claimed = await db
    .insertInto('idempotency')
    .values({ ...columnsOf(claim), ...fresh })
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
  return claimed !== undefined;
}

export interface KnownRequest {
  readonly bodyHash: Uint8Array;
  /** Undefined while the request is in flight. */
  readonly stored: { readonly status: number; readonly answer: Uint8Array } | undefined;
}

export async function findRequest(db: Database, name: RequestName): Promise<KnownRequest | undefined> {
  const row = await db
    .selectFrom('idempotency')
    .select(['body_mark', 'status', 'answer'])
    .where((where) => where.and(columnsOf(name)))
    .executeTakeFirst();
  if (!row) return undefined;
  const { body_mark: bodyHash, status, answer } = row;
  return { bodyHash, stored: status === null || answer === null ? undefined : { status, answer } };
}

/** Stores the answer, unless the request has been claimed again since. */
export async function keepAnswer(
  db: Database,
  { now, ...name }: Claim,
  answer: { status: number; answer: Uint8Array },
): Promise<void> {
  await db
    .updateTable('idempotency')
    .set(answer)
    .where((where) => where.and(columnsOf(name)))
    .where('created_at', '=', now)
    .execute();
}

/** Releases a claim, unless the request has been claimed again since. */
export async function releaseRequest(db: Database, { now, ...name }: Claim): Promise<void> {
  await db
    .deleteFrom('idempotency')
    .where((where) => where.and(columnsOf(name)))
    .where('created_at', '=', now)
    .execute();
}

function columnsOf({ worldId, keyId, route, idempotencyKey }: RequestName) {
  return { world_id: worldId, key_id: keyId, route, idempotency_key: idempotencyKey };
}
