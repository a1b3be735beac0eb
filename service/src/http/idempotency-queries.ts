import type { Database } from '../service.js';

/** Which request it is: one key of a project's, one route, and the name that the caller gave it. */
export interface RequestName {
  readonly worldId: string;
  readonly keyId: string;
  readonly route: string;
  readonly idempotencyKey: string;
}

export interface Claim extends RequestName {
  readonly bodyMark: Uint8Array;
  readonly now: Date;
  /** Before this, an answer is forgotten. */
  readonly keptSince: Date;
  /** Before this, a request in flight was given up by whoever had it. */
  readonly inFlightSince: Date;
}

/** Takes a name for a request that is to be answered. False where it is taken. */
export async function claimRequest(db: Database, claim: Claim): Promise<boolean> {
  const { bodyMark, now, keptSince, inFlightSince } = claim;
  const fresh = { body_mark: bodyMark, status: null, answer: null, created_at: now };
  const claimed = await db
    .insertInto('idempotency')
    .values({ ...columnsOf(claim), ...fresh })
    .onConflict((conflict) =>
      conflict
        .columns(['world_id', 'key_id', 'route', 'idempotency_key'])
        .doUpdateSet(fresh)
        .where((row) =>
          row.or([
            row('idempotency.created_at', '<', keptSince),
            row.and([row('idempotency.status', 'is', null), row('idempotency.created_at', '<', inFlightSince)]),
          ]),
        ),
    )
    .returning('key_id')
    .executeTakeFirst();
  return claimed !== undefined;
}

export interface KnownRequest {
  readonly bodyMark: Uint8Array;
  /** Absent while it is in flight. */
  readonly kept: { readonly status: number; readonly answer: Uint8Array } | undefined;
}

export async function findRequest(db: Database, name: RequestName): Promise<KnownRequest | undefined> {
  const row = await db
    .selectFrom('idempotency')
    .select(['body_mark', 'status', 'answer'])
    .where((where) => where.and(columnsOf(name)))
    .executeTakeFirst();
  if (!row) return undefined;
  const { body_mark: bodyMark, status, answer } = row;
  return { bodyMark, kept: status === null || answer === null ? undefined : { status, answer } };
}

/** Keeps the answer, unless somebody else has taken the name since. */
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

/** Gives a name free, unless somebody else has taken it since. */
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
