import { createServer } from 'node:http';
import { listen } from '../http/listen.js';
import { WEBHOOK_PATH } from '../http/webhooks.js';

/** Days on which the demo's server was down for some hours, and when on them. */
const outages = [
  { from: 11.4, to: 11.6 },
  { from: 27.8, to: 27.9 },
];
/** How often it fails by itself. */
const EVERY_NTH_FAILS = 40;

export interface SeedReceiver {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Stands where the demo's server stands later, and takes its webhooks, but for some failures.
 *
 * @param day How many days of the story are over.
 * @throws StartError where the port is taken, by the demo itself perhaps.
 */
export async function startReceiver(options: { host: string; port: number }, day: () => number): Promise<SeedReceiver> {
  let count = 0;
  const server = createServer((request, response) => {
    request.resume();
    const now = day();
    const isDown = outages.some(({ from, to }) => now >= from && now < to);
    count += 1;
    if (request.url !== WEBHOOK_PATH) response.writeHead(404).end();
    else if (isDown) response.writeHead(503).end();
    else response.writeHead(count % EVERY_NTH_FAILS === 0 ? 500 : 204).end();
  });
  const port = await listen(server, { ...options, what: 'the pages', variable: 'PORT' });
  return {
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
