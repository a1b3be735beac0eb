/**
 * @typedef {object} Counts
 * @property {number} sent
 * @property {number} answered With 2xx.
 * @property {number} refused Clearly: what passes (408; 503, 429 and 409 with Retry-After), or a problem that another try
 *   would not change (409, 410).
 * @property {number} broken The connection broke, or there was none.
 * @property {number} unclear Any other answer: none is right here.
 */

/**
 * @typedef {object} Done What was answered with 2xx.
 * @property {string} path
 * @property {object} body That was sent.
 * @property {string | undefined} idempotencyKey
 * @property {string} text The answer.
 * @property {string} url Of the process that gave it.
 * @property {number} sentAt
 * @property {number} at On the clock of `performance.now()`.
 */

/** @typedef {ReturnType<typeof createLedger>} Ledger What a load maker sent, and what came of it. */

export function createLedger() {
  /** @type {Counts} */
  const counts = { sent: 0, answered: 0, refused: 0, broken: 0, unclear: 0 };
  /** @type {Done[]} */
  const done = [];
  /** @type {Record<string, number>} */
  const kinds = {};
  /** @type {string[]} */
  const broken = [];
  return {
    counts,
    done,
    /** What came of requests, by status and code. */
    kinds,
    /** Promises that were broken, each in a sentence. */
    broken,
    /** @param {keyof Counts} count @param {string} [kind] */
    count(count, kind) {
      counts[count] += 1;
      if (kind !== undefined) kinds[kind] = (kinds[kind] ?? 0) + 1;
    },
  };
}
