import { execFile, spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import puppeteer from 'puppeteer-core';
import { findBrowsers } from '../../../scripts/find-browsers.mjs';
import { freePort } from '../../listen.mjs';
import { endGroup, within } from '../spoofers/by-hand.mjs';
import { openInPuppeteer, text } from './stacks.mjs';
import { modes, openUndriven } from './undriven.mjs';

const found = findBrowsers();
const run = promisify(execFile);

/** @typedef {import('./stacks.mjs').Stack} Stack */

/**
 * Drivers of the other engines, and events of the X server in browsers without a driver, to compare their behaviour.
 *
 * @type {Stack[]}
 */
export const others = [
  { name: 'Firefox, WebDriver BiDi', open: openFirefox },
  { name: 'WebKitGTK, WebDriver', open: openWebKit },
  { name: 'xdotool, Chromium', open: withXdotool('Chromium') },
  { name: 'xdotool, Chromium scaled to 150%', open: withXdotool('Chromium, scaled to 150%') },
  { name: 'xdotool, Firefox', open: withXdotool('Firefox') },
  { name: 'xdotool, WebKitGTK', open: withXdotool('WebKitGTK') },
];

/** @type {Stack['open']} */
async function openFirefox(url, { display }) {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: found.firefox,
    headless: false,
    env: { ...process.env, DISPLAY: display },
  });
  return openInPuppeteer(browser, url);
}

/** @type {Stack['open']} */
async function openWebKit(url, { display }) {
  const port = await freePort();
  const program = found.webkitDriver ?? 'WebKitWebDriver';
  const driver = spawn(program, ['--host=127.0.0.1', '-p', `${port}`], {
    cwd: dirname(program),
    env: { ...process.env, DISPLAY: display },
    stdio: 'ignore',
    detached: true,
  });
  const call = async (/** @type {string} */ path, /** @type {object} */ body) => {
    const response = await fetch(`http://127.0.0.1:${port}/session${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(60_000),
    });
    return (await response.json()).value;
  };
  const isUp = () =>
    fetch(`http://127.0.0.1:${port}/status`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isUp())) await new Promise((resolve) => setTimeout(resolve, 100));
  const options = { binary: found.minibrowser, args: ['--automation'] };
  const { sessionId } = await call('', { capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': options } } });
  await call(`/${sessionId}/url`, { url });
  const act = async (/** @type {string} */ selector, /** @type {string} */ action, /** @type {object} */ body) => {
    const found = await call(`/${sessionId}/element`, { using: 'css selector', value: selector });
    await call(`/${sessionId}/element/${Object.values(found)[0]}/${action}`, body);
  };
  return {
    async fill() {
      await act('#text', 'click', {});
      await act('#text', 'value', { text });
      await act('#done', 'click', {});
    },
    async close() {
      await fetch(`http://127.0.0.1:${port}/session/${sessionId}`, { method: 'DELETE' });
      await endGroup(driver);
    },
  };
}

/**
 * Moves the pointer in 30 steps and types 10 keys a second. These are events of the system, but not of a person, whose
 * pauses and paths cannot be had here.
 *
 * @param {string} name The name of a browser without a driver.
 * @returns {Stack['open']}
 */
function withXdotool(name) {
  return async (url, { display }) => {
    const mode = modes.find((each) => each.name === name);
    if (!mode) throw new Error(`No browser is called ${name}.`);
    /** @type {() => void} */
    let end = () => {};
    const ended = openUndriven(mode, url, display, () => new Promise((resolve) => (end = () => resolve(undefined))));
    ended.catch(() => {});
    const xdotool = (/** @type {(string | number)[]} */ ...args) =>
      run('xdotool', args.map(String), { env: { ...process.env, DISPLAY: display } });
    let at = [700, 700];
    const click = async (/** @type {number[]} */ to) => {
      const steps = Array.from({ length: 30 }, (_, step) =>
        at.map((from, axis) => Math.round(from + ((to[axis] ?? 0) - from) * ((step + 1) / 30))),
      );
      at = to;
      await xdotool(...steps.flatMap((point) => ['mousemove', ...point, 'sleep', 0.01]));
      await xdotool('mousedown', 1, 'sleep', 0.08, 'mouseup', 1);
    };
    return {
      async fill({ facts }) {
        const { inner, outer, at: corner, origin, ratio } = facts;
        const scale = mode.engine === 'chromium' ? ratio : 1;
        const left = origin[0] ?? corner[0] + (outer[0] - inner[0]) / 2;
        const top = origin[1] ?? corner[1] + (outer[1] - inner[1]);
        const point = (/** @type {number} */ x, /** @type {number} */ y) => [(left + x) * scale, (top + y) * scale];
        await click(point(311, 228));
        await xdotool('type', '--delay', 100, text);
        await click(point(352, 327));
        // The first press may only close a suggestion of the browser.
        await click(point(351, 325));
      },
      async close() {
        end();
        await within(20_000, 'The end of the browser', ended);
      },
    };
  };
}
