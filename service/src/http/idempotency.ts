import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { DatabaseUnavailableError } from '../db/availability.js';
import { ApiError } from '../errors.js';
import type { Caller, Service } from '../service.js';
import { dayMs, minuteMs } from '../time.js';
import type { Answer } from './answer.js';
import {
  type Claim,
  claimRequest,
  findRequest,
  keepAnswer,
  type RequestName,
  releaseRequest,
} from './idempotency-queries.js';

const keptForMs = dayMs;

/** So long the work of a request that timed out may still go on, until the database ends its statement. */
const afterTimeoutMs = 20_000;

const keyForm = /^[\x21-\x7e]{1,255}$/;

const sealContext = 'idempotency.answer';

const markContext = 'idempotency.body';

const keptAnswer = z.object({
  type: z.string(),
  body: z.string(),
  headers: z.record(z.string(), z.string()).optional(),
});

export interface IdempotentRequest {
  readonly caller: Caller;
  /** The pattern, such as `POST /v2/challenges/{id}/send`. */
  readonly route: string;
  /** The address itself: what the pattern leaves open is part of what is asked. */
  readonly path: string;
  readonly body: string;
  /** The `Idempotency-Key`. */
  readonly key: string;
  readonly timeoutMs: number;
}

/**
 * Does a request once: whoever repeats it within 24 h, with the same key and body, gets the same answer. Refusals for
 * the moment (408, 429, 5xx) are not kept. What is kept is of no use without the master secret: of the body a keyed hash,
 * the answer sealed.
 *
 * @throws {ApiError} `invalid_request` for a key of another form, `idempotency_mismatch`, `idempotency_in_flight`.
 */
export async function answerOnce(
  service: Service,
  request: IdempotentRequest,
  answer: () => Promise<Answer>,
): Promise<Answer> {
  const claim = claimOf(service, request);
  if (!(await claimRequest(service.db, claim))) return repeat(service, claim, request);
  const given = await answer();
  await conclude(service, claim, given);
  return given;
}

function claimOf(service: Service, request: IdempotentRequest): Claim {
  const { caller, route, key, timeoutMs } = request;
  if (!keyForm.test(key)) {
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
    bodyMark: service.vault.mark(askedOf(request), markContext),
    now,
    keptSince: before(keptForMs),
    inFlightSince: before(timeoutMs + afterTimeoutMs),
  };
}

function askedOf({ path, body }: IdempotentRequest): string {
  return JSON.stringify([path, body]);
}

async function repeat(service: Service, name: RequestName, request: IdempotentRequest): Promise<Answer> {
  const known = await findRequest(service.db, name);
  // Given free this moment: its answer was not one to keep.
  if (!known) throw new ApiError('idempotency_in_flight');
  // A rotation of the master secret leaves marks of the one before.
  const marks = service.vault.marks(askedOf(request), markContext);
  if (!marks.some((mark) => mark.equals(known.bodyMark))) throw new ApiError('idempotency_mismatch');
  if (!known.kept) throw new ApiError('idempotency_in_flight');
  const { headers, ...kept } = keptAnswer.parse(JSON.parse(service.vault.open(known.kept.answer, sealContext)));
  return { ...kept, status: known.kept.status, headers: { ...headers, 'Idempotent-Replayed': 'true' } };
}

/**
 * Keeps the answer, or gives the name free where it is not one to keep. Both wait for a database that is away: what was
 * told has to be told again, and what failed is to be tried again at once.
 */
async function conclude(service: Service, claim: Claim, { status, ...answer }: Answer): Promise<void> {
  const isKept = status !== 408 && status !== 429 && status < 500;
  const sealed = isKept ? service.vault.seal(JSON.stringify(answer), sealContext) : undefined;
  try {
    await writeOrLater(service, () =>
      sealed ? keepAnswer(service.db, claim, { status, answer: sealed }) : releaseRequest(service.db, claim),
    );
  } catch (error) {
    // What was done is done, and is told; a repetition is turned away until the claim counts as given up.
    service.log.error({ err: error }, 'an answer could not be kept for its repetition');
  }
}

const everyMs = 500;

/** Whoever repeats a request after that long is not held up by it any more. */
const givenUpAfterMs = 10 * minuteMs;

/** Answers wait in memory. */
const mostWaiting = 1000;

interface Write {
  readonly run: () => Promise<void>;
  /** On the clock of `performance.now()`. */
  readonly until: number;
}

const queues = new WeakMap<Service['db'], Write[]>();

/**
 * Does a write, or, where the database is away, does it once that is back: within half a second, in the order in which
 * they came, for as long as the process runs, and 10 minutes at most.
 */
async function writeOrLater({ db, log }: Pick<Service, 'db' | 'log'>, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    const waiting = queues.get(db) ?? [];
    if (!(error instanceof DatabaseUnavailableError) || waiting.length >= mostWaiting) throw error;
    queues.set(db, waiting);
    waiting.push({ run, until: performance.now() + givenUpAfterMs });
    if (waiting.length === 1) void drain(waiting, log);
  }
}

async function drain(waiting: Write[], log: Service['log']): Promise<void> {
  while (waiting.length > 0) {
    await pause(everyMs, undefined, { ref: false });
    for (let next = waiting[0]; next; next = waiting[0]) {
      const failure = await next.run().catch((error: unknown) => error);
      const isAway = failure instanceof DatabaseUnavailableError && performance.now() < next.until;
      if (isAway) break;
      if (failure !== undefined) log.error({ err: failure }, 'a write that was put off could not be done');
      waiting.shift();
    }
  }
}
