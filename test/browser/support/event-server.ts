import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';

export interface Listening {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly response: ServerResponse;
  readonly isStream: boolean;
}

/**
 * Answers requests for the events of a device as the service does, on an origin of its own, and as a test tells it to: for
 * what the service and the network cannot be made to do at will.
 */
export interface EventServer {
  readonly origin: string;
  /** Every request since the last `reset()`, preflights excepted. */
  readonly asked: Listening[];
  /** Default: begins a stream, or answers that nothing has happened. */
  answer: (listening: Listening) => void;
  /** Sends text into all streams that are open. */
  send(text: string): void;
  /** Ends all streams that are open, after what was sent into them. */
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
