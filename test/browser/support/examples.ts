import { join } from 'node:path';
import { root } from '../../package/installed';
import { freePort } from '../harness/free-port';
import { startTethered, type TetheredProcess } from '../harness/tethered-process';
import { until } from '../harness/until';
import { DEMO_START_MS } from './demo';

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
