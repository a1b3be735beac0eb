import type { BrowserSession, Engine, LaunchOptions, TestPage } from '../harness/types';

export interface OpenedBrowser {
  readonly session: BrowserSession;
  readonly page: TestPage;
  close(): Promise<void>;
}

export interface OpenedPage<Server> extends OpenedBrowser {
  readonly server: Server;
}

/** Opens a browser with one empty page, for all tests of a block whose servers are shared with others. */
export async function openBrowser(engine: Engine, options?: LaunchOptions): Promise<OpenedBrowser> {
  const session = await engine.launch(options);
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

/** Uses one empty page of a browser that is started for it, and ended after it. */
export async function inPage<Result>(
  engine: Engine,
  options: LaunchOptions | undefined,
  use: (page: TestPage, session: BrowserSession) => Promise<Result>,
): Promise<Result> {
  const session = await engine.launch(options);
  try {
    return await use(await session.open(), session);
  } finally {
    await session.close();
  }
}
