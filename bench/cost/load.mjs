import { setTimeout as wait } from 'node:timers/promises';
import { withFreshPage } from './browser.mjs';

/**
 * @typedef {object} Measured What a page measured (page/measure.js).
 * @property {string} hash
 * @property {number} timeMs From the call of `run()` to its hash.
 * @property {number} [gapMs] The longest time between two ticks of a loop of messages, from the call to the tick after the hash.
 * @property {number} longTaskMs The longest task of 50 ms or more that the browser reported, or 0.
 */

/**
 * @typedef {object} Processor What the browser measured.
 * @property {number} [taskMs] How long tasks held the main thread, waiting for other processes within one included.
 * @property {number} [scriptMs] The part of it that the browser counts as script: not what runs after an `await`.
 * @property {number} [threadMs] Processor time of the main thread.
 * @property {number} [processMs] Processor time of all threads of the page's process, in steps of 10 ms.
 * @property {string[]} refused Addresses elsewhere that were asked for.
 */

/** @typedef {Measured & Processor} Load What one load of a page showed. */

/** What a library leaves to be done after its hash is its cost, too. */
const settleMs = 200;

/**
 * Loads a page and measures its `run()` once.
 *
 * @param {import('playwright').Browser} browser
 * @param {string} origin
 * @param {{ name: string, cold: boolean, ticking: boolean }} options `cold`: called at script load, and the processor
 *   times are of the whole page's life; otherwise called when the page has come to rest, and they are of the call.
 *   `ticking`: with the loop that shows gaps; it takes part in the processor times, which are then left out.
 * @returns {Promise<Load>}
 */
export function load(browser, origin, { name, cold, ticking }) {
  return withFreshPage(browser, origin, async (page, refused) => {
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable');
    const url = `${origin}/${encodeURIComponent(name)}`;
    const { measured, before } = cold ? await runCold() : await runAtRest();
    await wait(settleMs);
    const after = await metrics();
    const spent = (/** @type {string} */ metric) => ((after[metric] ?? 0) - (before[metric] ?? 0)) * 1000;
    const processor = {
      taskMs: spent('TaskDuration'),
      scriptMs: spent('ScriptDuration'),
      threadMs: spent('ThreadTime'),
      processMs: spent('ProcessTime'),
    };
    return { ...measured, ...(!ticking && processor), refused };

    async function runAtRest() {
      await page.goto(url);
      await page.evaluate('atRest()');
      const before = await metrics();
      return { measured: await evaluate(`measureAtRest({ ticking: ${ticking} })`), before };
    }

    async function runCold() {
      await page.goto(`${url}?cold=${ticking ? 'ticking' : 'quiet'}`, { waitUntil: 'commit' });
      await page.waitForFunction('window.result');
      return { measured: await evaluate('window.result'), before: /** @type {Record<string, number>} */ ({}) };
    }

    /** @param {string} expression @returns {Promise<Measured>} */
    function evaluate(expression) {
      return page.evaluate(expression);
    }

    /** @returns {Promise<Record<string, number>>} */
    async function metrics() {
      const { metrics } = await session.send('Performance.getMetrics');
      return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
    }
  });
}
