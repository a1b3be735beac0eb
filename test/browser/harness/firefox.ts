import { type Browser, type BrowserContext, type Page, launch as puppeteerLaunch } from 'puppeteer-core';
import { FirefoxPage } from './firefox-page';
import { copyStartedProfile } from './firefox-profile';
import { FirefoxWindow } from './firefox-window';
import { found, isFound } from './found';
import { endWith, openProfile } from './profile';
import { INSECURE_HOST } from './server';
import type { BrowserSession, Engine, LaunchOptions } from './types';
import { DEFAULT_SCREEN, xDisplay } from './xvfb';

export const firefox: Engine = {
  name: 'firefox',
  available: () => isFound('firefox', 'xvfb'),
  can: { zoom: true, resizeKeptProfile: true, separate: true },
  launch,
};

async function launch(options: LaunchOptions = {}): Promise<BrowserSession> {
  const { screen = DEFAULT_SCREEN } = options;
  const profile = await openProfile(options.profile);
  let browser: Browser | undefined;
  try {
    if (!options.profile) await copyStartedProfile(profile.folder);
    browser = await puppeteerLaunch({
      browser: 'firefox',
      executablePath: found('firefox'),
      headless: !options.headful,
      defaultViewport: null,
      userDataDir: profile.folder,
      // Gives access to the browser's own window for zoom and size. Pages cannot detect it.
      args: ['--remote-allow-system-access', ...(options.args ?? [])],
      extraPrefsFirefox: toPreferences(options),
      env: {
        ...process.env,
        // WebGL needs a display, even in headless mode.
        DISPLAY: await xDisplay(options.screen),
        MOZ_HEADLESS_WIDTH: String(screen.width),
        MOZ_HEADLESS_HEIGHT: String(screen.height),
        ...options.environment,
      },
      timeout: 60_000,
    });
    const window = await FirefoxWindow.of(browser);
    if (options.zoom) await window.setDefaultZoom(options.zoom);
    const ended = browser;
    return toSession(browser.defaultBrowserContext(), window, () => endWith(profile, () => ended.close()));
  } catch (error) {
    await endWith(profile, () => browser?.close());
    throw error;
  }
}

function toSession(pages: BrowserContext, window: FirefoxWindow, close: () => Promise<void>): BrowserSession {
  let last: Page | undefined;
  return {
    engine: 'firefox',
    async open(url) {
      // The window's first tab is used as the first page, because it has the focus.
      const first = last ? undefined : (await pages.pages())[0];
      last = first ?? (await pages.newPage());
      const page = new FirefoxPage(last, window);
      if (url) await page.goto(url);
      return page;
    },
    async separate() {
      const others = await pages.browser().createBrowserContext();
      return toSession(others, window, () => others.close());
    },
    isRunning: () => pages.browser().connected,
    close,
  };
}

function toPreferences(options: LaunchOptions): Record<string, string | number | boolean> {
  return {
    'network.dns.localDomains': INSECURE_HOST,
    'dom.security.https_first': false,
    'dom.security.https_first_pbm': false,
    ...(options.privateMode && { 'browser.privatebrowsing.autostart': true }),
    ...(options.scaleFactor && { 'layout.css.devPixelsPerPx': String(options.scaleFactor) }),
    ...(options.colorScheme && { 'ui.systemUsesDarkTheme': Number(options.colorScheme === 'dark') }),
    ...options.preferences,
  };
}
