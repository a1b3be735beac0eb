import { streamSSE } from 'hono/streaming';
import type { Exchange, Message } from '../api.js';
import type { Handler } from '../demo.js';
import { visitorOf } from '../http/middleware.js';

/** Proxies and browsers close connections that are silent for longer. */
const KEEP_ALIVE_MS = 25_000;

/**
 * GET /api/events: server-sent events. `exchange` is a request of this visitor, or one that it caused. `message` is a
 * message in the mailbox. Earlier ones are sent first.
 */
export const sendEvents: Handler = (c) => {
  const { exchanges, mailbox } = c.var.demo;
  const visitor = visitorOf(c);
  // Hono runs the same handler for HEAD, and nobody would close that stream.
  if (c.req.method === 'HEAD') return c.body(null);
  const response = streamSSE(c, async (stream) => {
    const send = (event: 'exchange' | 'message', data: Exchange | Message) =>
      stream.writeSSE({ event, data: JSON.stringify(data) });
    // The listeners are added before anything is awaited, so that no event is lost or overtakes another.
    const earlier = [
      ...exchanges.of(visitor).map((exchange) => send('exchange', exchange)),
      ...mailbox.messages.map((message) => send('message', message)),
    ];
    const endExchanges = exchanges.onExchange(visitor, (exchange) => void send('exchange', exchange));
    const endMessages = mailbox.onMessage((message) => void send('message', message));
    const keepAlive = setInterval(() => stream.write(': keep-alive\n\n'), KEEP_ALIVE_MS);
    const closed = new Promise<void>((resolve) => stream.onAbort(resolve));
    await Promise.all(earlier);
    // Sent immediately, so that the page knows that it is connected.
    await stream.write(': listening\n\n');
    await closed;
    clearInterval(keepAlive);
    endExchanges();
    endMessages();
  });
  response.headers.set('Cache-Control', 'no-store');
  return response;
};
