import type { BrowserSession, Engine, LaunchOptions, TestPage } from '../harness/types';

export interface OpenedPage<Server> {
  readonly server: Server;
  readonly session: BrowserSession;
  readonly page: TestPage;
  close(): Promise<void>;
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
  let session: BrowserSession | undefined;
  const close = async () => {
    await session?.close();
    await server.close();
  };
  try {
    session = await engine.launch(options);
    return { server, session, page: await session.open(), close };
  } catch (error) {
    await close();
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
