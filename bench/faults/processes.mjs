import { join } from 'node:path';
import { startService } from '../service/service.mjs';

/**
 * @typedef {object} Processes Processes of the service on one database.
 * @property {string[]} urls The processes known to the load balancer, in turn.
 * @property {(index: number) => Promise<void>} kill Ends one immediately, like `kill -9`. Its address stays known.
 * @property {(index: number) => Promise<void>} restart Starts it again, at another address in the same position.
 * @property {() => Promise<void>} stop Lets all of them shut down.
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
    if (!found) throw new Error(`There is no process ${index}.`);
    return found;
  };
  return {
    urls,
    async kill(index) {
      process.kill(at(index).pid, 'SIGKILL');
      // It has already ended. This waits for the notification.
      await at(index).stop();
    },
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
