import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { listen } from '../listen.mjs';
import { query } from '../service/postgresql.mjs';
import { command, project } from '../service/service.mjs';
import { onPostgresql } from './stage.mjs';

/** Slow enough that deliveries are always in progress. */
const responseDelayMs = 1000;
/** Enough concurrent deliveries that each process has some. */
const minInFlight = 12;
const inFlightTimeoutMs = 120_000;
const downMs = 3000;
/** Other workers take over the deliveries of a dead worker after a minute. */
const maxWaitMs = 180_000;

/** @param {string} name @param {import('../service/postgresql.mjs').StoppableCluster} cluster */
export async function killAmongWebhooks(name, cluster) {
  const receiver = await startReceiver();
  const setting = {
    environmentOf: () => ({ ALLOW_PRIVATE_WEBHOOKS: '127.0.0.0/8' }),
    prepare: async (/** @type {{ environment: import('../service/service.mjs').Environment }} */ { environment }) => {
      const withPrivate = { ...environment, ALLOW_PRIVATE_WEBHOOKS: '127.0.0.0/8' };
      await command(withPrivate, 'webhooks', 'add', '--project', project, '--url', receiver.url);
    },
  };
  try {
    return await onPostgresql({ name, cluster, setting }, async ({ processes, load, database }) => {
      const end = performance.now() + inFlightTimeoutMs;
      while (receiver.inFlight() < minInFlight && performance.now() < end) await pause(5);
      if (receiver.inFlight() < minInFlight) throw new Error(`There were never ${minInFlight} concurrent deliveries.`);
      const endedAt = performance.now();
      const survivors = processes.urls.filter((_, index) => index !== 1);
      await processes.kill(1);
      await pause(downMs);
      await processes.restart(1);
      return { endedAt, survivors, finish: () => waitUntilDelivered(database, receiver, load) };
    });
  } finally {
    await receiver.close();
  }
}

/**
 * @param {string} database @param {Awaited<ReturnType<typeof startReceiver>>} receiver
 * @param {import('./load.mjs').Load} load
 */
async function waitUntilDelivered(database, receiver, { ledger }) {
  const startedAt = performance.now();
  const events = (await query(database, 'select id from events')).map(({ id }) => String(id));
  const missing = () => events.filter((id) => !receiver.received.has(id));
  // Deliveries of a dead process count as in progress for a minute.
  const waiting = async () => {
    const [row] = await query(
      database,
      `select count(*)::int as count from webhook_deliveries where status = 'waiting'`,
    );
    return Number(row?.count);
  };
  const isDone = async () => missing().length === 0 && (await waiting()) === 0;
  while (!(await isDone()) && performance.now() - startedAt < maxWaitMs) await pause(200);
  if (missing().length > 0) ledger.broken.push(`${missing().length} events were never delivered`);
  const unknown = [...receiver.received.keys()].filter((id) => !events.includes(id));
  if (unknown.length > 0) ledger.broken.push(`${unknown.length} deliveries belong to no event`);
  const left = await waiting();
  if (left > 0) ledger.broken.push(`${left} deliveries were still waiting`);
  const duplicates = [...receiver.received.values()].filter((count) => count > 1).length;
  const delivered = events.length - missing().length;
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  return `${delivered} of ${events.length} events were delivered, ${duplicates} of them more than once under the same ID, ${seconds} s after the load.`;
}

async function startReceiver() {
  /** @type {Map<string, number>} How often each event was received. */
  const received = new Map();
  let inFlight = 0;
  const server = createServer(async (request, response) => {
    inFlight += 1;
    request.resume();
    await pause(responseDelayMs);
    inFlight -= 1;
    const id = String(request.headers['webhook-id']);
    received.set(id, (received.get(id) ?? 0) + 1);
    response.writeHead(204).end();
  });
  const { port, close } = await listen(server);
  return { url: `http://127.0.0.1:${port}/`, received, inFlight: () => inFlight, close };
}
