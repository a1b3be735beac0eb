import { setTimeout as pause } from 'node:timers/promises';
import { clockScenarios } from './clock.mjs';
import { useUpConnections } from './connections.mjs';
import { diskScenarios } from './disk-full.mjs';
import { killInJob } from './job.mjs';
import { onEmbedded, onPostgresql } from './stage.mjs';
import { killAmongWebhooks } from './webhooks.mjs';

/** How long a fault lasts. */
export const faultDurationMs = 5000;

/**
 * @typedef {object} Scenario
 * @property {string} name
 * @property {(context: ScenarioContext) => Promise<import('./stage.mjs').Result | undefined>} run Resolves to undefined if the
 *   machine lacks what it needs.
 */

/** @typedef {{ cluster: import('../service/postgresql.mjs').StoppableCluster, newFolder: () => string, logProgress: (text: string) => void }} ScenarioContext */

/** @type {readonly Scenario[]} */
export const scenarios = [
  stopped('fast'),
  stopped('immediate'),
  {
    name: 'PostgreSQL has no free connection',
    run: ({ cluster }) => onPostgresql({ name: 'PostgreSQL has no free connection', cluster }, useUpConnections),
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
        const endedAt = performance.now();
        await processes.kill(0);
        await processes.restart(0);
        return { endedAt, note: 'The time is the time of the restart.' };
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
        await pause(faultDurationMs);
        await cluster.start();
        return { endedAt: performance.now() };
      }),
  };
}
