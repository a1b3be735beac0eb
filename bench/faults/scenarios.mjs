import { setTimeout as pause } from 'node:timers/promises';
import { clockScenarios } from './clock.mjs';
import { useUpConnections } from './connections.mjs';
import { diskScenarios } from './disk-full.mjs';
import { killInJob } from './job.mjs';
import { onEmbedded, onPostgresql } from './stage.mjs';
import { killAmongWebhooks } from './webhooks.mjs';

/** How long a fault lasts. */
export const faultMs = 5000;

/**
 * @typedef {object} Scenario
 * @property {string} name
 * @property {(given: Given) => Promise<import('./stage.mjs').Result | undefined>} run Resolves to undefined if the
 *   machine lacks what it needs.
 */

/** @typedef {{ cluster: import('../service/postgresql.mjs').StoppableCluster, newFolder: () => string, tell: (text: string) => void }} Given */

/** @type {readonly Scenario[]} */
export const scenarios = [
  stopped('fast'),
  stopped('immediate'),
  {
    name: 'PostgreSQL has no connection left',
    run: ({ cluster }) => onPostgresql({ name: 'PostgreSQL has no connection left', cluster }, useUpConnections),
  },
  ...diskScenarios,
  ...clockScenarios,
  {
    name: 'kill -9 of one of three, while webhooks are delivered',
    run: ({ cluster }) => killAmongWebhooks('kill -9 of one of three, while webhooks are delivered', cluster),
  },
  {
    name: 'kill -9 of one of three, during a job',
    run: ({ cluster }) => killInJob('kill -9 of one of three, during a job', cluster),
  },
  {
    name: 'kill -9, embedded database',
    run: ({ newFolder }) =>
      onEmbedded({ name: 'kill -9, embedded database', folder: newFolder() }, async ({ processes }) => {
        const over = performance.now();
        await processes.kill(0);
        await processes.restart(0);
        return { over, note: 'The time is that of the restart.' };
      }),
  },
];

/** @param {'fast' | 'immediate'} mode @returns {Scenario} */
function stopped(mode) {
  const name = `PostgreSQL stopped (${mode}) and started`;
  return {
    name,
    run: ({ cluster }) =>
      onPostgresql({ name, cluster }, async () => {
        await cluster.stop(mode);
        await pause(faultMs);
        await cluster.start();
        return { over: performance.now() };
      }),
  };
}
