import { readFile } from 'node:fs/promises';
import { FingerprintInjector, newInjectedContext } from 'fingerprint-injector';
import puppeteerCore from 'puppeteer-core';
import { addExtra } from 'puppeteer-extra';
import stealth from 'puppeteer-extra-plugin-stealth';
import { findBrowsers } from '../../../scripts/find-browsers.mjs';
import { startChromium } from '../../cost/browser.mjs';
import { read } from './read.mjs';

/** @typedef {import('./read.mjs').Read} Read */
/** @typedef {{ name: string, reference: Read, reads: Read[] }} Run */

const untouched = /** @type {const} */ ({
  viewport: null,
  colorScheme: null,
  reducedMotion: null,
  forcedColors: null,
  contrast: null,
});

/**
 * Runs all spoofing tools on this machine's Chromium, each page in a fresh profile, and the same browser without any.
 *
 * @param {string} url
 * @param {import('./identities.mjs').Identity[]} identities
 * @param {number} farblings Number of loads with farbling.
 * @returns {Promise<{ version: string, runs: Run[] }>}
 */
export async function runSpoofers(url, identities, farblings) {
  const browser = await startChromium();
  try {
    const clean = () => browser.newContext(untouched);
    const reference = await readIn(await clean(), url);
    const run = (/** @type {string} */ name) => ({ name, reference, reads: /** @type {Read[]} */ ([]) });
    const script = run("fingerprint-injector's script");
    const context = run("fingerprint-injector's context");
    const farbled = run('farbling');
    const injector = new FingerprintInjector();
    for (const identity of identities) {
      const scripted = await clean();
      await scripted.addInitScript({ content: injector.getInjectableScript(identity) });
      script.reads.push(await readIn(scripted, url));
      context.reads.push(await readIn(await newInjectedContext(browser, { fingerprint: identity }), url));
      console.error(`Identity ${script.reads.length} of ${identities.length}`);
    }
    const content = await readFile(new URL('farbling.js', import.meta.url), 'utf8');
    for (let load = 0; load < farblings; load++) {
      const farbling = await clean();
      await farbling.addInitScript({ content });
      farbled.reads.push(await readIn(farbling, url));
    }
    return { version: browser.version(), runs: [script, context, farbled, await runStealth(url)] };
  } finally {
    await browser.close();
  }
}

/**
 * @param {import('playwright').BrowserContext} context
 * @param {string} url
 */
async function readIn(context, url) {
  try {
    return await read(await context.newPage(), url);
  } finally {
    await context.close();
  }
}

/** @param {string} url @returns {Promise<Run>} */
async function runStealth(url) {
  const { chromium: executablePath } = findBrowsers();
  if (!executablePath) throw new Error('No Chromium found. `npm run setup:browsers` installs one.');
  const launch = async (/** @type {{ launch: Function }} */ puppeteer) => {
    const browser = await puppeteer.launch({
      executablePath,
      headless: true,
      defaultViewport: null,
      args: [
        '--no-sandbox',
        '--use-angle=swiftshader',
        '--enable-unsafe-swiftshader',
        '--disable-background-networking',
      ],
    });
    try {
      return await read(await browser.newPage(), url);
    } finally {
      await browser.close();
    }
  };
  const reference = await launch(puppeteerCore);
  const hidden = await launch(addExtra(/** @type {never} */ (puppeteerCore)).use(stealth()));
  return { name: 'puppeteer-extra-plugin-stealth', reference, reads: [hidden] };
}
