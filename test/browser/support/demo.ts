import { fileURLToPath } from 'node:url';
import { startTethered } from '../harness/tethered-process';
import { until } from '../harness/until';

export interface DemoServer {
  url(path: string): string;
  close(): Promise<void>;
}

/** Starts the demo's own server, on a free port. It serves the demo as it was built last. */
export async function startDemo(): Promise<DemoServer> {
  const program = fileURLToPath(new URL('../../../demo/server.mjs', import.meta.url));
  const server = startTethered(process.execPath, [program], { ...process.env, PORT: '0' });
  let said = '';
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (text) => (said += text));
  try {
    const address = await until('The address of the demo', () => {
      if (!server.running()) return 'none';
      return /http:\/\/localhost:\d+/.exec(said)?.[0];
    });
    if (address === 'none') throw new Error(`The demo did not start: ${said}`);
    return { url: (path) => address + path, close: () => server.end() };
  } catch (error) {
    await server.end();
    throw error;
  }
}
