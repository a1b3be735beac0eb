import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { found, isFound } from './found';
import { freePort } from './free-port';
import { startInsecureProxy } from './insecure-proxy';
import { openProfile } from './profile';
import { startTethered, type TetheredProcess } from './tethered-process';
import type { BrowserSession, Engine, LaunchOptions } from './types';
import { until } from './until';
import { WebDriver } from './webdriver';
import { launchWithProfile } from './webkit-kept-profile';
import { WebKitPage } from './webkit-page';
import { xDisplay } from './xvfb';

/** GStreamer's list of its plugins, which each browser with a new home folder would otherwise compile from all of them. */
const PLUGIN_LIST = fileURLToPath(
  new URL('../../../node_modules/.cache/whorl/gstreamer-registry.bin', import.meta.url),
);

/**
 * WebKitGTK's MiniBrowser, usually under automation, where it is always off the record. With a kept profile it runs
 * without automation.
 */
export const webkit: Engine = {
  name: 'webkit',
  available: () => isFound('minibrowser', 'webkitDriver', 'xvfb'),
  can: { zoom: false, resizeKeptProfile: false, separate: false },
  launch,
};

async function launch(options: LaunchOptions = {}): Promise<BrowserSession> {
  if (options.zoom) throw new Error('WebKit cannot be zoomed from outside');
  const profile = await openProfile(options.profile);
  const proxy = await startInsecureProxy();
  const dispose = async () => {
    await proxy.close();
    await profile.dispose();
  };
  try {
    const environment = await toEnvironment(profile.folder, options);
    const args = toArguments(proxy.url, options);
    const kept = options.profile && !options.privateMode;
    return await (kept ? launchWithProfile(args, environment, dispose) : launchAutomated(args, environment, dispose));
  } catch (error) {
    await dispose();
    throw error;
  }
}

async function launchAutomated(
  args: string[],
  environment: NodeJS.ProcessEnv,
  dispose: () => Promise<void>,
): Promise<BrowserSession> {
  const { process, url } = await startDriver(environment);
  try {
    const driver = await WebDriver.open(url, { binary: found('minibrowser'), args: ['--automation', ...args] });
    return toSession(driver, async () => {
      await process.end();
      await dispose();
    });
  } catch (error) {
    await process.end();
    throw error;
  }
}

function toSession(driver: WebDriver, dispose: () => Promise<void>): BrowserSession {
  let opened = 0;
  return {
    engine: 'webkit',
    async open(url) {
      const handle = opened++ === 0 ? await driver.currentWindow() : await driver.newWindow();
      const page = new WebKitPage(driver, handle);
      if (url) await page.goto(url);
      return page;
    },
    async close() {
      try {
        await driver.close();
      } finally {
        await dispose();
      }
    },
  };
}

function toArguments(proxy: string, { privateMode, args = [] }: LaunchOptions): string[] {
  const insecure = [`--proxy=${proxy}`, '--ignore-host=localhost', '--ignore-host=127.0.0.1'];
  return [...insecure, ...(privateMode ? ['--private'] : []), ...args];
}

async function toEnvironment(home: string, options: LaunchOptions): Promise<NodeJS.ProcessEnv> {
  return {
    ...process.env,
    DISPLAY: await xDisplay(options.screen),
    HOME: home,
    XDG_DATA_HOME: join(home, 'data'),
    XDG_CACHE_HOME: join(home, 'cache'),
    XDG_CONFIG_HOME: join(home, 'config'),
    GST_REGISTRY_1_0: PLUGIN_LIST,
    ...(options.scaleFactor && { GDK_SCALE: String(options.scaleFactor) }),
    ...(options.colorScheme === 'dark' && { GTK_THEME: 'Adwaita:dark' }),
    ...options.environment,
  };
}

interface Driver {
  process: TetheredProcess;
  url: string;
}

/** The driver needs a port number. If another program takes the free port first, another one is tried. */
async function startDriver(environment: NodeJS.ProcessEnv, attempts = 5): Promise<Driver> {
  const port = await freePort();
  const process = startTethered(found('webkitDriver'), ['--host=127.0.0.1', '-p', String(port)], environment);
  process.stdout.resume();
  process.stderr.resume();
  const url = `http://127.0.0.1:${port}`;
  try {
    const ready = await until('The start of WebKitWebDriver', async () => {
      if (!process.running()) return 'taken';
      return (await fetch(`${url}/status`)).ok ? 'ready' : undefined;
    });
    // Checked again, because another driver on that port could have responded instead of ours.
    if (ready === 'ready' && process.running()) return { process, url };
  } catch (error) {
    await process.end();
    throw error;
  }
  await process.end();
  if (attempts <= 1) throw new Error('WebKitWebDriver found no free port');
  return startDriver(environment, attempts - 1);
}
