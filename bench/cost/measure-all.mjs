import { startChromium } from './browser.mjs';
import { load } from './load.mjs';

/** @typedef {{ quiet: import('./load.mjs').Load[], ticking: import('./load.mjs').Load[], errors: string[] }} Loads */

/**
 * Loads all pages in alternating order (A B C, C B A, ...), so that other activity on the machine affects all equally.
 * Each round loads a page twice, once without ticks and once with (page/measure.js). The first round is a warm-up and
 * is dropped.
 *
 * @param {string} origin
 * @param {{ names: readonly string[], loads: number, cold: boolean, newBrowser: boolean, onRound: (round: number) => void }} options
 *   `newBrowser`: starts a browser for each load. Otherwise, one browser loads all pages, each in a new context.
 * @returns {Promise<{ browserVersion: string, measured: Record<string, Loads> }>}
 */
export async function measureAll(origin, { names, loads, cold, newBrowser, onRound }) {
  /** @type {Record<string, Loads>} */
  const measured = Object.fromEntries(names.map((name) => [name, { quiet: [], ticking: [], errors: [] }]));
  let browser = await startChromium();
  const browserVersion = browser.version();
  try {
    for (let round = 0; round <= loads; round++) {
      onRound(round);
      for (const name of round % 2 ? names.toReversed() : names) {
        for (const ticking of [false, true]) {
          if (newBrowser) {
            await browser.close();
            browser = await startChromium();
          }
          const found = measured[name];
          try {
            const loaded = await load(browser, origin, { name, cold, ticking });
            if (round > 0) found?.[ticking ? 'ticking' : 'quiet'].push(loaded);
          } catch (error) {
            // A failing hash is a result and is shown as one.
            found?.errors.push(String(error));
          }
        }
      }
    }
  } finally {
    await browser.close();
  }
  return { browserVersion, measured };
}
