import { chromium } from 'playwright';
import { findBrowsers } from '../../scripts/find-browsers.mjs';

const quiet = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--no-first-run',
];
const softwareWebGl = ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'];
/** The address of the proxy refuses every request, and no name except localhost is ever resolved. */
const localOnly = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1';

/** Playwright would emulate screen, scale and preferences. The page must see the real ones. */
const notEmulated = /** @type {const} */ ({
  viewport: null,
  colorScheme: null,
  reducedMotion: null,
  forcedColors: null,
  contrast: null,
});

/** @returns {Promise<import('playwright').Browser>} */
export async function startChromium() {
  const { chromium: executablePath } = await findBrowsers();
  if (!executablePath) throw new Error('No Chromium found. `npm run setup:browsers` installs one.');
  return chromium.launch({ executablePath, args: [...quiet, ...softwareWebGl, localOnly] });
}

/**
 * Opens a page in a fresh profile, and closes both after use.
 *
 * @template Value
 * @param {import('playwright').Browser} browser
 * @param {string} origin The only origin that requests can reach.
 * @param {(page: import('playwright').Page, refused: string[]) => Promise<Value>} use `refused` collects the other
 *   addresses that were requested.
 * @returns {Promise<Value>}
 */
export async function withFreshPage(browser, origin, use) {
  const context = await browser.newContext(notEmulated);
  try {
    /** @type {string[]} */
    const refused = [];
    await context.route(
      (url) => url.origin !== origin,
      (route) => {
        refused.push(route.request().url());
        return route.abort();
      },
    );
    return await use(await context.newPage(), refused);
  } finally {
    await context.close();
  }
}
