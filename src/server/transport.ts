import { addressOf, type Place } from './address.js';
import type { ResultCheck } from './checks.js';
import { type Deadline, startDeadline } from './deadline.js';
import { WhorlArgumentError, WhorlClientError, WhorlConnectionError } from './errors.js';
import { checkIdempotencyKey, checkTimeoutMs, type WriteOptions } from './options.js';
import type { Fetch } from './platform.js';
import { readResponse } from './read-response.js';
import { isBusy, isUnanswered, pauseBeforeRetry } from './retry.js';

/** A call to the service. */
export interface Call<Result> extends Place {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly body?: object | undefined;
  /** Whether a POST has an idempotency key. Default: true. */
  readonly isIdempotent?: boolean | undefined;
  readonly isResult: ResultCheck<Result>;
  /** The version that the call is based on, sent as `If-Match`. */
  readonly version?: string | undefined;
  /** Receives the version of the result, from `ETag`. Called after each attempt that succeeded. */
  readonly onVersion?: ((version: string) => void) | undefined;
}

/** Sends calls to the service. */
export interface Transport {
  /**
   * Makes a call, and retries it after temporary failures.
   *
   * @throws {WhorlClientError} the error of the last attempt; or, if the service was out of reach then but busy in an
   *   earlier one, the error of that.
   */
  call<Result>(call: Call<Result>, options?: WriteOptions): Promise<Result>;
}

/** The options of a transport. */
export interface TransportOptions {
  readonly baseUrl: string;
  /** Absent for public endpoints. */
  readonly apiSecret?: string | undefined;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly fetch?: Fetch | undefined;
}

/** Creates a transport. The secret is kept in this closure, so that printing the client does not show it. */
export function createTransport({ baseUrl, apiSecret, timeoutMs, retries, fetch }: TransportOptions): Transport {
  const send: Fetch = fetch ?? ((url, init) => globalThis.fetch(url, init));

  return {
    async call<Result>(call: Call<Result>, options: WriteOptions = {}) {
      const name = `${call.method} ${call.path}`;
      const url = addressOf(baseUrl, call);
      const request = requestOf(call, options, apiSecret);
      const deadline = startDeadline(name, checkTimeoutMs(options.timeoutMs ?? timeoutMs), options.signal);

      const attempt = async () => {
        const { response, text } = await exchange(name, deadline, async () => {
          const response = await send(url, { ...request, signal: deadline.signal });
          return { response, text: await response.text() };
        });
        const result = readResponse(name, response, text, call.isResult);
        call.onVersion?.(response.headers.get('etag') ?? '');
        return result;
      };

      try {
        return await withRetries(attempt, retries, deadline);
      } finally {
        deadline.clear();
      }
    },
  };
}

/** Returns the parts of a request that are equal in all attempts. */
function requestOf(
  { method, body, version, isIdempotent = true }: Call<unknown>,
  { idempotencyKey }: WriteOptions,
  apiSecret: string | undefined,
) {
  const headers: Record<string, string> = { accept: 'application/json' };
  if (apiSecret !== undefined) headers.authorization = `Bearer ${apiSecret}`;
  if (method === 'POST' && isIdempotent) {
    headers['idempotency-key'] =
      idempotencyKey === undefined ? crypto.randomUUID() : checkIdempotencyKey(idempotencyKey);
  }
  if (version !== undefined) headers['if-match'] = version;
  if (body !== undefined) headers['content-type'] = 'application/json';
  // Following a redirect would send the secret to another address.
  const redirect = 'manual' as const;
  return body === undefined ? { method, headers, redirect } : { method, headers, redirect, body: serialise(body) };
}

function serialise(body: object): string {
  try {
    return JSON.stringify(body);
  } catch (cause) {
    throw new WhorlArgumentError(
      'The request cannot be converted to JSON. Remove circular references and BigInt values.',
      cause,
    );
  }
}

/** Sends a request and reads the response within the deadline. */
async function exchange<Value>(name: string, deadline: Deadline, run: () => Promise<Value>): Promise<Value> {
  try {
    if (deadline.signal.aborted) throw deadline.signal.reason;
    return await deadline.race(run());
  } catch (cause) {
    if (cause instanceof WhorlClientError) throw cause;
    // The aborted work may fail before the deadline reports its reason.
    if (deadline.signal.reason instanceof WhorlClientError) throw deadline.signal.reason;
    throw new WhorlConnectionError(
      'network',
      `${name} could not reach the service. Check baseUrl and the network.`,
      cause,
    );
  }
}

/** Repeats an attempt while a retry may help and time is left. */
async function withRetries<Value>(attempt: () => Promise<Value>, retries: number, deadline: Deadline): Promise<Value> {
  let busy: unknown;
  try {
    for (let retry = 0; ; retry += 1) {
      try {
        return await attempt();
      } catch (error) {
        if (isBusy(error)) busy = error;
        const pauseMs = retry < retries ? pauseBeforeRetry(error, retry) : undefined;
        if (pauseMs === undefined || pauseMs >= deadline.remainingMs()) throw error;
        await deadline.pause(pauseMs);
      }
    }
  } catch (error) {
    // Visitors can make the service busy. What follows must not count as unavailable, which may let everybody in.
    throw busy && isUnanswered(error) ? busy : error;
  }
}
