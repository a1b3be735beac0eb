import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { dirname, join } from 'node:path';
import { chromium as playwright } from 'playwright';
import puppeteer from 'puppeteer-core';
import { findBrowsers } from '../../../scripts/find-browsers.mjs';
import { freePort } from '../../listen.mjs';
import { endGroup, within } from './by-hand.mjs';

/** @typedef {{ name: string, hidden: boolean, open(url: string, display: string): Promise<() => Promise<void>> }} Driver */

const found = findBrowsers();
/** Hides `navigator.webdriver`, as stealth tools do. */
const hide = '--disable-blink-features=AutomationControlled';
const quiet = ['--no-sandbox', '--disable-background-networking', '--no-first-run'];

/** `hidden`: `navigator.webdriver` is false, so that only other evidence remains. @type {Driver[]} */
export const drivers = [
  { name: 'Playwright, headless', hidden: false, open: (url, display) => openPlaywright(url, display, true, []) },
  {
    name: 'Playwright, window, hidden',
    hidden: true,
    open: (url, display) => openPlaywright(url, display, false, [hide]),
  },
  { name: 'Puppeteer, headless', hidden: false, open: (url, display) => openPuppeteer(url, display, true, []) },
  {
    name: 'Puppeteer, window, hidden',
    hidden: true,
    open: (url, display) => openPuppeteer(url, display, false, [hide]),
  },
  {
    name: 'chromedriver (Selenium), window',
    hidden: false,
    open: (url, display) => openChromedriver(url, display, []),
  },
  {
    name: 'chromedriver, window, hidden',
    hidden: true,
    open: (url, display) => openChromedriver(url, display, [hide]),
  },
  { name: 'Firefox, WebDriver BiDi', hidden: false, open: openFirefox },
  { name: 'WebKitWebDriver', hidden: false, open: openWebKit },
];

/**
 * @param {string} url
 * @param {string} display
 * @param {boolean} headless
 * @param {string[]} args
 */
async function openPlaywright(url, display, headless, args) {
  const env = { ...process.env, DISPLAY: display };
  const browser = await playwright.launch({
    executablePath: assertInstalled(found.chromium, 'Chromium'),
    headless,
    args,
    env,
  });
  await (await browser.newPage()).goto(url);
  return () => browser.close();
}

/**
 * @param {string} url
 * @param {string} display
 * @param {boolean} headless
 * @param {string[]} args
 */
async function openPuppeteer(url, display, headless, args) {
  const browser = await puppeteer.launch({
    executablePath: assertInstalled(found.chromium, 'Chromium'),
    headless,
    args: [...quiet, ...args],
    env: { ...process.env, DISPLAY: display },
  });
  await (await browser.newPage()).goto(url);
  return () => browser.close();
}

/** @param {string} url @param {string} display */
async function openFirefox(url, display) {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: assertInstalled(found.firefox, 'Firefox'),
    headless: true,
    env: { ...process.env, DISPLAY: display },
  });
  await (await browser.newPage()).goto(url);
  return () => browser.close();
}

/**
 * Opens the page as Selenium does, whose client uses the same protocol and the same driver.
 *
 * @param {string} url
 * @param {string} display
 * @param {string[]} args
 */
function openChromedriver(url, display, args) {
  const program = (process.env.PATH ?? '')
    .split(':')
    .map((folder) => join(folder, 'chromedriver'))
    .find(isExecutable);
  const options = { binary: assertInstalled(found.chromium, 'Chromium'), args: [...quiet, ...args] };
  return openWebDriver(url, {
    display,
    program: assertInstalled(program, 'chromedriver'),
    toArguments: (port) => [`--port=${port}`],
    capabilities: { 'goog:chromeOptions': options },
  });
}

/** @param {string} url @param {string} display */
function openWebKit(url, display) {
  const program = assertInstalled(found.webkitDriver, 'WebKitWebDriver');
  const options = { binary: assertInstalled(found.minibrowser, 'MiniBrowser'), args: ['--automation'] };
  return openWebDriver(url, {
    display,
    program,
    toArguments: (port) => ['--host=127.0.0.1', '-p', `${port}`],
    capabilities: { 'webkitgtk:browserOptions': options },
  });
}

/**
 * Starts a session with W3C WebDriver.
 *
 * @param {string} url
 * @param {object} options
 * @param {string} options.display
 * @param {string} options.program Path of the driver.
 * @param {(port: number) => string[]} options.toArguments Returns the driver's arguments for a port.
 * @param {Record<string, unknown>} options.capabilities
 */
async function openWebDriver(url, { display, program, toArguments, capabilities }) {
  const port = await freePort();
  const driver = spawn(program, toArguments(port), {
    cwd: dirname(program),
    env: { ...process.env, DISPLAY: display },
    stdio: 'ignore',
    detached: true,
  });
  const base = `http://127.0.0.1:${port}`;
  try {
    await within(15_000, `The start of ${program}`, waitUntilReady(`${base}/status`));
    const { sessionId } = await post(`${base}/session`, { capabilities: { alwaysMatch: capabilities } });
    await post(`${base}/session/${sessionId}/url`, { url });
    return async () => {
      await fetch(`${base}/session/${sessionId}`, { method: 'DELETE' });
      await endGroup(driver);
    };
  } catch (error) {
    await endGroup(driver);
    throw error;
  }
}

/** @param {string} url @param {object} body @returns {Promise<{ sessionId: string }>} */
async function post(url, body) {
  const response = await fetch(url, {
    method: 'POST',
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(60_000),
  });
  const { value } = await response.json();
  if (!response.ok) throw new Error(`${url}: ${JSON.stringify(value)}`);
  return value;
}

/** @param {string} url */
async function waitUntilReady(url) {
  for (;;) {
    const isUp = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** @param {string} file */
function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** @template Value @param {Value | undefined} value @param {string} name @returns {Value} */
function assertInstalled(value, name) {
  if (value === undefined) throw new Error(`${name} is not installed.`);
  return value;
}
