import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { DatabaseUnavailableError } from '../ground/db/availability.js';
import { ApiError } from '../ground/errors.js';
import { dayMs, minuteMs } from '../ground/time.js';
import { type Caller, perService, type Service } from '../resources/service.js';
import {
  findRequest,
  keepResponse,
  type RequestName,
  type Reservation,
  releaseRequest,
  reserveRequest,
} from './idempotency-queries.js';
import type { ResponseParts } from './response.js';

const retentionMs = dayMs;

/** Time for which a request that timed out may still run, until the database cancels its statement. */
const graceAfterTimeoutMs = 20_000;

const keyPattern = /^[\x21-\x7e]{1,255}$/;

/** The column's former name: what was sealed with it must stay readable. */
const sealContext = 'idempotency.answer';

const bodyContext = 'idempotency.body';

const storedResponse = z.object({
  type: z.string(),
  body: z.string(),
  headers: z.record(z.string(), z.string()).optional(),
});

export interface IdempotentRequest {
  readonly caller: Caller;
  /** The pattern, such as `POST /v2/challenges/{id}/send`. */
  readonly route: string;
  /** Path with its parameters, which the pattern does not contain. */
  readonly path: string;
  readonly body: string;
  /** `Idempotency-Key` header. */
  readonly key: string;
  readonly timeoutMs: number;
}

/**
 * Processes a request once. A repetition within 24 hours, with the same key and body, gets the stored response. Temporary
 * errors (408, 429, 5xx) are not stored. The stored data is unreadable without the master secret: the body is a keyed
 * hash, the response is sealed.
 *
 * @throws {ApiError} `invalid_request` for a malformed key, `idempotency_mismatch`, `idempotency_in_flight`.
 */
export async function respondOnce(
  service: Service,
  request: IdempotentRequest,
  response: () => Promise<ResponseParts>,
): Promise<ResponseParts> {
  const reservation = reservationOf(service, request);
  if (!(await reserve(service, reservation))) return repeat(service, reservation, request);
  const result = await response();
  await conclude(service, reservation, result);
  return result;
}

function reservationOf(service: Service, request: IdempotentRequest): Reservation {
  const { caller, route, key, timeoutMs } = request;
  if (!keyPattern.test(key)) {
    const message = 'must be 1 to 255 characters of printable ASCII, without spaces';
    throw new ApiError('invalid_request', { errors: [{ path: 'Idempotency-Key', message }] });
  }
  const now = service.now();
  const before = (ms: number) => new Date(now.getTime() - ms);
  return {
    worldId: caller.worldId,
    keyId: caller.keyId,
    route,
    idempotencyKey: key,
    bodyHash: service.vault.blindIndex(textOf(request), bodyContext),
    now,
    storedSince: before(retentionMs),
    inFlightSince: before(timeoutMs + graceAfterTimeoutMs),
  };
}

function textOf({ path, body }: IdempotentRequest): string {
  return JSON.stringify([path, body]);
}

/** Returns false if the request is already reserved. */
async function reserve(service: Service, reservation: Reservation): Promise<boolean> {
  try {
    return await reserveRequest(service.db, reservation);
  } catch (error) {
    // The reservation may exist although the database did not confirm it. A repetition must be possible at once.
    if (error instanceof DatabaseUnavailableError) writeLater(service, () => releaseRequest(service.db, reservation));
    throw error;
  }
}

async function repeat(service: Service, name: RequestName, request: IdempotentRequest): Promise<ResponseParts> {
  const known = await findRequest(service.db, name);
  // Released in the meantime, because its response was not to be stored.
  if (!known) throw new ApiError('idempotency_in_flight');
  // After a rotation of the master secret, hashes made with the previous secret remain.
  const hashes = service.vault.blindIndexes(textOf(request), bodyContext);
  if (!hashes.some((hash) => hash.equals(known.bodyHash))) throw new ApiError('idempotency_mismatch');
  if (!known.stored) throw new ApiError('idempotency_in_flight');
  const { headers, ...response } = storedResponse.parse(
    JSON.parse(service.vault.open(known.stored.response, sealContext)),
  );
  return { ...response, status: known.stored.status, headers: { ...headers, 'Idempotent-Replayed': 'true' } };
}

/**
 * Stores the response, or releases the reservation if the response must not be stored. Both are retried if the database is
 * unavailable: a repetition must get the response that was sent, and a failed request must be repeatable at once.
 */
async function conclude(
  service: Service,
  reservation: Reservation,
  { status, ...response }: ResponseParts,
): Promise<void> {
  const isFinal = status !== 408 && status !== 429 && status < 500;
  const sealed = isFinal ? service.vault.seal(JSON.stringify(response), sealContext) : undefined;
  try {
    await writeOrLater(service, () =>
      sealed
        ? keepResponse(service.db, reservation, { status, response: sealed })
        : releaseRequest(service.db, reservation),
    );
  } catch (error) {
    // The request has taken effect, so its response is sent. Repetitions are refused until the reservation counts as abandoned.
    service.log.error({ err: error }, 'Storing an idempotent response failed');
  }
}

const retryIntervalMs = 500;

/** Time after which a write is dropped. By then, its reservation counts as abandoned. */
const retryForMs = 10 * minuteMs;

/** Maximum number of queued writes; their responses are held in memory. */
const maxWaiting = 1000;

interface Write {
  readonly run: () => Promise<void>;
  /** Time by `performance.now()`. */
  readonly until: number;
}

const queueOf = perService((): Write[] => []);

type Writer = Pick<Service, 'memory' | 'log'>;

/** Runs a write, or queues it if the database is unavailable. */
async function writeOrLater(service: Writer, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof DatabaseUnavailableError) || !writeLater(service, run)) throw error;
  }
}

/**
 * Queues a write, and tries it every half second, in order, for up to 10 minutes. Queued writes are lost if the process
 * stops. Returns false if too many are waiting.
 */
function writeLater(service: Writer, run: () => Promise<void>): boolean {
  const waiting = queueOf(service);
  if (waiting.length >= maxWaiting) return false;
  waiting.push({ run, until: performance.now() + retryForMs });
  if (waiting.length === 1) void drain(waiting, service.log);
  return true;
}

async function drain(waiting: Write[], log: Service['log']): Promise<void> {
  while (waiting.length > 0) {
    await pause(retryIntervalMs, undefined, { ref: false });
    for (let next = waiting[0]; next; next = waiting[0]) {
      const failure = await next.run().catch((error: unknown) => error);
      const mustRetry = failure instanceof DatabaseUnavailableError && performance.now() < next.until;
      if (mustRetry) break;
      if (failure !== undefined) log.error({ err: failure }, 'A deferred write failed');
      waiting.shift();
    }
  }
}
