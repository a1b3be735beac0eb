import { openSession } from '../harness/shared-browsers';
import type { BrowserSession, Engine, LaunchOptions, TestPage } from '../harness/types';

export interface OpenedBrowser {
  readonly session: BrowserSession;
  readonly page: TestPage;
  close(): Promise<void>;
}

export interface OpenedPage<Server> extends OpenedBrowser {
  readonly server: Server;
}

/**
 * Opens a browser with one empty page, for all tests of a block whose servers are shared with others. With options, even
 * empty ones, it is started for them. Otherwise it is a separate session in a running browser, if the engine has those.
 */
export async function openBrowser(engine: Engine, options?: LaunchOptions): Promise<OpenedBrowser> {
  const session = await open(engine, options);
  const close = () => session.close();
  try {
    return { session, page: await session.open(), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * A server, and a browser with one empty page, for all tests of a block:
 *
 *     beforeAll(async () => {
 *       const opened = await openPage(engine, startServer);
 *       ({ server, page } = opened);
 *       return opened.close;
 *     });
 */
export async function openPage<Server extends { close(): Promise<void> }>(
  engine: Engine,
  start: () => Promise<Server>,
  options?: LaunchOptions,
): Promise<OpenedPage<Server>> {
  const server = await start();
  try {
    const { session, page, close } = await openBrowser(engine, options);
    const closeBoth = async () => {
      await close();
      await server.close();
    };
    return { server, session, page, close: closeBoth };
  } catch (error) {
    await server.close();
    throw error;
  }
}

/** Uses one empty page of a browser, which is opened as in `openBrowser`. */
export async function inPage<Result>(
  engine: Engine,
  options: LaunchOptions | undefined,
  use: (page: TestPage, session: BrowserSession) => Promise<Result>,
): Promise<Result> {
  const session = await open(engine, options);
  try {
    return await use(await session.open(), session);
  } finally {
    await session.close();
  }
}

/** Options for a browser with a profile of its own. A separate session in Chromium is like a private window. */
export const ownProfile: LaunchOptions = { drawnInSoftware: true };

/** Returns the options for a colour scheme, which are none for that of all browsers. */
export function inScheme(colorScheme: 'light' | 'dark'): LaunchOptions | undefined {
  return colorScheme === 'light' ? undefined : { colorScheme, drawnInSoftware: true };
}

function open(engine: Engine, options: LaunchOptions | undefined): Promise<BrowserSession> {
  return options ? engine.launch(options) : openSession(engine);
}
