// The load generator, in its own process. Runs the tasks of its parent and returns the measurements.
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { quantile } from '../cost/stats.mjs';
import { createRequests } from './requests.mjs';

/**
 * @typedef {object} Task
 * @property {string} url
 * @property {string} path
 * @property {string} key
 * @property {import('./requests.mjs').Mix} mix
 * @property {number} devices
 * @property {number} seconds
 * @property {number} [concurrency] Closed loop: number of requests in flight.
 * @property {number} [rate] Open loop: requests per second, sent regardless of earlier responses.
 */

/**
 * @typedef {object} Outcome
 * @property {number} perSecond Successful responses per second.
 * @property {number} answered Number of successful responses.
 * @property {{ p50: number, p95: number, p99: number, max: number }} ms Time from when a request was due to its response.
 * @property {number} lateMs 99th percentile of the delay in sending requests: the share of the load generator in the times.
 * @property {Record<string, number>} failures By cause.
 * @property {number} failed
 * @property {Record<string, number>} kinds The number of requests of each kind.
 */

const maxConnections = 512;

process.on('message', async (/** @type {Task} */ task) => {
  process.send?.(await runTask(task));
});
process.on('disconnect', () => process.exit());

/** @param {Task} task @returns {Promise<Outcome>} */
async function runTask(task) {
  const pool = new Pool(task.url, { connections: task.concurrency ?? maxConnections });
  const record = createRecord(task);
  try {
    await (task.concurrency ? inClosedLoop(pool, task, record) : inOpenLoop(pool, task, record));
    return record.summarise();
  } finally {
    await pool.close();
  }
}

/** @typedef {ReturnType<typeof createRecord>} Record_ */

/** @param {Task} task */
function createRecord({ seconds }) {
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1000;
  /** @type {number[]} */
  const latencies = [];
  /** @type {number[]} */
  const lateness = [];
  /** @type {Record<string, number>} */
  const failures = {};
  /** @type {Record<string, number>} */
  const kinds = {};
  let within = 0;
  const count = (/** @type {Record<string, number>} */ counts, /** @type {string} */ name) => {
    counts[name] = (counts[name] ?? 0) + 1;
  };
  return {
    startedAt,
    endsAt,
    sent(/** @type {number} */ dueAt) {
      lateness.push(performance.now() - dueAt);
    },
    answered(/** @type {number} */ dueAt, /** @type {string} */ kind, /** @type {string | undefined} */ failure) {
      const now = performance.now();
      count(kinds, kind);
      if (failure) return count(failures, failure);
      latencies.push(now - dueAt);
      if (now <= endsAt) within += 1;
    },
    summarise() {
      const at = (/** @type {number} */ share) => quantile(latencies, share);
      return {
        perSecond: within / seconds,
        answered: latencies.length,
        ms: { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) },
        lateMs: quantile(lateness, 0.99),
        failures,
        failed: Object.values(failures).reduce((sum, value) => sum + value, 0),
        kinds,
      };
    },
  };
}

/** @param {Pool} pool @param {Task} task @param {Record_} record */
async function inClosedLoop(pool, task, record) {
  const next = createRequests(task);
  const worker = async () => {
    while (performance.now() < record.endsAt)
      await send({ pool, task, record, request: next(), dueAt: performance.now() });
  };
  await Promise.all(Array.from({ length: task.concurrency ?? 1 }, worker));
}

/** @param {Pool} pool @param {Task} task @param {Record_} record */
async function inOpenLoop(pool, task, record) {
  const next = createRequests(task);
  const rate = task.rate ?? 1;
  const total = Math.floor(rate * task.seconds);
  const dueAt = (/** @type {number} */ index) => record.startedAt + (index * 1000) / rate;
  const sending = [];
  for (let index = 0; index < total; ) {
    for (; index < total && dueAt(index) <= performance.now(); index++) {
      sending.push(send({ pool, task, record, request: next(), dueAt: dueAt(index) }));
    }
    await pause(1);
  }
  await Promise.all(sending);
}

/**
 * Sends one request and records its result.
 *
 * @param {object} options
 * @param {Pool} options.pool
 * @param {Task} options.task
 * @param {Record_} options.record
 * @param {import('./requests.mjs').Request} options.request
 * @param {number} options.dueAt When the request was due, on the clock of `performance.now()`.
 */
async function send({ pool, task, record, request: { kind, body, verdict }, dueAt }) {
  record.sent(dueAt);
  let failure;
  try {
    const { status, text } = await post(pool, task, JSON.stringify(body));
    if (status !== 200) failure = `status ${status}`;
    else if (JSON.parse(text).verdict !== verdict) failure = `${kind}: ${JSON.parse(text).verdict}`;
  } catch (error) {
    failure = String(error);
  }
  record.answered(dueAt, kind, failure);
}

/**
 * Sends a request without the streams that `pool.request` creates for each response. On two processors, the load
 * generator competes with the service for time.
 *
 * @param {Pool} pool @param {Task} task @param {string} body
 * @returns {Promise<{ status: number, text: string }>}
 */
function post(pool, { path, key }, body) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    let status = 0;
    /** @type {Buffer[]} */
    const chunks = [];
    pool.dispatch(
      { path, method: 'POST', headers, body },
      {
        onRequestStart() {},
        onResponseStart(_controller, statusCode) {
          status = statusCode;
        },
        onResponseData(_controller, chunk) {
          chunks.push(chunk);
        },
        onResponseEnd() {
          resolve({ status, text: Buffer.concat(chunks).toString('utf8') });
        },
        onResponseError(_controller, error) {
          reject(error);
        },
      },
    );
  });
}
