import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { addressOf, fingerprintOfNew } from '../service/population.mjs';
import { createLedger } from './ledger.mjs';

/** The number of concurrent people. */
const people = 8;
/** Delay before a retry, regardless of `Retry-After`, so that recovery is visible immediately. */
const retryMs = 200;
/** Well above the service's own limit for a request (10 s). */
const requestTimeoutMs = 30_000;
/** The code of a response that does not come from the service. */
const notAProblem = 'no problem';
const evaluatePath = '/v2/device/evaluate';
/** A permanent error response. */
const refused = Object.freeze({});
/** Number of the next person, outside the numbers used elsewhere. */
let nextPerson = 2_000_000_000;

/**
 * @typedef {object} LoadOptions
 * @property {readonly string[]} urls URLs of the processes, used in turn. May change during the run.
 * @property {string} key
 */

/** @typedef {ReturnType<typeof startLoad>} Load */

/**
 * Simulates people who log in, each with a separate device and address. Each evaluation is sent twice at the same time,
 * to two processes, and each challenge is completed twice at the same time. Then the person logs in again and must be
 * allowed. Requests without a 2xx response are retried, with the same Idempotency-Key if they have one.
 *
 * @param {LoadOptions} options
 */
export function startLoad({ urls, key }) {
  const ledger = createLedger();
  const agent = new Agent({ connections: 64 });
  let turn = 0;
  let isEnding = false;
  let hasTimedOut = false;
  const nextUrl = () => urls[turn++ % urls.length] ?? '';

  /** @typedef {{ path: string, body: object, idempotencyKey?: string }} Call */

  /** @param {Call} call @returns {Promise<any>} Undefined if the run ended first. */
  async function sendUntilAccepted(call) {
    while (!hasTimedOut) {
      const url = nextUrl();
      const answer = await send(url, call);
      if (answer !== undefined) return answer;
      await pause(retryMs);
    }
    return undefined;
  }

  /** @param {string} url @param {Call} call */
  async function send(url, { path, body, idempotencyKey }) {
    ledger.count('sent');
    const sentAt = performance.now();
    try {
      const answer = await request(url + path, {
        method: 'POST',
        dispatcher: agent,
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
        },
        body: JSON.stringify(body),
        headersTimeout: requestTimeoutMs,
        bodyTimeout: requestTimeoutMs,
      });
      const text = await answer.body.text();
      if (answer.statusCode < 300) {
        ledger.count('answered');
        ledger.done.push({ path, body, idempotencyKey, text, url, sentAt, at: performance.now() });
        return JSON.parse(text);
      }
      return countRefusal(answer.statusCode, answer.headers, text);
    } catch (error) {
      const { code, name } = /** @type {{ code?: string, name: string }} */ (error);
      ledger.count('disconnected', `disconnected: ${code ?? name}`);
      return undefined;
    }
  }

  /** @param {number} status @param {Record<string, unknown>} headers @param {string} text */
  function countRefusal(status, headers, text) {
    const isProblem = headers['content-type'] === 'application/problem+json';
    const code = isProblem ? JSON.parse(text).code : notAProblem;
    const hasRetryAfter = headers['retry-after'] !== undefined;
    const isExpected = status === 408 || isFinal(status, code) || (hasRetryAfter && [409, 429, 503].includes(status));
    ledger.count(isExpected ? 'refused' : 'unexpected', `${status} ${code}`);
    return isFinal(status, code) ? refused : undefined;
  }

  /** Returns whether a retry would not change the result. @param {number} status @param {string} code */
  function isFinal(status, code) {
    return (status === 409 || status === 410) && code !== notAProblem && code !== 'idempotency_in_flight';
  }

  async function logIn() {
    const number = nextPerson++;
    const user = `person-${number}`;
    const login = { action: 'login', user, fingerprint: fingerprintOfNew(number), ip: addressOf(number, 12) };
    const call = { path: evaluatePath, body: login };
    const evaluations = await Promise.all([
      sendUntilAccepted({ ...call, idempotencyKey: `login-${number}` }),
      sendUntilAccepted(call),
    ]);
    const [challenge, other] = evaluations.map((evaluation) => evaluation?.challenge_id);
    if (!challenge || !other) {
      if (!hasTimedOut && !evaluations.includes(refused)) ledger.broken.push(`${user} was not challenged`);
      return;
    }
    const completion = { path: `/v2/challenges/${challenge}/complete`, body: {} };
    const completed = await Promise.all([
      sendUntilAccepted({ ...completion, idempotencyKey: `done-${number}` }),
      sendUntilAccepted(completion),
    ]);
    if (completed.includes(undefined) || completed.includes(refused)) return;
    const again = await sendUntilAccepted(call);
    if (again && again.verdict !== 'allow') ledger.broken.push(`${user} was not allowed after the challenge`);
  }

  const work = async () => {
    while (!isEnding) await logIn();
  };
  const working = Promise.all(Array.from({ length: people }, work));
  /** @type {Promise<void> | undefined} */
  let ending;

  /** @param {number} withinMs */
  async function finish(withinMs) {
    isEnding = true;
    const timer = setTimeout(() => {
      hasTimedOut = true;
    }, withinMs);
    await working;
    clearTimeout(timer);
    await agent.close();
  }

  return {
    ledger,
    /**
     * Waits for this many further 2xx responses.
     *
     * @param {number} more @param {number} withinMs
     * @returns {Promise<boolean>} Whether they arrived in time.
     */
    async answered(more, withinMs) {
      const goal = ledger.counts.answered + more;
      const end = performance.now() + withinMs;
      while (ledger.counts.answered < goal && performance.now() < end) await pause(20);
      return ledger.counts.answered >= goal;
    },
    /** Waits until all people have finished, and stops the others at the time limit. @param {number} withinMs */
    end: (withinMs) => (ending ??= finish(withinMs)),
  };
}
