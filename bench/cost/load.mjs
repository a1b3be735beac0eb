import { setTimeout as wait } from 'node:timers/promises';
import { withFreshPage } from './browser.mjs';

/**
 * @typedef {object} Measured What a page measured (page/measure.js).
 * @property {string} hash
 * @property {number} timeMs Time from the call of `run()` to its hash.
 * @property {number} [gapMs] The longest time between two ticks of a loop of messages, from the call to the tick after the hash.
 * @property {number} longTaskMs The longest task of 50 ms or more that the browser reported, or 0.
 */

/**
 * @typedef {object} Processor The browser's own measurements.
 * @property {number} [taskMs] Duration of all tasks of the main thread, including waits for other processes.
 * @property {number} [scriptMs] The part of it that the browser counts as script. Code after an `await` is not
 *   included.
 * @property {number} [threadMs] Processor time of the main thread.
 * @property {number} [processMs] Processor time of all threads of the page's process, in steps of 10 ms.
 * @property {string[]} refused Other addresses that were requested.
 */

/** @typedef {Measured & Processor} Load The results of one page load. */

/** Work that a library does after its hash also counts as its cost. */
const settleMs = 200;

/**
 * Loads a page and measures its `run()` once.
 *
 * @param {import('playwright').Browser} browser
 * @param {string} origin
 * @param {{ name: string, cold: boolean, ticking: boolean }} options `cold`: called when the script loads, with
 *   processor times of the whole page; otherwise called when the page is idle, with processor times of the call only.
 *   `ticking`: with the loop that shows gaps. The loop uses processor time, which is then not reported.
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
