// Runs in the page, before the library's script. Classic script: `cold` pages need it there at once.
Object.assign(globalThis, { measure, measureAtRest, atRest });

/**
 * Measures one call of `window.run()`. The ticks keep the main thread from ever being idle, which moves what waits for
 * that, and they cost time themselves: time is to be taken without them, the gap with them.
 *
 * @param {{ ticking: boolean }} options
 * @returns {Promise<import('../load.mjs').Measured>}
 */
async function measure({ ticking }) {
  const { run } = /** @type {{ run(): Promise<unknown> }} */ (/** @type {unknown} */ (globalThis));
  const longTasks = watchLongTasks();
  const ticks = ticking ? startTicks() : undefined;
  const startedAt = performance.now();
  ticks?.reset();
  const hash = await withDeadline(run());
  const timeMs = performance.now() - startedAt;
  const gapMs = await ticks?.stop();
  return { hash: String(hash), timeMs, gapMs, longTaskMs: await longTasks.stop() };
}

/**
 * The same for a page that has come to rest. The call is in a task of its own, since a driver's command is accounted for apart.
 *
 * @param {{ ticking: boolean }} options
 */
async function measureAtRest(options) {
  await new Promise((resolve) => setTimeout(resolve));
  return measure(options);
}

/**
 * A driver's command has no deadline of its own, and one hash that never comes would be the end of a long run.
 *
 * @param {Promise<unknown>} promise
 */
function withDeadline(promise) {
  const late = new Promise((_, reject) => setTimeout(reject, 20_000, new Error('No hash in 20 s.')));
  return Promise.race([promise, late]);
}

/** Resolves when the page has had nothing to do, and some time more. */
async function atRest() {
  await new Promise((resolve) => requestIdleCallback(resolve));
  await new Promise((resolve) => setTimeout(resolve, 800));
  await new Promise((resolve) => requestIdleCallback(resolve));
}

/** A loop of messages: each tick is a task, so what lies between two of them held the main thread. */
function startTicks() {
  const { port1, port2 } = new MessageChannel();
  let lastAt = performance.now();
  let longestMs = 0;
  let onTick = () => {};
  port1.onmessage = () => {
    const now = performance.now();
    longestMs = Math.max(longestMs, now - lastAt);
    lastAt = now;
    port2.postMessage(0);
    onTick();
  };
  port2.postMessage(0);
  return {
    reset() {
      lastAt = performance.now();
      longestMs = 0;
    },
    /** Waits for the next tick: the task in which the hash came is part of it. @returns {Promise<number>} */
    async stop() {
      await new Promise((resolve) => {
        onTick = () => resolve(undefined);
      });
      port1.close();
      return longestMs;
    },
  };
}

function watchLongTasks() {
  let longestMs = 0;
  const take = (/** @type {PerformanceEntryList} */ entries) => {
    for (const { duration } of entries) longestMs = Math.max(longestMs, duration);
  };
  const observer = new PerformanceObserver((list) => take(list.getEntries()));
  observer.observe({ type: 'longtask' });
  return {
    async stop() {
      // A task is reported after it has ended.
      await new Promise((resolve) => setTimeout(resolve, 50));
      take(observer.takeRecords());
      observer.disconnect();
      return longestMs;
    },
  };
}
