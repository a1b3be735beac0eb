import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { ClaimedEvaluation, EvaluateRequest, NonceResponse } from '../../../src/wire/index';

/** Responds to one request for an evaluation. */
export type Answer = (response: ServerResponse) => void;

export interface Asked {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: EvaluateRequest;
  /** Whether the page closed the connection before the response was complete. */
  wasDropped: boolean;
}

/**
 * Stand-in for the service on its own origin, with responses set by the test, for cases that the real service cannot
 * produce on demand. It also serves the script-tag file.
 */
export interface EvaluateServer {
  readonly origin: string;
  /** Requests for an evaluation since the last `reset()`, except preflights. */
  readonly asked: Asked[];
  answer: Answer;
  /** Responds to requests for a nonce, which are not recorded. */
  answerNonce: Answer;
  /** Responds to requests for files other than the script-tag file. */
  answerPage: Answer;
  /** Whether pages of other origins are allowed. */
  isOpen: boolean;
  /** Restores the initial state: responds with `allowed` to every request. */
  reset(): void;
  close(): Promise<void>;
}

export const allowed: ClaimedEvaluation = {
  evaluation_id: '01939a5e-0000-7000-8000-000000000001',
  verdict: 'allow',
  fingerprint_id: '01939a5e-0000-7000-8000-000000000002',
  token: 'header.payload.signature',
};

export const nonce: NonceResponse = { nonce: 'a-nonce-of-the-tests', expires_at: '2026-11-21T09:35:00.000Z' };

export const challenged: ClaimedEvaluation = {
  ...allowed,
  verdict: 'challenge',
  challenge_id: '01939a5e-0000-7000-8000-000000000003',
};

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
}

/** Never responds. */
export const silence: Answer = () => undefined;

const notFound: Answer = (response) => response.writeHead(404).end();

const script = fileURLToPath(new URL('../../../dist/whorl.min.js', import.meta.url));

export async function startEvaluateServer(): Promise<EvaluateServer> {
  const http = createServer((request, response) => {
    if (request.method === 'GET' && !request.url?.endsWith('.js')) {
      server.answerPage(response);
      return;
    }
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(readFileSync(script));
      return;
    }
    if (server.isOpen) {
      response.setHeader('access-control-allow-origin', request.headers.origin ?? '');
      response.setHeader('access-control-expose-headers', 'retry-after');
    }
    if (request.method === 'OPTIONS') {
      response.setHeader('access-control-allow-headers', 'authorization, content-type');
      // A reused connection would affect the following tests.
      response.setHeader('access-control-max-age', '0');
      response.writeHead(204).end();
      return;
    }
    if (request.url?.endsWith('/v2/device/nonce')) {
      server.answerNonce(response);
      return;
    }
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      text += chunk;
    });
    request.on('end', () => {
      const { url: path = '', headers } = request;
      const asked: Asked = { path, headers, body: JSON.parse(text), wasDropped: false };
      server.asked.push(asked);
      response.on('close', () => {
        asked.wasDropped = !response.writableFinished;
      });
      server.answer(response);
    });
  });
  const server: EvaluateServer = {
    origin: `http://localhost:${await listen()}`,
    asked: [],
    answer: json(200, allowed),
    answerNonce: json(200, nonce),
    answerPage: notFound,
    isOpen: true,
    reset() {
      server.asked.length = 0;
      server.answer = json(200, allowed);
      server.answerNonce = json(200, nonce);
      server.answerPage = notFound;
      server.isOpen = true;
    },
    close: () =>
      new Promise((resolve, reject) => {
        http.close((error) => (error ? reject(error) : resolve()));
        http.closeAllConnections();
      }),
  };
  return server;

  function listen(): Promise<number> {
    return new Promise((resolve, reject) => {
      http.once('error', reject);
      http.listen(0, '127.0.0.1', () => {
        const address = http.address();
        if (address && typeof address === 'object') resolve(address.port);
        else reject(new Error('The server got no port'));
      });
    });
  }
}
