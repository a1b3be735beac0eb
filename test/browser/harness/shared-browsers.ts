import type { BrowserSession, Engine, EngineName } from './types';

/** Browsers of this worker. They end after its last file. */
const browsers = new Map<EngineName, Promise<BrowserSession>>();

/**
 * Opens a session that shares no stored data with others, in a browser that the files of a worker share. Where an engine
 * has no separate sessions, it launches a browser. Chromium draws in software.
 */
export async function openSession(engine: Engine): Promise<BrowserSession> {
  if (!engine.can.separate) return engine.launch();
  const session = await (await sharedBrowser(engine)).separate?.();
  if (!session) throw new Error(`${engine.name} has no separate sessions`);
  return session;
}

function sharedBrowser(engine: Engine): Promise<BrowserSession> {
  const { name } = engine;
  if (!browsers.has(name)) atWorkerEnd(async () => (await started(browsers.get(name)))?.close());
  const browser = runningBrowser(engine, browsers.get(name));
  browsers.set(name, browser);
  return browser;
}

/** Returns the earlier browser, or a new one if it did not start or has crashed. */
async function runningBrowser(engine: Engine, earlier: Promise<BrowserSession> | undefined): Promise<BrowserSession> {
  const browser = await started(earlier);
  if (browser?.isRunning?.()) return browser;
  // Removes its profile.
  await browser?.close().catch(() => undefined);
  return engine.launch({ drawnInSoftware: true });
}

function started(browser: Promise<BrowserSession> | undefined): Promise<BrowserSession | undefined> {
  return browser?.catch(() => undefined) ?? Promise.resolve(undefined);
}
