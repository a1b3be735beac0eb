import { fork } from 'node:child_process';
import { once } from 'node:events';

/** @typedef {{ run: (task: import('./load.mjs').Task) => Promise<import('./load.mjs').Outcome>, pid: number, stop: () => void }} LoadProcess */

/** @returns {LoadProcess} */
export function startLoad() {
  const child = fork(new URL('load.mjs', import.meta.url));
  const ended = once(child, 'exit').then(() => {
    throw new Error('The load generator ended too early.');
  });
  ended.catch(() => {});
  return {
    pid: Number(child.pid),
    async run(task) {
      child.send(task);
      const [outcome] = await Promise.race([once(child, 'message'), ended]);
      return outcome;
    },
    stop: () => child.disconnect(),
  };
}
