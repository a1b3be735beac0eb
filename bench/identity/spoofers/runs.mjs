import { readFile } from 'node:fs/promises';
import { FingerprintInjector, newInjectedContext } from 'fingerprint-injector';
import puppeteerCore from 'puppeteer-core';
import { addExtra } from 'puppeteer-extra';
import stealth from 'puppeteer-extra-plugin-stealth';
import { findBrowsers } from '../../../scripts/find-browsers.mjs';
import { startChromium } from '../../cost/browser.mjs';
import { read } from './read.mjs';

/** @typedef {{ name: string, reads: import('./read.mjs').Read[] }} Run */

const untouched = /** @type {const} */ ({
  viewport: null,
  colorScheme: null,
  reducedMotion: null,
  forcedColors: null,
  contrast: null,
});

/**
 * All spoofers on this machine's Chromium, each page in a storage of its own, and the same browser without any.
 *
 * @param {string} url
 * @param {import('./identities.mjs').Identity[]} identities
 * @param {number} farblings How many loads with farbling.
 * @returns {Promise<{ version: string, reference: import('./read.mjs').Read, runs: Run[] }>}
 */
export async function runSpoofers(url, identities, farblings) {
  const browser = await startChromium();
  try {
    const version = browser.version();
    const clean = () => browser.newContext(untouched);
    const reference = await readIn(await clean(), url);
    const injector = new FingerprintInjector();
    /** @type {Run} */
    const script = { name: 'injected script', reads: [] };
    /** @type {Run} */
    const context = { name: 'injected context', reads: [] };
    for (const identity of identities) {
      const scripted = await clean();
      await scripted.addInitScript({ content: injector.getInjectableScript(identity) });
      script.reads.push(await readIn(scripted, url));
      context.reads.push(await readIn(await newInjectedContext(browser, { fingerprint: identity }), url));
      console.error(`Identity ${script.reads.length} of ${identities.length}`);
    }
    /** @type {Run} */
    const farbled = { name: 'farbling', reads: [] };
    const content = await readFile(new URL('farbling.js', import.meta.url), 'utf8');
    for (let load = 0; load < farblings; load++) {
      const farbling = await clean();
      await farbling.addInitScript({ content });
      farbled.reads.push(await readIn(farbling, url));
    }
    const hidden = { name: 'stealth', reads: [await readWithStealth(url)] };
    return { version, reference, runs: [script, context, hidden, farbled] };
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

/** @param {string} url */
async function readWithStealth(url) {
  const { chromium } = findBrowsers();
  if (!chromium) throw new Error('No Chromium found. `npm run setup:browsers` installs one.');
  const puppeteer = addExtra(/** @type {never} */ (puppeteerCore)).use(stealth());
  const browser = await puppeteer.launch({
    executablePath: chromium,
    headless: true,
    defaultViewport: null,
    args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-background-networking'],
  });
  try {
    return await read(await browser.newPage(), url);
  } finally {
    await browser.close();
  }
}
