import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { listen } from '../listen.mjs';
import { addressOf, fingerprintOfNew } from '../service/population.mjs';

/** The number of concurrent people. */
const people = 8;
/** Well above the service's own limit for a request (10 s). */
const requestTimeoutMs = 30_000;
/** Delay after a failed request, so that a service that is down does not get thousands of requests. */
const afterFailureMs = 100;
/** Default of the number of the first person. */
const firstNumber = 1_000_000_000;

/** @typedef {Awaited<ReturnType<typeof startCodeReceiver>>} CodeReceiver */

/** Starts a server that receives text messages, as an operator's own (`TEXT_URL`). */
export async function startCodeReceiver() {
  /** @type {Map<string, string>} The newest code of each phone number. */
  const codes = new Map();
  const server = createServer(async (incoming, response) => {
    let text = '';
    for await (const chunk of incoming) text += chunk;
    const { to, body } = JSON.parse(text);
    const code = /\b\d{6}\b/.exec(body)?.[0];
    if (code) codes.set(to, code);
    response.writeHead(204).end();
  });
  const { port, close } = await listen(server);
  return {
    environment: { TEXT_URL: `http://127.0.0.1:${port}/`, TEXT_TOKEN: 'token of the benchmarks' },
    /** @param {string} phone */
    codeOf: (phone) => codes.get(phone),
    close,
  };
}

/** Returns the longest time between two answers, in milliseconds. @param {readonly number[]} answeredAt */
export function longestGapMs(answeredAt) {
  return Math.max(0, ...answeredAt.slice(1).map((at, index) => at - (answeredAt[index] ?? at)));
}

/** @typedef {ReturnType<typeof startLogins>} Logins */

/**
 * Simulates people who log in, each on a new device: evaluate, send a code, verify it, complete the challenge, and log in
 * again, which must be allowed. No request is repeated: every response other than 2xx counts as failed.
 *
 * @param {{ url: string, key: string, receiver: CodeReceiver, firstPerson?: number }} options `firstPerson`: its number.
 */
export function startLogins({ url, key, receiver, firstPerson = firstNumber }) {
  const agent = new Agent({ connections: people });
  /** @type {number[]} When each request was answered, on the clock of `performance.now()`. */
  const answeredAt = [];
  /** @type {Record<string, number>} Failed requests and unexpected responses, by kind. */
  const failures = {};
  /** Requests, and answers by what they must have stored. */
  const counts = { sent: 0, answered: 0, evaluations: 0, completions: 0, logins: 0 };
  let next = firstPerson;
  let isEnding = false;

  /** @param {string} kind */
  function fail(kind) {
    failures[kind] = (failures[kind] ?? 0) + 1;
  }

  /** @param {string} path @param {object} body @returns {Promise<any>} Undefined if it failed. */
  async function post(path, body) {
    counts.sent += 1;
    try {
      const answer = await request(url + path, {
        method: 'POST',
        dispatcher: agent,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        headersTimeout: requestTimeoutMs,
        bodyTimeout: requestTimeoutMs,
      });
      const text = await answer.body.text();
      if (answer.statusCode < 300) {
        counts.answered += 1;
        if (path.endsWith('/evaluate')) counts.evaluations += 1;
        if (path.endsWith('/complete')) counts.completions += 1;
        answeredAt.push(performance.now());
        return JSON.parse(text);
      }
      fail(`${answer.statusCode} ${/"code":"(\w+)"/.exec(text)?.[1] ?? 'not from the service'}`);
    } catch (error) {
      const { code, name } = /** @type {{ code?: string, name: string }} */ (error);
      fail(`disconnected: ${code ?? name}`);
    }
    await pause(afterFailureMs);
    return undefined;
  }

  async function logIn() {
    const number = next++;
    const phone = `+49151${String(number % 100_000_000).padStart(8, '0')}`;
    const user = `person-${number}`;
    const login = { action: 'login', user, fingerprint: fingerprintOfNew(number), ip: addressOf(number, 13), phone };
    const evaluation = await post('/v2/device/evaluate', login);
    if (!evaluation) return;
    const challenge = evaluation.challenge_id;
    if (!challenge) return fail(`not challenged: ${evaluation.verdict}`);
    if (!(await post(`/v2/challenges/${challenge}/send`, {}))) return;
    const verified = await post(`/v2/challenges/${challenge}/verify`, { code: receiver.codeOf(phone) });
    if (!verified) return;
    if (!verified.success) return fail('code not accepted');
    if (!(await post(`/v2/challenges/${challenge}/complete`, {}))) return;
    const again = await post('/v2/device/evaluate', login);
    if (!again) return;
    if (again.verdict === 'allow') counts.logins += 1;
    else fail(`not allowed after the challenge: ${again.verdict}`);
  }

  const working = Promise.all(
    Array.from({ length: people }, async () => {
      while (!isEnding) await logIn();
    }),
  );

  return {
    counts,
    failures,
    answeredAt,
    /** Returns the number of failed requests and of unexpected responses. */
    failed: () => Object.values(failures).reduce((sum, count) => sum + count, 0),
    /** Waits for this many further complete logins. @param {number} more @param {number} withinMs */
    async completed(more, withinMs) {
      const goal = counts.logins + more;
      const end = performance.now() + withinMs;
      while (counts.logins < goal) {
        if (performance.now() > end)
          throw new Error(`Fewer than ${more} logins in ${withinMs / 1000} s: ${JSON.stringify(failures)}`);
        await pause(20);
      }
    },
    /** Waits until all people have finished. */
    async end() {
      isEnding = true;
      await working;
      await agent.close();
    },
  };
}
