import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { listen } from '../listen.mjs';
import { query } from '../service/postgresql.mjs';
import { command, project } from '../service/service.mjs';
import { onPostgresql } from './stage.mjs';

/** Slow enough that deliveries are always in progress. */
const answersAfterMs = 1000;
/** Enough concurrent deliveries that each process has some. */
const enough = 12;
const enoughWithinMs = 120_000;
const downMs = 3000;
/** After a minute, other workers take over what a dead worker held. */
const longestWaitMs = 180_000;

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
      const end = performance.now() + enoughWithinMs;
      while (receiver.underWay() < enough && performance.now() < end) await pause(5);
      if (receiver.underWay() < enough) throw new Error(`There were never ${enough} concurrent deliveries.`);
      const over = performance.now();
      const among = processes.urls.filter((_, index) => index !== 1);
      await processes.kill(1);
      await pause(downMs);
      await processes.restart(1);
      return { over, among, finish: () => untilDelivered(database, receiver, load) };
    });
  } finally {
    await receiver.close();
  }
}

/**
 * @param {string} database @param {Awaited<ReturnType<typeof startReceiver>>} receiver
 * @param {import('./load.mjs').Load} load
 */
async function untilDelivered(database, receiver, { ledger }) {
  const startedAt = performance.now();
  const events = (await query(database, 'select id from events')).map(({ id }) => String(id));
  const missing = () => events.filter((id) => !receiver.taken.has(id));
  // What a dead process had taken counts as in progress for a minute, delivered or not.
  const waiting = async () => {
    const [row] = await query(
      database,
      `select count(*)::int as count from webhook_deliveries where status = 'waiting'`,
    );
    return Number(row?.count);
  };
  const isOver = async () => missing().length === 0 && (await waiting()) === 0;
  while (!(await isOver()) && performance.now() - startedAt < longestWaitMs) await pause(200);
  if (missing().length > 0) ledger.broken.push(`${missing().length} events were never delivered`);
  const strange = [...receiver.taken.keys()].filter((id) => !events.includes(id));
  if (strange.length > 0) ledger.broken.push(`${strange.length} deliveries are of no event`);
  const left = await waiting();
  if (left > 0) ledger.broken.push(`${left} deliveries still waited`);
  const again = [...receiver.taken.values()].filter((count) => count > 1).length;
  const delivered = events.length - missing().length;
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  return `${events.length} events, ${delivered} delivered, ${again} of them more than once under one id; looked at ${seconds} s after the load.`;
}

async function startReceiver() {
  /** @type {Map<string, number>} How often each event was received. */
  const taken = new Map();
  let underWay = 0;
  const server = createServer(async (request, response) => {
    underWay += 1;
    request.resume();
    await pause(answersAfterMs);
    underWay -= 1;
    const id = String(request.headers['webhook-id']);
    taken.set(id, (taken.get(id) ?? 0) + 1);
    response.writeHead(204).end();
  });
  const { port, close } = await listen(server);
  return { url: `http://127.0.0.1:${port}/`, taken, underWay: () => underWay, close };
}
