import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBrowsers } from '../../../scripts/find-browsers.mjs';
import { endGroup, within } from '../spoofers/by-hand.mjs';

/** @typedef {{ engine: 'chromium' | 'firefox' | 'minibrowser', name: string, args?: string[], preferences?: Record<string, unknown>, isInspected?: boolean }} Mode */

const webGl = ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'];

/** Browsers as people start them, and the windows and settings that they may have. @type {Mode[]} */
export const modes = [
  { engine: 'chromium', name: 'Chromium' },
  { engine: 'chromium', name: 'Chromium, private window', args: ['--incognito'] },
  { engine: 'chromium', name: 'Chromium, maximised', args: ['--start-maximized'] },
  { engine: 'chromium', name: 'Chromium, full screen', args: ['--start-fullscreen'] },
  { engine: 'chromium', name: 'Chromium, app window', args: ['--app'] },
  { engine: 'chromium', name: 'Chromium, small window', args: ['--window-size=500,400', '--window-position=100,60'] },
  { engine: 'chromium', name: 'Chromium, window larger than the screen', args: ['--window-size=2400,1600'] },
  { engine: 'chromium', name: 'Chromium, scaled to 150%', args: ['--force-device-scale-factor=1.5'] },
  { engine: 'chromium', name: 'Chromium, developer tools', args: ['--auto-open-devtools-for-tabs'], isInspected: true },
  {
    engine: 'chromium',
    name: 'Chromium, private window, developer tools',
    args: ['--incognito', '--auto-open-devtools-for-tabs'],
    isInspected: true,
  },
  { engine: 'firefox', name: 'Firefox' },
  { engine: 'firefox', name: 'Firefox, private window', args: ['--private-window'] },
  { engine: 'firefox', name: 'Firefox, kiosk', args: ['--kiosk'] },
  { engine: 'firefox', name: 'Firefox, developer tools', args: ['--devtools'], isInspected: true },
  {
    engine: 'firefox',
    name: 'Firefox, resistFingerprinting with letterboxing',
    preferences: { 'privacy.resistFingerprinting': true, 'privacy.resistFingerprinting.letterboxing': true },
  },
  {
    engine: 'firefox',
    name: 'Firefox, fingerprinting protection',
    preferences: { 'privacy.fingerprintingProtection': true },
  },
  { engine: 'minibrowser', name: 'WebKitGTK' },
  { engine: 'minibrowser', name: 'WebKitGTK, private', args: ['--private'] },
  { engine: 'minibrowser', name: 'WebKitGTK, full screen', args: ['--full-screen'] },
];

const preferences = {
  'browser.shell.checkDefaultBrowser': false,
  'browser.aboutwelcome.enabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'app.normandy.enabled': false,
  'browser.startup.homepage_override.mstone': 'ignore',
};

const extensions = [
  ...['adBlocker', 'wallet', 'passwordManager', 'darkMode', 'translation', 'grammar', 'sessionRecorder', 'shopping'],
  ...['developer', 'userScripts'],
];

/** All modes, and each engine with each imitated extension. */
export const undrivenRuns = [
  ...modes.map((mode) => ({ mode, name: mode.name, parameters: mode.isInspected ? { wait: '15000' } : {} })),
  ...modes
    .filter(({ name }) => ['Chromium', 'Firefox', 'WebKitGTK'].includes(name))
    .flatMap((mode) =>
      extensions.map((injected) => ({ mode, name: `${mode.name} with ${injected}`, parameters: { injected } })),
    ),
].map(({ mode, name, parameters }) => ({
  name,
  parameters: { brief: '', ...parameters },
  read: (/** @type {string} */ url, /** @type {string} */ display, /** @type {Promise<any>} */ reading) =>
    openUndriven(mode, url, display, () => reading),
}));

/**
 * Opens a page without a driver, waits until `done` and closes the browser.
 *
 * @param {Mode} mode
 * @param {string} url
 * @param {string} display
 * @param {() => Promise<unknown>} done
 */
export async function openUndriven(mode, url, display, done) {
  const program = findBrowsers()[mode.engine];
  if (!program) throw new Error(`${mode.engine} is not installed.`);
  const home = await mkdtemp(join(tmpdir(), 'whorl-undriven-'));
  const lines = Object.entries({ ...preferences, ...mode.preferences });
  const file = lines.map(([key, value]) => `user_pref(${JSON.stringify(key)}, ${JSON.stringify(value)});\n`).join('');
  await writeFile(join(home, 'user.js'), file);
  const own = {
    chromium: [
      '--no-sandbox',
      '--no-first-run',
      '--disable-background-networking',
      `--user-data-dir=${home}`,
      ...webGl,
    ],
    firefox: ['--no-remote', '--profile', home],
    minibrowser: [],
  }[mode.engine];
  const isApp = mode.args?.includes('--app');
  const args = isApp ? [`--app=${url}`] : [...(mode.args ?? []), url];
  const child = spawn(program, [...own, ...args], {
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
    return await within(120_000, mode.name, done());
  } finally {
    await endGroup(child);
    await rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }).catch(() => {});
  }
}
