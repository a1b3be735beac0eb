import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium as playwright } from 'playwright';
import { ChromiumPage } from './chromium-page';
import { found, isFound } from './found';
import { endWith, openProfile } from './profile';
import { INSECURE_HOST } from './server';
import type { BrowserSession, Engine, LaunchOptions } from './types';
import { DEFAULT_SCREEN, xDisplay } from './xvfb';

const QUIET = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--no-first-run',
  '--no-default-browser-check',
];
const SOFTWARE_WEBGL = ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'];

/** Playwright options for reproducible screenshots, disabled so that the browser behaves as it does for a user. */
const UNWANTED = [
  '--hide-scrollbars',
  '--force-color-profile=srgb',
  '--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4',
];

/** Nothing is emulated: Playwright's defaults would override the viewport and four media features. */
const UNTOUCHED = {
  viewport: null,
  colorScheme: null,
  reducedMotion: null,
  forcedColors: null,
  contrast: null,
} as const;

export const chromium: Engine = {
  name: 'chromium',
  available: () => isFound('chromium', 'xvfb'),
  can: { zoom: true, resizeKeptProfile: true, separate: true },
  launch,
};

async function launch(options: LaunchOptions = {}): Promise<BrowserSession> {
  const profile = await openProfile(options.profile);
  let context: BrowserContext | undefined;
  try {
    await writePreferences(profile.folder, options);
    context = await playwright.launchPersistentContext(profile.folder, {
      ...UNTOUCHED,
      executablePath: found('chromium'),
      headless: !options.headful,
      args: toArguments(options),
      ignoreDefaultArgs: UNWANTED,
      env: { ...process.env, DISPLAY: await xDisplay(options.screen), ...options.environment },
      timeout: 60_000,
    });
    const ended = context;
    const close = () => endWith(profile, () => ended.close());
    const browser = context.browser();
    if (!browser) throw new Error('Playwright does not give the browser of the profile');
    // Contexts other than the profile's own are off the record, like private windows.
    return toSession(browser, options.privateMode ? await browser.newContext(UNTOUCHED) : context, close, options);
  } catch (error) {
    await endWith(profile, () => context?.close());
    throw error;
  }
}

function toSession(
  browser: Browser,
  pages: BrowserContext,
  close: () => Promise<void>,
  options: LaunchOptions,
): BrowserSession {
  return {
    engine: 'chromium',
    async open(url) {
      const page = await ChromiumPage.attach(await pages.newPage(), options);
      if (url) await page.goto(url);
      return page;
    },
    async separate() {
      const others = await browser.newContext(UNTOUCHED);
      return toSession(browser, others, () => others.close(), options);
    },
    isRunning: () => browser.isConnected(),
    close,
  };
}

function toArguments(options: LaunchOptions): string[] {
  const { screen = DEFAULT_SCREEN, headful, scaleFactor, drawnInSoftware, args = [] } = options;
  const drawing = drawnInSoftware ? ['--disable-gpu-compositing'] : [];
  const display = headful ? [] : [`--screen-info={${screen.width}x${screen.height}}`];
  const scale = scaleFactor ? [`--force-device-scale-factor=${scaleFactor}`] : [];
  const insecure = `--host-resolver-rules=MAP ${INSECURE_HOST} 127.0.0.1`;
  return [...QUIET, ...SOFTWARE_WEBGL, insecure, ...display, ...scale, ...drawing, ...args];
}

type Preferences = { [key: string]: Preferences | string | number | boolean };

/** Chromium stores its settings in a JSON file, which it reads only at startup. */
async function writePreferences(folder: string, { preferences = {}, zoom, colorScheme }: LaunchOptions): Promise<void> {
  const entries = Object.entries(preferences);
  // The zoom level is the logarithm of the factor to the base 1.2; "x" is the name of the default storage partition.
  if (zoom) entries.push(['partition.default_zoom_level.x', Math.log(zoom) / Math.log(1.2)]);
  if (colorScheme) entries.push(['browser.theme.color_scheme2', colorScheme === 'dark' ? 2 : 1]);
  if (entries.length === 0) return;
  const file = join(folder, 'Default', 'Preferences');
  const settings: Preferences = JSON.parse(await readFile(file, 'utf8').catch(() => '{}'));
  for (const [path, value] of entries) setDeep(settings, path.split('.'), value);
  await mkdir(join(folder, 'Default'), { recursive: true });
  await writeFile(file, JSON.stringify(settings));
}

function setDeep(target: Preferences, path: string[], value: string | number | boolean): void {
  const [key = '', ...rest] = path;
  if (rest.length === 0) {
    target[key] = value;
    return;
  }
  const inner = target[key];
  const branch: Preferences = typeof inner === 'object' ? inner : {};
  target[key] = branch;
  setDeep(branch, rest, value);
}
