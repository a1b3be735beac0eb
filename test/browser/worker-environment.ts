import { builtinEnvironments, type Environment } from 'vitest/runtime';

declare global {
  /** Has a function called after the last file of this worker. */
  function atWorkerEnd(end: () => Promise<void>): void;
}

/** Node, with an end for what the files of a worker share. */
const environment: Environment = {
  name: 'worker',
  viteEnvironment: 'ssr',
  async setup(global, options) {
    const node = await builtinEnvironments.node.setup(global, options);
    const ends: (() => Promise<void>)[] = [];
    global.atWorkerEnd = (end: () => Promise<void>) => ends.push(end);
    return {
      async teardown() {
        await Promise.all(ends.map((end) => end()));
        await node.teardown(global);
      },
    };
  },
};

export default environment;
