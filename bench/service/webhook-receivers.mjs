import { createServer } from 'node:http';
import { listen } from '../listen.mjs';

/**
 * @typedef {object} Arrival
 * @property {string} id Of the event.
 * @property {string} timestamp When it happened.
 * @property {number} at When it arrived, in milliseconds of `performance.now()`.
 */

/** @typedef {Awaited<ReturnType<typeof startReceiver>>} Receiver */

/** Starts a customer's server, which accepts events immediately or, once it is dead, never responds. */
export async function startReceiver() {
  /** @type {Arrival[]} */
  const arrivals = [];
  let isDead = false;
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const at = performance.now();
    arrivals.push({ id: String(request.headers['webhook-id']), timestamp: JSON.parse(body).timestamp, at });
    if (!isDead) response.writeHead(204).end();
  });
  const { port, close } = await listen(server);
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    arrivals,
    die() {
      isDead = true;
    },
    close,
  };
}

/**
 * Returns a summary of what one receiver got.
 *
 * @param {readonly Arrival[]} arrivals
 * @param {number} startedAt
 */
export function summarise(arrivals, startedAt) {
  const ids = new Set(arrivals.map(({ id }) => id));
  // How far an event arrived from its place in chronological order.
  const inOrder = arrivals.map((_, index) => index).sort((a, b) => compare(arrivals[a], arrivals[b]));
  return {
    events: ids.size,
    duplicates: arrivals.length - ids.size,
    furthestOutOfPlace: Math.max(0, ...inOrder.map((came, place) => Math.abs(came - place))),
    lastSeconds: ((arrivals.at(-1)?.at ?? startedAt) - startedAt) / 1000,
  };
}

/** Ids increase with time, even within a millisecond. @param {Arrival | undefined} a @param {Arrival | undefined} b */
function compare(a, b) {
  return (a?.id ?? '') < (b?.id ?? '') ? -1 : 1;
}
