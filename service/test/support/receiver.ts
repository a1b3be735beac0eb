import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly id: string;
  readonly body: string;
}

/** Responds to a webhook. If the response is not ended, the request stays open. */
export type Answer = (response: ServerResponse, request: IncomingMessage) => void;

export interface Receiver {
  readonly url: string;
  /** Received webhooks, oldest first. */
  readonly received: Received[];
  /** Queues responses for the next webhooks. Later ones get 204. */
  answerNext(...answers: Answer[]): void;
  /** Sets the response for all webhooks to a path. */
  answerAlways(path: string, answer: Answer): void;
  /** Returns the webhooks received at a path. */
  at(path: string): Received[];
  clear(): void;
  /** Aborts open requests. */
  hangUp(): void;
  close(): Promise<void>;
}

export const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(code, headers).end();
export const never: Answer = () => undefined;

/** Starts a customer's server that receives webhooks. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const next: Answer[] = [];
  const always = new Map<string, Answer>();
  const server = createServer(async (request, response) => {
    let body = '';
    request.setEncoding('utf8');
    for await (const chunk of request) body += chunk;
    const { url: path = '', headers } = request;
    received.push({ path, headers, id: String(headers['webhook-id']), body });
    const answer = always.get(path) ?? next.shift() ?? status(204);
    answer(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    answerNext: (...answers) => void next.push(...answers),
    answerAlways: (path, answer) => void always.set(path, answer),
    at: (path) => received.filter((each) => each.path === path),
    clear() {
      received.length = 0;
      next.length = 0;
      always.clear();
    },
    hangUp: () => server.closeAllConnections(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
