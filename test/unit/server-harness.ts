import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { Whorl, type WhorlOptions } from '../../src/server/index.js';

export const apiSecret = 'sk_test_0123456789abcdef';

/** A received request. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly atMs: number;
}

/** Responds to one request. */
export type Reply = (response: ServerResponse, request: Received) => void;

/** A server that sends one reply per request, in order. The last reply is repeated. */
export interface TestServer {
  readonly baseUrl: string;
  readonly received: readonly Received[];
  /** Number of connections that were closed before their response was complete. */
  readonly cut: () => number;
}

/** Starts a real HTTP server for the running test. */
export async function serve(...replies: readonly Reply[]): Promise<TestServer> {
  const received: Received[] = [];
  let cut = 0;
  const server = createServer(async (request, response) => {
    response.on('close', () => {
      if (!response.writableFinished) cut += 1;
    });
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '', url = '', headers } = request;
    const one = { method, url, headers, body: Buffer.concat(chunks).toString(), atMs: performance.now() };
    received.push(one);
    const reply = replies[Math.min(received.length, replies.length) - 1];
    reply?.(response, one);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}`, received, cut: () => cut };
}

/** Responds with JSON. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Reply {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
}

/** Responds with a problem document, as the service does. */
export function problem(status: number, code: string, headers: Record<string, string> = {}): Reply {
  const body = {
    type: `https://example.com/${code}`,
    title: 'No',
    status,
    detail: 'No.',
    code,
    request_id: 'request-1',
  };
  return json(body, status, { 'content-type': 'application/problem+json', ...headers });
}

/** Responds with an HTML page, unlike the service. */
export function page(status: number, headers: Record<string, string> = {}): Reply {
  return (response) => {
    response.writeHead(status, { 'content-type': 'text/html', ...headers }).end('<h1>Not the service</h1>');
  };
}

/** Closes the connection without a response. */
export const hangUp: Reply = (response) => {
  response.destroy();
};

/** Never responds. */
export const silence: Reply = () => undefined;

export const evaluation = {
  verdict: 'allow',
  fingerprint_id: 'fingerprint-1',
  evaluation_id: 'evaluation-1',
  device_id: 'device-1',
  reasons: ['new_ip'],
  confidence: 1,
  matched_by: 'exact',
  changed: [],
};

export const request = { action: 'login', user: 'ann@example.com', fingerprint: 'w1.test' };

/** Returns a client of the server. */
export function clientOf(server: TestServer, options: Partial<WhorlOptions> = {}): Whorl {
  return new Whorl({ apiSecret, baseUrl: server.baseUrl, ...options });
}

/** Returns the error with which a promise rejects. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    (value) => {
      throw new Error(`It resolved to ${JSON.stringify(value)}.`);
    },
    (error: unknown) => error,
  );
}
