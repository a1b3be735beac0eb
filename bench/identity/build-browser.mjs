import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from './devtools.mjs';

const quiet = [
  '--headless',
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--no-first-run',
  '--no-default-browser-check',
  '--mute-audio',
  '--remote-debugging-pipe',
];

/**
 * Software WebGL: builds before about 107 use SwiftShader's own GL, and later ones use it under ANGLE. @param {number}
 * major
 */
function softwareWebGl(major) {
  return major < 107 ? ['--use-gl=swiftshader'] : ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'];
}

/** @typedef {{ width: number, height: number }} Screen In physical pixels. */

/**
 * @typedef {object} BuildPage
 * @property {(url: string) => Promise<void>} goto Resolves when the page has loaded.
 * @property {(expression: string) => Promise<any>} evaluate Awaits the expression's promise. Its value must be JSON.
 *
 * @typedef {object} BuildBrowser
 * @property {string} version The version that the browser reports.
 * @property {() => Promise<BuildPage>} open
 * @property {() => Promise<void>} close
 */

/**
 * Starts a Chromium of any age in a new profile.
 *
 * @param {string} executable
 * @param {{ major: number, args?: string[], environment?: Record<string, string>, screen?: Screen, emulate?: [string, object][] }} options
 *   `screen` is emulated, because old builds do not support `--screen-info`. Default: 1920 × 1080. `emulate`: commands
 *   of the DevTools protocol for each page, for properties that the engine itself can emulate.
 * @returns {Promise<BuildBrowser>}
 */
export async function startBuild(executable, { major, args = [], environment = {}, screen, emulate = [] }) {
  const profile = await mkdtemp(join(tmpdir(), 'whorl-identity-'));
  const child = spawn(executable, [...quiet, ...softwareWebGl(major), `--user-data-dir=${profile}`, ...args], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
  });
  const ended = once(child, 'exit');
  const [input, output] = [child.stdio[3], child.stdio[4]];
  const tools = connect(/** @type {import('node:stream').Writable} */ (input), /** @type {any} */ (output));
  const close = async () => {
    child.kill('SIGKILL');
    await ended;
    await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  };
  try {
    const { product } = await tools.send('Browser.getVersion');
    return { version: product, open: () => openPage(tools, screen ?? { width: 1920, height: 1080 }, emulate), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * @param {import('./devtools.mjs').DevTools} tools
 * @param {Screen} screen
 * @param {[string, object][]} emulate
 * @returns {Promise<BuildPage>}
 */
async function openPage(tools, { width, height }, emulate) {
  const { targetId } = await tools.send('Target.createTarget', { url: 'about:blank' });
  const { sessionId } = await tools.send('Target.attachToTarget', { targetId, flatten: true });
  const send = (/** @type {string} */ method, /** @type {object} */ parameters = {}) =>
    tools.send(method, parameters, sessionId);
  await send('Page.enable');
  await send('Emulation.setDeviceMetricsOverride', {
    width: 1280,
    height: 720,
    deviceScaleFactor: 1,
    mobile: false,
    screenWidth: width,
    screenHeight: height,
  });
  for (const [method, parameters] of emulate) await send(method, parameters);
  let loaded = () => {};
  tools.on('Page.loadEventFired', () => loaded());
  return {
    async goto(url) {
      const load = new Promise((resolve) => {
        loaded = () => resolve(undefined);
      });
      const { errorText } = await send('Page.navigate', { url });
      if (errorText) throw new Error(`${url}: ${errorText}`);
      await load;
    },
    async evaluate(expression) {
      const { result, exceptionDetails } = await send('Runtime.evaluate', {
        expression,
        awaitPromise: true,
        returnByValue: true,
      });
      if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
      return result.value;
    },
  };
}
