import { setTimeout as pause } from 'node:timers/promises';
import { requireFromService } from '../service/of-service.mjs';

const pg = requireFromService('pg');
const faultDurationMs = 5000;

/**
 * Opens all connections that the server allows and terminates those of the service, for some seconds.
 *
 * @param {import('./stage.mjs').Stage & { database: string }} stage
 * @returns {Promise<import('./stage.mjs').FaultOutcome>}
 */
export async function useUpConnections({ database }) {
  const first = new pg.Client(database);
  await first.connect();
  const held = [first];
  let ended = 0;
  for (const end = performance.now() + faultDurationMs; performance.now() < end; ) {
    held.push(...(await takeAll(database)));
    const { rowCount } = await first.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name like 'whorl-%'`,
    );
    ended += rowCount ?? 0;
    await pause(5);
  }
  await Promise.all(held.map((client) => client.end()));
  return {
    endedAt: performance.now(),
    note: `Other clients held ${held.length} connections. ${ended} connections of the service were terminated.`,
  };
}

/** @param {string} database @returns {Promise<import('pg').Client[]>} */
async function takeAll(database) {
  const clients = Array.from({ length: 10 }, () => new pg.Client(database).on('error', () => undefined));
  const outcomes = await Promise.allSettled(clients.map((client) => client.connect()));
  return clients.filter((_, index) => outcomes[index]?.status === 'fulfilled');
}
