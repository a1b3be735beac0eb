import { loadavg } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { quantile } from '../cost/stats.mjs';
import { processorMs } from './processor.mjs';

/**
 * @typedef {object} Target The receiver of the load.
 * @property {string} name
 * @property {string} url
 * @property {string} path
 * @property {string} key
 * @property {number} devices
 * @property {import('./requests.mjs').Mix} mix
 * @property {number} pid
 * @property {number} [databasePid]
 */

/** @typedef {{ concurrency: number } | { rate: number }} Pressure */
/** @typedef {import('./load.mjs').Outcome & { target: string, load: number, processor: Processor }} Measured */
/** @typedef {{ own: number, database: number }} Processor Milliseconds of processor time per request. */

/** Number of requests after which code is compiled and statements are prepared. */
const warmUpRequests = 6000;
const warmUpLimitSeconds = 60;
/** While other targets run, a process discards compiled code. */
const runInSeconds = 2;
const levels = [4, 8, 16, 32, 64];
/** Smaller differences are noise of the machine. */
const growth = 1.03;
/** Maximum processor time per second of an idle database, in milliseconds. */
const idleMs = 50;
const idleSeconds = 3;
const idleLimitSeconds = 600;

/** @param {import('./load-process.mjs').LoadProcess} load */
export function createMeasure(load) {
  /** @param {Target} target @param {Pressure & { seconds: number }} pressure @returns {Promise<Measured>} */
  async function run(target, pressure) {
    const { name, url, path, key, devices, mix, pid, databasePid } = target;
    const pids = databasePid === undefined ? [pid] : [pid, databasePid];
    const before = pids.map(processorMs);
    const outcome = await load.run({ url, path, key, devices, mix, ...pressure });
    const [own = Number.NaN, database = Number.NaN] = pids.map(
      (one, at) => ((processorMs(one) ?? Number.NaN) - (before[at] ?? Number.NaN)) / outcome.answered,
    );
    return { target: name, ...outcome, processor: { own, database }, load: loadavg()[0] ?? Number.NaN };
  }

  return {
    run,

    /** @param {Target} target */
    async warmUp(target) {
      const until = performance.now() + warmUpLimitSeconds * 1000;
      for (let answered = 0; answered < warmUpRequests && performance.now() < until; ) {
        answered += (await run(target, { concurrency: 16, seconds: 2 })).answered;
      }
    },

    /**
     * Finds the smallest concurrency with maximum throughput. Each value is tried on the way up and on the way down, so
     * that a stall in one try does not look like the limit.
     *
     * @param {Target} target @param {number} seconds Duration of each try.
     */
    async findConcurrency(target, seconds) {
      const reached = new Map(levels.map((level) => [level, 0]));
      for (const concurrency of [...levels, ...levels.toReversed()]) {
        const { perSecond } = await run(target, { concurrency, seconds });
        reached.set(concurrency, (reached.get(concurrency) ?? 0) + perSecond);
      }
      const best = Math.max(...reached.values());
      return levels.find((level) => (reached.get(level) ?? 0) * growth >= best) ?? levels[0];
    },

    /**
     * Waits until a database has finished the background work after filling and starting: vacuuming, statistics.
     *
     * @param {number} pid
     */
    async waitUntilIdle(pid) {
      let quiet = 0;
      let before = processorMs(pid) ?? 0;
      for (let second = 0; quiet < idleSeconds && second < idleLimitSeconds; second++) {
        await setTimeout(1000);
        const now = processorMs(pid) ?? 0;
        quiet = now - before < idleMs ? quiet + 1 : 0;
        before = now;
      }
    },

    /**
     * Measures several targets under load in alternating order, so that other activity on the machine affects all
     * equally.
     *
     * @param {(Target & Pressure)[]} targets @param {{ seconds: number, rounds: number }} options `seconds`: total
     *   for each target.
     * @returns {Promise<Measured[]>}
     */
    async measureAlternating(targets, { seconds, rounds }) {
      const all = [];
      for (let round = 0; round < rounds; round++) {
        for (const target of round % 2 ? targets.toReversed() : targets) {
          const pressure = 'rate' in target ? { rate: target.rate } : { concurrency: target.concurrency };
          await run(target, { ...pressure, seconds: runInSeconds });
          all.push(await run(target, { ...pressure, seconds: seconds / rounds }));
        }
      }
      return all;
    },
  };
}

/**
 * Returns the median over a target's rounds.
 *
 * @param {readonly Measured[]} all @param {string} name @param {(one: Measured) => number} read
 */
export function medianOf(all, name, read) {
  const values = all.filter(({ target }) => target === name).map(read);
  return quantile(values, 0.5);
}
