import type { ServerResponse } from 'node:http';
import type { Exchange, Message } from '../api.js';
import type { Demo } from '../demo.js';

/** Proxies and browsers drop what is silent for longer. */
const KEEP_ALIVE_MS = 25_000;

/**
 * GET /api/events: server-sent events, `exchange` for what the visitor's own requests led to, `message` for what
 * arrives in the mailbox. First comes what is there already.
 */
export function answerEvents({ exchanges, mailbox }: Demo, visitor: string, response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
  const send = (type: 'exchange' | 'message', data: Exchange | Message) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify(data)}\n\n`);
  for (const exchange of exchanges.of(visitor)) send('exchange', exchange);
  for (const message of mailbox.messages) send('message', message);
  // Sent at once, also where there is nothing yet: the page knows then that it listens.
  response.write(': listening\n\n');
  const keepAlive = setInterval(() => response.write(': still there\n\n'), KEEP_ALIVE_MS);
  const endExchanges = exchanges.onExchange(visitor, (exchange) => send('exchange', exchange));
  const endMessages = mailbox.onMessage((message) => send('message', message));
  response.on('close', () => {
    clearInterval(keepAlive);
    endExchanges();
    endMessages();
  });
}
