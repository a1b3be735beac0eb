import { join } from 'node:path';
import { startService } from '../service/service.mjs';

/**
 * @typedef {object} Processes Processes of the service on one database.
 * @property {string[]} urls URLs of the processes, used in turn by the clients.
 * @property {() => number[]} pids IDs of the processes.
 * @property {(index: number) => Promise<void>} kill Kills a process with `kill -9`. Its URL stays in the list.
 * @property {(index: number) => Promise<void>} end Ends a process with SIGTERM. Its URL stays in the list.
 * @property {(index: number) => Promise<void>} restart Restarts a process. Its new URL replaces the old one in the list.
 * @property {() => Promise<void>} stop Stops all processes.
 */

/**
 * @param {(index: number) => import('../service/service.mjs').Environment} environmentOf
 * @param {{ count: number, folder: string }} options
 * @returns {Promise<Processes>}
 */
export async function startProcesses(environmentOf, { count, folder }) {
  let starts = 0;
  const start = (/** @type {number} */ index) => {
    const logFile = join(folder, `service-${index}-${starts++}.log`);
    return startService(environmentOf(index), { logFile });
  };
  const running = await Promise.all(Array.from({ length: count }, (_, index) => start(index)));
  const urls = running.map(({ url }) => url);
  const at = (/** @type {number} */ index) => {
    const found = running[index];
    if (!found) throw new Error(`Process ${index} does not exist.`);
    return found;
  };
  return {
    urls,
    pids: () => running.map(({ pid }) => pid),
    async kill(index) {
      process.kill(at(index).pid, 'SIGKILL');
      // The process has already ended. This waits for its exit event.
      await at(index).stop();
    },
    end: (index) => at(index).stop(),
    async restart(index) {
      const started = await start(index);
      running[index] = started;
      urls[index] = started.url;
    },
    async stop() {
      await Promise.all(running.map((each) => each.stop()));
    },
  };
}
