import { join } from 'node:path';
import { root } from '../../package/installed';
import { chromium } from '../harness/chromium';
import { freePort } from '../harness/free-port';
import { startTethered, type TetheredProcess } from '../harness/tethered-process';
import type { BrowserSession } from '../harness/types';
import { until } from '../harness/until';
import { DEMO_START_MS, type DemoServer, startDemo } from './demo';

interface Options {
  /** Whether it starts the last build. Default: false. */
  readonly isBuilt?: boolean;
  /** Called with the process, also if it then does not serve its page. */
  readonly onStart: (child: TetheredProcess) => void;
}

/** Starts an example as `npm run example` does, and returns its URL and what it printed. */
export async function startExample(
  name: string,
  environment: NodeJS.ProcessEnv,
  { isBuilt = false, onStart }: Options,
): Promise<{ readonly url: string; readonly said: string }> {
  const url = `http://localhost:${await freePort()}`;
  const words = [join(root, 'scripts/example.mjs'), name, ...(isBuilt ? ['--built'] : [])];
  const example = startTethered(process.execPath, words, { ...environment, PORT: new URL(url).port });
  onStart(example);
  let said = '';
  for (const stream of [example.stdout, example.stderr]) stream.on('data', (text) => (said += text));
  await until(
    'The start of the example',
    () => {
      if (!example.running()) throw new Error(said);
      return said.includes(`\n${url}`) || said.startsWith(url) || undefined;
    },
    { timeoutMs: DEMO_START_MS },
  );
  await until('The page of the example', () =>
    fetch(url).then(
      ({ ok }) => ok || undefined,
      () => undefined,
    ),
  );
  return { url, said };
}

/** An example that runs with the demo's service, and a browser. */
export interface OpenedExample {
  readonly demo: DemoServer;
  /** URL of the example. */
  readonly shop: string;
  /** Secret key of the example's project. */
  readonly secret: string;
  readonly session: BrowserSession;
  close(): Promise<void>;
}

/** Starts the demo and an example, and launches Chromium. */
export async function openExample(name: string): Promise<OpenedExample> {
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const each of closers.splice(0).reverse()) await each();
  };
  try {
    const demo = await startDemo();
    closers.push(() => demo.close());
    const { secret } = await demo.project();
    const environment = { ...process.env, WHORL_URL: demo.serviceUrl, WHORL_API_SECRET: secret };
    const onStart = (child: TetheredProcess) => void closers.push(() => child.end());
    const { url } = await startExample(name, environment, { onStart });
    const session = await chromium.launch();
    closers.push(() => session.close());
    return { demo, shop: url, secret, session, close };
  } catch (error) {
    await close();
    throw error;
  }
}
