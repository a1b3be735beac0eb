import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { WebSocket } from 'undici';
import { findBrowsers } from '../../../scripts/find-browsers.mjs';
import { freePort } from '../../listen.mjs';
import { endGroup, within } from '../spoofers/by-hand.mjs';

/** @typedef {import('./stacks.mjs').Start} Start */

/** The arguments that nodriver and zendriver set. */
const nodriver = [
  ...['--no-service-autorun', '--no-default-browser-check', '--homepage=about:blank', '--no-pings'],
  ...['--password-store=basic', '--disable-infobars', '--disable-breakpad', '--disable-dev-shm-usage'],
  ...['--disable-session-crashed-bubble', '--disable-search-engine-choice-screen'],
];

/** Drives Chromium as nodriver and zendriver do: events of the input domain, no Runtime.enable, no emulation. */
export const openRaw = rawClient(nodriver, []);

/** Connects to a browser that a person started with a debugging port, and enables nothing but `Page`. */
export const openPageOnly = rawClient([], ['Page.enable']);

/**
 * Starts Chromium with a debugging port. `end` ends it.
 *
 * @param {string[]} args
 * @param {Start} start
 */
export async function startWithPort(args, { headless, display, home }) {
  const port = await freePort();
  const child = spawn(
    findBrowsers().chromium ?? 'chromium',
    [
      ...['--no-sandbox', '--no-first-run', ...args, `--remote-debugging-port=${port}`],
      ...[...(headless ? ['--headless=new'] : []), `--user-data-dir=${join(home, 'profile')}`, 'about:blank'],
    ],
    { stdio: 'ignore', env: { ...process.env, DISPLAY: display }, detached: true },
  );
  return { port, targets: await pagesOf(port), end: () => endGroup(child) };
}

/**
 * Returns a client of the raw DevTools protocol.
 *
 * @param {string[]} args of Chromium
 * @param {string[]} methods that the client calls before it opens the page
 * @returns {import('./stacks.mjs').Stack['open']}
 */
function rawClient(args, methods) {
  return async (url, start) => {
    const { targets, end } = await startWithPort(args, start);
    const page = await connectTo(targets[0]);
    for (const method of methods) await page(method);
    await page('Page.navigate', { url });
    const click = async (/** @type {string} */ selector) => {
      const { root } = await page('DOM.getDocument');
      const { nodeId } = await page('DOM.querySelector', { nodeId: root.nodeId, selector });
      const { quads } = await page('DOM.getContentQuads', { nodeId });
      const [left, top, right, , , bottom] = quads[0];
      const at = { x: (left + right) / 2, y: (top + bottom) / 2, button: 'left', clickCount: 1 };
      await page('Input.dispatchMouseEvent', { type: 'mousePressed', ...at });
      await page('Input.dispatchMouseEvent', { type: 'mouseReleased', ...at });
    };
    return {
      async fill() {
        await click('#text');
        for (const char of 'Maria Example') await page('Input.dispatchKeyEvent', { type: 'char', text: char });
        await click('#done');
      },
      close: end,
    };
  };
}

/** Waits for Chromium, and returns the addresses of its pages. @param {number} port @returns {Promise<string[]>} */
function pagesOf(port) {
  const list = async () => {
    for (;;) {
      const targets = await fetch(`http://127.0.0.1:${port}/json`).then(
        (response) => response.json(),
        () => [],
      );
      const pages = targets.filter(({ type }) => type === 'page');
      if (pages.length) return pages.map(({ webSocketDebuggerUrl }) => webSocketDebuggerUrl);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  return within(60_000, 'The start of Chromium', list());
}

/** Returns a function that calls a method of a page's protocol. @param {string | undefined} url */
async function connectTo(url) {
  if (!url) throw new Error('Chromium has no page.');
  const socket = new WebSocket(url);
  await new Promise((resolve) => socket.addEventListener('open', resolve));
  let lastId = 0;
  return (/** @type {string} */ method, /** @type {object} */ params = {}) => {
    const id = ++lastId;
    /** @type {Promise<any>} */
    const answer = new Promise((resolve) => {
      socket.addEventListener('message', function take({ data }) {
        const message = JSON.parse(data);
        if (message.id !== id) return;
        socket.removeEventListener('message', take);
        resolve(message.result ?? {});
      });
    });
    socket.send(JSON.stringify({ id, method, params }));
    return within(30_000, method, answer);
  };
}
