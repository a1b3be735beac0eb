/**
 * @typedef {object} Counts
 * @property {number} sent
 * @property {number} answered Responses with 2xx.
 * @property {number} refused Expected errors: temporary ones (408; 503, 429 and 409 with Retry-After), and errors that a
 *   retry would not change (409, 410).
 * @property {number} disconnected Requests whose connection failed.
 * @property {number} unexpected All other responses, which are errors of the service.
 */

/**
 * @typedef {object} Done A request with a 2xx response.
 * @property {string} path
 * @property {object} body The request body.
 * @property {string | undefined} idempotencyKey
 * @property {string} text The response body.
 * @property {string} url The process that responded.
 * @property {number} sentAt
 * @property {number} at On the clock of `performance.now()`.
 */

/** @typedef {ReturnType<typeof createLedger>} Ledger The requests of a load generator and their results. */

export function createLedger() {
  /** @type {Counts} */
  const counts = { sent: 0, answered: 0, refused: 0, disconnected: 0, unexpected: 0 };
  /** @type {Done[]} */
  const done = [];
  /** @type {Record<string, number>} */
  const kinds = {};
  /** @type {string[]} */
  const broken = [];
  return {
    counts,
    done,
    /** The results of requests, by status and code. */
    kinds,
    /** Violated guarantees, one sentence each. */
    broken,
    /** @param {keyof Counts} count @param {string} [kind] */
    count(count, kind) {
      counts[count] += 1;
      if (kind !== undefined) kinds[kind] = (kinds[kind] ?? 0) + 1;
    },
  };
}
