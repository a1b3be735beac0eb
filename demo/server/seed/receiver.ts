import { Hono } from 'hono';
import { type Listener, serve } from '../http/listen.js';
import { WEBHOOK_PATH } from '../routes/webhooks.js';

/** Outages of the demo's server, in days from the beginning. */
const outages = [
  { from: 11.4, to: 11.6 },
  { from: 27.8, to: 27.9 },
];
/** Every nth delivery outside an outage fails. */
const EVERY_NTH_FAILS = 40;

/**
 * Receives the webhooks of the story in place of the demo's server, with some failures.
 *
 * @param day Returns how many days of the story have passed.
 * @throws StartError if the port is in use, for example by the demo.
 */
export async function startReceiver(options: { host: string; port: number }, day: () => number): Promise<Listener> {
  let count = 0;
  const app = new Hono().post(WEBHOOK_PATH, (c) => {
    const now = day();
    count += 1;
    if (outages.some(({ from, to }) => now >= from && now < to)) return c.body(null, 503);
    return c.body(null, count % EVERY_NTH_FAILS === 0 ? 500 : 204);
  });
  return serve(app, { ...options, label: 'the pages', variable: 'PORT' });
}
