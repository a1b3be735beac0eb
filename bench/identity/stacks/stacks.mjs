import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findBrowsers } from '../../../scripts/find-browsers.mjs';
import { openPatchrightOverCdp, openRealBrowser, openTestCafe } from './beyond.mjs';
import { startMcp } from './mcp.mjs';
import { openPageOnly, openRaw } from './raw-devtools.mjs';

/**
 * @typedef {object} Page What a stack can do with the page that it opened.
 * @property {(reading: any) => Promise<unknown>} fill Clicks the text field, types a name and clicks the button, as the stack's
 *   documentation shows it.
 * @property {() => Promise<unknown>} close
 */
/** @typedef {{ headless: boolean, display: string, home: string }} Start */
/** @typedef {{ name: string, open(url: string, start: Start): Promise<Page> }} Stack */

const executablePath = findBrowsers().chromium ?? 'chromium';
export const text = 'Maria Example';
/** Needed by root. Every stack has an option for it. */
const noSandbox = '--no-sandbox';

/** @param {string} name @returns {Stack['open']} */
const playwrightLike =
  (name, isAsAdvised = false) =>
  async (url, { headless, display, home }) => {
    const { chromium } = await import(name);
    const options = { executablePath, headless, env: { ...process.env, DISPLAY: display } };
    const browser = isAsAdvised
      ? await chromium.launchPersistentContext(join(home, 'profile'), { ...options, viewport: null })
      : await chromium.launch(options);
    const page = await browser.newPage();
    await page.goto(url);
    return {
      async fill() {
        await page.click('#text');
        await page.locator('#text').pressSequentially(text);
        await page.click('#done');
      },
      close: () => browser.close(),
    };
  };

/** @param {string} name @returns {Stack['open']} */
const puppeteerLike =
  (name) =>
  async (url, { headless, display }) => {
    const { default: puppeteer } = await import(name);
    const browser = await puppeteer.launch({
      executablePath,
      headless,
      args: [noSandbox],
      env: { ...process.env, DISPLAY: display },
    });
    return openInPuppeteer(browser, url);
  };

/** @param {import('puppeteer-core').Browser} browser @param {string} url */
export async function openInPuppeteer(browser, url) {
  const page = await browser.newPage();
  await page.goto(url);
  return {
    async fill() {
      await page.click('#text');
      await page.type('#text', text);
      await page.click('#done');
    },
    close: () => browser.close(),
  };
}

/** The stacks, each as shipped: what is set beyond its defaults is only the browser, the window and the sandbox. @type {Stack[]} */
export const stacks = [
  { name: 'Playwright', open: playwrightLike('playwright') },
  { name: 'Puppeteer', open: puppeteerLike('puppeteer-core') },
  { name: 'Selenium', open: openSelenium },
  { name: 'patchright', open: playwrightLike('patchright') },
  { name: 'rebrowser-playwright', open: playwrightLike('rebrowser-playwright') },
  { name: 'rebrowser-puppeteer', open: puppeteerLike('rebrowser-puppeteer') },
  { name: 'raw DevTools, as nodriver', open: openRaw },
  { name: 'Playwright MCP', open: openPlaywrightMcp },
  { name: 'chrome-devtools-mcp', open: openChromeDevtoolsMcp },
  { name: 'agent-browser', open: openAgentBrowser },
  { name: 'Stagehand', open: openStagehand },
  { name: 'patchright, with a profile and without a viewport', open: playwrightLike('patchright', true) },
  { name: 'patchright, connected over CDP', open: openPatchrightOverCdp },
  { name: 'puppeteer-real-browser', open: openRealBrowser },
  { name: 'TestCafe, a browser by path', open: openTestCafe },
  { name: 'a debugging port, and a client that only enables Page', open: openPageOnly },
];

/** @type {Stack['open']} */
async function openSelenium(url, { headless, display }) {
  const { Builder, By } = await import('selenium-webdriver');
  const { default: chrome } = await import('selenium-webdriver/chrome.js');
  const options = new chrome.Options();
  options.setBinaryPath(executablePath);
  options.addArguments(noSandbox, ...(headless ? ['--headless=new'] : []));
  const service = new chrome.ServiceBuilder(process.env.WHORL_CHROMEDRIVER ?? 'chromedriver');
  service.setEnvironment({ ...process.env, DISPLAY: display });
  const driver = await new Builder().forBrowser('chrome').setChromeOptions(options).setChromeService(service).build();
  await driver.get(url);
  return {
    async fill() {
      await driver.findElement(By.css('#text')).click();
      await driver.findElement(By.css('#text')).sendKeys(text);
      await driver.findElement(By.css('#done')).click();
    },
    close: () => driver.quit(),
  };
}

