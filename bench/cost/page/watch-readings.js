// Runs in the page, before whorl's script. Adds to what whorl reports when each reading ran, which it does not say itself.
Object.assign(globalThis, { measureReadings });

/**
 * Calls `Whorl.getComponents()`. Whorl asks for the time when a reading starts and when it ends, and reports the difference:
 * watching the clock finds the two. Ticks (measure.js has the reason to have loads without) show what of it was in one piece.
 *
 * @param {{ ticking: boolean }} options
 * @returns {Promise<import('../readings.mjs').ReadingsLoad>}
 */
async function measureReadings({ ticking }) {
  const { Whorl } = /** @type {{ Whorl: typeof import('../../../dist/index.js') }} */ (
    /** @type {unknown} */ (globalThis)
  );
  const now = performance.now.bind(performance);
  /** @type {number[]} */
  const asked = [];
  performance.now = () => {
    const time = now();
    asked.push(time);
    return time;
  };
  const ticks = ticking ? logTicks(now) : undefined;
  await new Promise((resolve) => setTimeout(resolve));
  const startedAt = now();
  const { readings } = await Whorl.getComponents();
  const timeMs = now() - startedAt;
  const pieces = await ticks?.stop();
  performance.now = now;
  return {
    timeMs,
    readings: Object.entries(readings).map(([name, { status, durationMs }]) => {
      const span = findSpan(asked, durationMs);
      return {
        name,
        status,
        durationMs,
        ...(span && { startMs: span[0] - startedAt }),
        ...(span && pieces && { sliceMs: longestWithin(pieces, span) }),
      };
    }),
  };
}

/**
 * The start and end that lie so far apart. The nearest such pair: a short duration that occurs twice is
 * more likely the reading that nothing came between.
 *
 * @param {readonly number[]} asked
 * @param {number} durationMs
 * @returns {[start: number, end: number] | undefined}
 */
function findSpan(asked, durationMs) {
  for (let apart = 1; apart < asked.length; apart++) {
    for (const [index, start] of asked.entries()) {
      const end = asked[index + apart];
      if (end !== undefined && end - start === durationMs) return [start, end];
    }
  }
  return undefined;
}

/** A loop of messages that keeps the times of all its ticks. @param {() => number} now */
function logTicks(now) {
  const { port1, port2 } = new MessageChannel();
  const times = [now()];
  let onTick = () => {};
  port1.onmessage = () => {
    times.push(now());
    port2.postMessage(0);
    onTick();
  };
  port2.postMessage(0);
  return {
    /** Waits for the next tick. @returns {Promise<number[]>} */
    async stop() {
      await new Promise((resolve) => {
        onTick = () => resolve(undefined);
      });
      port1.close();
      return times;
    },
  };
}

/**
 * The longest time without a tick inside a span.
 *
 * @param {readonly number[]} ticks
 * @param {[start: number, end: number]} span
 */
function longestWithin(ticks, [start, end]) {
  const inside = [start, ...ticks.filter((time) => time > start && time < end), end];
  return Math.max(...inside.slice(1).map((time, index) => time - (inside[index] ?? time)));
}
