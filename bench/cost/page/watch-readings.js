// Runs in the page, before whorl's script. Records when each reading ran, which whorl does not report.
Object.assign(globalThis, { measureReadings });

/**
 * Calls `Whorl.getComponents()`. Whorl reads the clock when a reading starts and when it ends, and reports the
 * difference, so recording the clock's values finds both times. Ticks show the longest uninterrupted part. measure.js
 * explains why there are also loads without them.
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
  const clockTimes = [];
  performance.now = () => {
    const time = now();
    clockTimes.push(time);
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
      const span = findSpan(clockTimes, durationMs);
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
 * Returns two recorded times with this difference. Prefers the pair with the fewest times between, because a short
 * duration that occurs twice is more likely a reading without interruption.
 *
 * @param {readonly number[]} clockTimes
 * @param {number} durationMs
 * @returns {[start: number, end: number] | undefined}
 */
function findSpan(clockTimes, durationMs) {
  for (let apart = 1; apart < clockTimes.length; apart++) {
    for (const [index, start] of clockTimes.entries()) {
      const end = clockTimes[index + apart];
      if (end !== undefined && end - start === durationMs) return [start, end];
    }
  }
  return undefined;
}

/** Starts a loop of messages that records the times of its ticks. @param {() => number} now */
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
 * Returns the longest time without a tick within a span.
 *
 * @param {readonly number[]} ticks
 * @param {[start: number, end: number]} span
 */
function longestWithin(ticks, [start, end]) {
  const inside = [start, ...ticks.filter((time) => time > start && time < end), end];
  return Math.max(...inside.slice(1).map((time, index) => time - (inside[index] ?? time)));
}
