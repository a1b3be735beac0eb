import { onTestFinished } from 'vitest';
import type { CodeMessage } from '../../../src/ground/messages/message.js';
import type { TextOptions } from '../../../src/ground/messages/sender.js';
import { type Request, startHttpServer } from './http.js';

/** What a provider answers. */
export type Answer = readonly [status: number, body: unknown, headers?: Record<string, string>];

/** Starts a provider for one test. Without an answer, it never responds. */
export async function server(answer?: (request: Request) => Answer) {
  const started = await startHttpServer(
    answer &&
      ((request, response) => {
        const [status, body, headers] = answer(request);
        response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
        response.end(typeof body === 'string' ? body : JSON.stringify(body));
      }),
  );
  onTestFinished(started.close);
  return started;
}

/** Default message. */
export const message: CodeMessage = {
  channel: 'text',
  to: '+491701234567',
  code: '012345',
  expiresInMinutes: 10,
  project: { name: 'Shop' },
  language: 'en',
};
/** Personal data of the message, which no log may contain. */
export const personal = ['491701234567', '012345'];

/** Options of the generic HTTP provider. */
export const plain = (url: string): TextOptions => ({ kind: 'http', url, token: 'b-token' });
