// Runs in the page, before the library's script. A classic script, because `cold` pages need it immediately.
Object.assign(globalThis, { measure, measureAtRest, atRest });

/**
 * Measures one call of `window.run()`. The ticks never let the main thread become idle, which affects work that waits
 * for idle time, and they take time themselves. Measure times without ticks, and the gap with them.
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
 * Measures a page that has become idle. The call runs in its own task, because the driver's command is accounted for
 * separately.
 *
 * @param {{ ticking: boolean }} options
 */
async function measureAtRest(options) {
  await new Promise((resolve) => setTimeout(resolve));
  return measure(options);
}

/**
 * Adds a deadline: the driver's command has none, and a hash that never resolves would block the whole run.
 *
 * @param {Promise<unknown>} promise
 */
function withDeadline(promise) {
  const late = new Promise((_, reject) => setTimeout(reject, 20_000, new Error('No hash in 20 s.')));
  return Promise.race([promise, late]);
}

/** Resolves when the page has been idle for some time. */
async function atRest() {
  await new Promise((resolve) => requestIdleCallback(resolve));
  await new Promise((resolve) => setTimeout(resolve, 800));
  await new Promise((resolve) => requestIdleCallback(resolve));
}

/** A loop of messages. Each tick is a task, so the time between two ticks is how long the main thread was held. */
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
    /** Waits for the next tick, which includes the task in which the hash resolved. @returns {Promise<number>} */
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
      // The browser reports a task after it has ended.
      await new Promise((resolve) => setTimeout(resolve, 50));
      take(observer.takeRecords());
      observer.disconnect();
      return longestMs;
    },
  };
}
