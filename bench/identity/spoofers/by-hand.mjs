import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBrowsers } from '../../../scripts/find-browsers.mjs';

/** @typedef {{ name: string, program: 'chromium' | 'firefox' | 'minibrowser', args: string[], preferences?: Record<string, string | number | boolean> }} Hand */

const quietChromium = [
  '--no-sandbox',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-networking',
];
const softwareWebGl = ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'];

/** Browsers as a person starts them: no driver, no debugging port, no automation flag. @type {Hand[]} */
export const hands = [
  { name: 'Chromium', program: 'chromium', args: softwareWebGl },
  { name: 'Chromium, private window', program: 'chromium', args: [...softwareWebGl, '--incognito'] },
  { name: 'Chromium, whole screen', program: 'chromium', args: [...softwareWebGl, '--start-fullscreen'] },
  { name: 'Firefox', program: 'firefox', args: [] },
  { name: 'Firefox, private window', program: 'firefox', args: ['--private-window'] },
  {
    name: 'Firefox, resistFingerprinting',
    program: 'firefox',
    args: [],
    preferences: { 'privacy.resistFingerprinting': true },
  },
  {
    name: 'Firefox, fingerprinting protection',
    program: 'firefox',
    args: [],
    preferences: { 'privacy.fingerprintingProtection': true },
  },
  {
    name: 'Firefox, canvas randomisation',
    program: 'firefox',
    args: [],
    preferences: {
      'privacy.fingerprintingProtection': true,
      'privacy.fingerprintingProtection.overrides': '-AllTargets,+CanvasRandomization',
    },
  },
  { name: 'WebKitGTK', program: 'minibrowser', args: [] },
  { name: 'WebKitGTK, private', program: 'minibrowser', args: ['--private'] },
];

/** Without a driver, but started by a script rather than a person. @type {Hand} */
export const headlessByHand = { name: 'headless Chromium, no driver', program: 'chromium', args: ['--headless'] };

const quietFirefox = {
  'browser.shell.checkDefaultBrowser': false,
  'browser.aboutwelcome.enabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'app.normandy.enabled': false,
  'browser.startup.homepage_override.mstone': 'ignore',
};

/**
 * Starts a browser with the page as its only argument, waits until the page has posted its result, and ends the
 * browser.
 *
 * @param {import('./server.mjs').SpoofersServer} server
 * @param {Hand} hand
 * @param {string} display
 * @returns {Promise<import('./server.mjs').Posted | undefined>} Undefined if the browser is not installed.
 */
export async function readByHand(server, { name, program, args, preferences = {} }, display) {
  const command = findBrowsers()[program];
  if (!command) return undefined;
  const home = await mkdtemp(join(tmpdir(), 'whorl-hand-'));
  const url = `${server.origin}/?post=${encodeURIComponent(name)}`;
  const lines = Object.entries({ ...quietFirefox, ...preferences });
  await writeFile(
    join(home, 'user.js'),
    lines.map(([key, value]) => `user_pref(${JSON.stringify(key)}, ${JSON.stringify(value)});`).join('\n'),
  );
  const own = {
    chromium: [...quietChromium, `--user-data-dir=${home}`],
    firefox: ['--no-remote', '--profile', home],
    minibrowser: [],
  }[program];
  const posted = server.posted(name);
  const child = spawn(command, [...own, ...args, url], {
    env: {
      ...process.env,
      DISPLAY: display,
      HOME: home,
      XDG_DATA_HOME: home,
      XDG_CACHE_HOME: home,
      XDG_CONFIG_HOME: home,
    },
    stdio: 'ignore',
    detached: true,
  });
  try {
    return await within(90_000, `The page in ${name}`, posted);
  } finally {
    await endGroup(child);
    await rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

/**
 * Provides an X display while `use` runs.
 *
 * @template Value
 * @param {(display: string) => Promise<Value>} use
 */
export async function withScreen(use) {
  const { xvfb } = findBrowsers();
  if (!xvfb) throw new Error('No Xvfb found. `npm run setup:browsers` installs it.');
  const child = spawn(xvfb, ['-displayfd', '3', '-screen', '0', '1920x1080x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    detached: true,
  });
  const report = child.stdio[3];
  if (!report) throw new Error('Xvfb was started without a pipe for its display number.');
  try {
    const [number] = await within(15_000, 'The start of Xvfb', once(report, 'data'));
    return await use(`:${String(number).trim()}`);
  } finally {
    await endGroup(child);
  }
}

/**
 * @template Value
 * @param {number} timeoutMs
 * @param {string} what
 * @param {Promise<Value>} promise
 */
export async function within(timeoutMs, what, promise) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took longer than ${timeoutMs} ms.`)), timeoutMs);
  });
  try {
    return await /** @type {Promise<Value>} */ (Promise.race([promise, late]));
  } finally {
    clearTimeout(timer);
  }
}

/** Ends a process and its process group. @param {import('node:child_process').ChildProcess} child */
export async function endGroup(child) {
  if (child.pid === undefined || child.exitCode !== null) return;
  const ended = once(child, 'exit');
  process.kill(-child.pid, 'SIGTERM');
  try {
    await within(5_000, 'The end of a browser', ended);
  } catch {
    process.kill(-child.pid, 'SIGKILL');
  }
}
