import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';

export interface Listening {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly response: ServerResponse;
  readonly isStream: boolean;
}

/**
 * Stand-in for the service's event endpoint on its own origin, controlled by the test, for cases that the real service
 * and network cannot produce on demand.
 */
export interface EventServer {
  readonly origin: string;
  /** Requests since the last `reset()`, except preflights. */
  readonly asked: Listening[];
  /** Default: starts a stream, or responds that there are no events. */
  answer: (listening: Listening) => void;
  /** Sends text to all open streams. */
  send(text: string): void;
  /** Ends all open streams after the text that was sent. */
  endAll(): void;
  reset(): void;
  close(): Promise<void>;
}

const usual = ({ isStream, response }: Listening): void => {
  if (isStream) response.writeHead(200, { 'content-type': 'text/event-stream' }).write('retry: 2000\n\n');
  else response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[]}');
};

export async function startEventServer(): Promise<EventServer> {
  const http = createServer((request, response) => {
    response.setHeader('access-control-allow-origin', request.headers.origin ?? '*');
    if (request.method === 'OPTIONS') {
      response.setHeader('access-control-allow-headers', 'authorization');
      response.writeHead(204).end();
      return;
    }
    const { url: path = '', headers } = request;
    const listening = { path, headers, response, isStream: headers.accept === 'text/event-stream' };
    server.asked.push(listening);
    server.answer(listening);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const address = http.address();
  if (!address || typeof address !== 'object') throw new Error('The server got no port');
  const server: EventServer = {
    origin: `http://localhost:${address.port}`,
    asked: [],
    answer: usual,
    send(text) {
      for (const { response, isStream } of server.asked) if (isStream && !response.writableEnded) response.write(text);
    },
    endAll() {
      for (const { response, isStream } of server.asked) if (isStream && !response.writableEnded) response.end();
    },
    reset() {
      http.closeAllConnections();
      server.asked.length = 0;
      server.answer = usual;
    },
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
  return server;
}
