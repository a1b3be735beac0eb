import { WhorlArgumentError } from './errors.js';

/** The body of a request as it was received: text or bytes. A `Buffer` is a `Uint8Array`. */
export type WebhookBody = string | ArrayBuffer | ArrayBufferView;

const howToGetIt = [
  "Express: express.raw({ type: 'application/json' }) on this route, then request.body.",
  "Fastify: addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => done(null, body)), then request.body.",
  'Hono: await c.req.text().',
  'Next: await request.text().',
].join(' ');

/**
 * Returns the bytes of a request's body.
 *
 * @throws {WhorlArgumentError} for anything but text and bytes, usually a body that was already parsed.
 */
export function bytesOfBody(body: WebhookBody): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  if (isArrayBuffer(body)) return new Uint8Array(body);
  throw new WhorlArgumentError(
    `body must be the raw body of the request, as text or bytes, but is ${kindOf(body)}. The signature covers the exact bytes that were sent, so the body must not be parsed before it is verified. ${howToGetIt}`,
  );
}

/**
 * Returns whether a value is an ArrayBuffer. `instanceof` would fail for one from another realm (a test runner's, an
 * edge runtime's).
 */
function isArrayBuffer(body: unknown): body is ArrayBuffer {
  return Object.prototype.toString.call(body) === '[object ArrayBuffer]';
}

function kindOf(body: unknown): string {
  if (body === undefined || body === null) return `${body}`;
  return typeof body === 'object' ? 'an object' : `a ${typeof body}`;
}