/** @type {Stack['open']} */
async function openPlaywrightMcp(url, { headless, display, home }) {
  const options = [
    '--executable-path',
    executablePath,
    '--no-sandbox',
    ...['--isolated', '--output-dir', home],
    ...(headless ? ['--headless'] : []),
  ];
  const mcp = await startMcp([fileOf('@playwright/mcp', 'cli.js'), ...options], display);
  await mcp.call('browser_navigate', { url });
  const refOf = async (/** @type {RegExp} */ pattern) => pattern.exec(await mcp.call('browser_snapshot', {}))?.[1];
  return {
    async fill() {
      const [field, button] = [await refOf(/textbox.*\[ref=(\w+)\]/), await refOf(/button.*\[ref=(\w+)\]/)];
      const named = (/** @type {string} */ element, /** @type {string | undefined} */ ref) => ({
        element,
        ref,
        target: ref,
      });
      await mcp.call('browser_click', named('the text field', field));
      await mcp.call('browser_type', { ...named('the text field', field), text });
      await mcp.call('browser_click', named('the button', button));
    },
    close: mcp.close,
  };
}

/** @type {Stack['open']} */
async function openChromeDevtoolsMcp(url, { headless, display }) {
  const options = [
    ...['--executablePath', executablePath, '--isolated', `--chromeArg=${noSandbox}`, '--no-usage-statistics'],
    ...['--no-page-id-routing', ...(headless ? ['--headless'] : [])],
  ];
  const mcp = await startMcp(
    [fileOf('chrome-devtools-mcp', 'build/src/bin/chrome-devtools-mcp.js'), ...options],
    display,
  );
  await mcp.call('navigate_page', { type: 'url', url });
  return {
    async fill() {
      const snapshot = await mcp.call('take_snapshot', {});
      const uid = (/** @type {RegExp} */ pattern) => pattern.exec(snapshot)?.[1];
      await mcp.call('click', { uid: uid(/uid=(\w+) textbox/) });
      await mcp.call('fill', { uid: uid(/uid=(\w+) textbox/), value: text });
      await mcp.call('click', { uid: uid(/uid=(\w+) button/) });
    },
    close: mcp.close,
  };
}

/** @type {Stack['open']} */
async function openAgentBrowser(url, { headless, display, home }) {
  const program = fileOf('agent-browser', `bin/agent-browser-${process.platform}-${process.arch}`);
  const options = ['--session', `whorl-${process.pid}`, '--executable-path', executablePath, '--args', noSandbox];
  const run = (/** @type {string[]} */ ...args) =>
    new Promise((resolve, reject) => {
      const child = spawn(program, [...args, ...options, ...(headless ? [] : ['--headed'])], {
        env: { ...process.env, DISPLAY: display, HOME: home },
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      child.on('error', reject);
      child.on('exit', (code) =>
        code === 0 ? resolve(undefined) : reject(new Error(`${args[0]}: exit code ${code}`)),
      );
    });
  await run('open', url);
  return {
    async fill() {
      await run('click', '#text');
      await run('type', '#text', text);
      await run('click', '#done');
    },
    close: () => run('close'),
  };
}

/** Without a model: only the driver library of Stagehand. @type {Stack['open']} */
async function openStagehand(url, { headless, display }) {
  const { Stagehand } = await import('@browserbasehq/stagehand');
  const stagehand = new Stagehand({
    env: 'LOCAL',
    disableAPI: true,
    verbose: 0,
    localBrowserLaunchOptions: {
      executablePath,
      headless,
      args: [noSandbox],
      chromiumSandbox: false,
      env: { DISPLAY: display },
    },
  });
  process.env.DISPLAY = display;
  await stagehand.init();
  const page = stagehand.context.pages()[0] ?? (await stagehand.context.newPage());
  await page.goto(url);
  return {
    async fill() {
      await page.locator('#text').click();
      await page.locator('#text').type(text);
      await page.locator('#done').click();
    },
    close: () => stagehand.close(),
  };
}

/** @param {string} name @param {string} file */
function fileOf(name, file) {
  return fileURLToPath(new URL(`../../node_modules/${name}/${file}`, import.meta.url));
}
