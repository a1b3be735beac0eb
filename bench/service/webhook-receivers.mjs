import { createServer } from 'node:http';
import { listen } from '../listen.mjs';

/**
 * @typedef {object} Arrival
 * @property {string} id ID of the event.
 * @property {string} timestamp Time of the event.
 * @property {number} at Time of arrival, in milliseconds of `performance.now()`.
 */

/** @typedef {Awaited<ReturnType<typeof startReceiver>>} Receiver */

/** Starts a webhook receiver, which accepts events immediately, and never responds after `die()`. */
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
 * Summarises the events of one receiver.
 *
 * @param {readonly Arrival[]} arrivals
 * @param {number} startedAt
 */
export function summarise(arrivals, startedAt) {
  const ids = new Set(arrivals.map(({ id }) => id));
  // The distance of an event from its place in chronological order.
  const inOrder = arrivals.map((_, index) => index).sort((a, b) => compare(arrivals[a], arrivals[b]));
  return {
    events: ids.size,
    duplicates: arrivals.length - ids.size,
    maxDisplacement: Math.max(0, ...inOrder.map((came, place) => Math.abs(came - place))),
    lastSeconds: ((arrivals.at(-1)?.at ?? startedAt) - startedAt) / 1000,
  };
}

/** Ids increase with time, even within a millisecond. @param {Arrival | undefined} a @param {Arrival | undefined} b */
function compare(a, b) {
  return (a?.id ?? '') < (b?.id ?? '') ? -1 : 1;
}
