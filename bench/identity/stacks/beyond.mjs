import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findBrowsers } from '../../../scripts/find-browsers.mjs';
import { startWithPort } from './raw-devtools.mjs';

/** @typedef {import('./stacks.mjs').Stack} Stack */

const executablePath = findBrowsers().chromium ?? 'chromium';
const text = 'Maria Example';

/** `connect`, and clicks with its own pointer (`realClick` fails with the ghost-cursor that npm installs). @type {Stack['open']} */
export async function openRealBrowser(url, { headless, display, home }) {
  const { connect } = await import('puppeteer-real-browser');
  const { browser, page } = await connect({
    headless: headless ? 'new' : false,
    // It would start an X server of its own.
    disableXvfb: true,
    customConfig: {
      chromePath: executablePath,
      userDataDir: home,
      envVars: { ...process.env, DISPLAY: display },
    },
  });
  await page.goto(url);
  return {
    async fill() {
      await page.realCursor.click('#text');
      await page.type('#text', text);
      await page.realCursor.click('#done');
    },
    close: () => browser.close(),
  };
}

/** Connects patchright to a browser that a person started with a debugging port. @type {Stack['open']} */
export async function openPatchrightOverCdp(url, start) {
  const { chromium } = await import('patchright');
  const { port, end } = await startWithPort([], start);
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
  const [context] = browser.contexts();
  const page = context?.pages()[0] ?? (await browser.newPage());
  await page.goto(url);
  return {
    async fill() {
      await page.click('#text');
      await page.locator('#text').pressSequentially(text);
      await page.click('#done');
    },
    async close() {
      await browser.close();
      await end();
    },
  };
}

/**
 * TestCafe starts a browser by its path, and drives it through its proxy alone. It opens the page when its test starts,
 * so the test waits until it may fill in the form, and until it may end.
 *
 * @type {Stack['open']}
 */
export async function openTestCafe(url, { headless, display, home }) {
  const { default: createTestCafe } = await import('testcafe');
  /** @type {() => void} */
  let fill = () => {};
  /** @type {() => void} */
  let end = () => {};
  const isRead = new Promise((resolve) => (fill = () => resolve(undefined)));
  const isOver = new Promise((resolve) => (end = () => resolve(undefined)));
  // TestCafe runs the file in this process.
  Object.assign(globalThis, { whorlStack: { isRead, isOver } });
  const file = join(home, 'form.js');
  await writeFile(
    file,
    `fixture('Form').page(${JSON.stringify(url)});
test('Fill in', async (t) => {
  await globalThis.whorlStack.isRead;
  await t.click('#text').typeText('#text', ${JSON.stringify(text)}).click('#done');
  await globalThis.whorlStack.isOver;
});`,
  );
  process.env.DISPLAY = display;
  const testcafe = await createTestCafe({ hostname: 'localhost' });
  const cmd = `--no-sandbox --no-first-run --user-data-dir=${join(home, 'profile')} ${headless ? '--headless=new' : ''}`;
  const run = testcafe
    .createRunner()
    .src(file)
    .browsers({ path: executablePath, cmd })
    .reporter('minimal', join(home, 'report'))
    .run({ disableNativeAutomation: true, assertionTimeout: 60_000, disableScreenshots: true });
  run.catch((/** @type {unknown} */ error) => console.error(String(error)));
  return {
    fill: async () => fill(),
    async close() {
      fill();
      end();
      await run.catch(() => {});
      await testcafe.close();
    },
  };
}
