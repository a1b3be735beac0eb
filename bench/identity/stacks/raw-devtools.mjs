import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { WebSocket } from 'undici';
import { findBrowsers } from '../../../scripts/find-browsers.mjs';
import { freePort } from '../../listen.mjs';
import { endGroup, within } from '../spoofers/by-hand.mjs';

/**
 * Drives Chromium as nodriver and zendriver do: a debugging port, few arguments, no Runtime.enable, no emulation, and
 * events of the input domain.
 *
 * @type {import('./stacks.mjs').Stack['open']}
 */
export async function openRaw(url, { headless, display, home }) {
  const port = await freePort();
  const args = [
    ...[
      '--no-sandbox',
      '--no-first-run',
      '--no-service-autorun',
      '--no-default-browser-check',
      '--homepage=about:blank',
    ],
    ...['--no-pings', '--password-store=basic', '--disable-infobars', '--disable-breakpad', '--disable-dev-shm-usage'],
    ...['--disable-session-crashed-bubble', '--disable-search-engine-choice-screen', `--remote-debugging-port=${port}`],
    ...(headless ? ['--headless=new'] : []),
  ];
  const child = spawn(
    findBrowsers().chromium ?? 'chromium',
    [...args, `--user-data-dir=${join(home, 'profile')}`, 'about:blank'],
    {
      stdio: 'ignore',
      env: { ...process.env, DISPLAY: display },
      detached: true,
    },
  );
  const page = await connectToPage(port);
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
    async close() {
      await endGroup(child);
    },
  };
}

/** Returns a function that calls a method of the only page's protocol. @param {number} port */
async function connectToPage(port) {
  const url = await within(
    30_000,
    'The start of Chromium',
    (async () => {
      for (;;) {
        const list = await fetch(`http://127.0.0.1:${port}/json`).then(
          (response) => response.json(),
          () => [],
        );
        const target = list.find(({ type }) => type === 'page');
        if (target) return target.webSocketDebuggerUrl;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    })(),
  );
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
