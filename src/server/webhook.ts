import type { WebhookEvent } from '../wire/index.js';
import { isObject, isText, withFields } from './checks.js';
import { WhorlArgumentError, WhorlVerificationError } from './errors.js';
import { type RequestHeaders, readHeader } from './headers.js';
import { parseJson } from './json.js';
import { bytesOfBody, type WebhookBody } from './webhook-body.js';

/** The headers of a request: a `Headers` object, or a record such as Node's `request.headers`. */
export type WebhookHeaders = RequestHeaders;

const toleranceSeconds = 300;
const isEvent = withFields<WebhookEvent>({ type: isText, timestamp: isText, data: isObject });

/**
 * Verifies that a webhook was signed with one of the secrets within the last 5 minutes, and returns its event (Standard
 * Webhooks, https://www.standardwebhooks.com). Later versions of the service may send unknown types: ignore them.
 *
 * @param body The raw body, as text or bytes. A body that was parsed and serialised again has another signature.
 * @param secrets `whsec_…`; more than one during rotation. Undefined is refused, because a variable may be missing.
 * @throws {WhorlVerificationError} for a webhook that cannot be trusted.
 * @throws {WhorlArgumentError} for a body that was parsed, and for an invalid secret.
 */
export async function verifyWebhook(
  body: WebhookBody,
  headers: WebhookHeaders,
  secrets: string | readonly string[] | undefined,
): Promise<WebhookEvent> {
  const bytes = bytesOfBody(body);
  const keys = await importKeys([secrets].flat());
  const id = header(headers, 'webhook-id');
  const timestamp = header(headers, 'webhook-timestamp');
  const signatures = readSignatures(header(headers, 'webhook-signature'));
  checkTimestamp(timestamp);
  if (!(await isSigned(signedContent(id, timestamp, bytes), signatures, keys))) {
    throw new WhorlVerificationError(
      'signature_mismatch',
      'The signature of the webhook does not match. Check that the secret belongs to this endpoint, and pass the raw body, byte for byte.',
    );
  }
  const event = parseJson(new TextDecoder().decode(bytes));
  if (!isEvent(event)) throw new WhorlVerificationError('malformed', 'The body of the webhook is not an event.');
  return event;
}

/** Returns a header's value. */
function header(headers: WebhookHeaders, name: string): string {
  const value = readHeader(headers, name);
  if (value) return value;
  throw new WhorlVerificationError(
    'headers_missing',
    `The webhook has no ${name} header. Pass the headers of the request as they came: a Headers object, or Node's request.headers.`,
  );
}

function checkTimestamp(timestamp: string): void {
  const fail = (message: string) => {
    throw new WhorlVerificationError('timestamp_out_of_range', message);
  };
  if (!/^\d{1,12}$/.test(timestamp)) fail('The webhook-timestamp header is not a number of seconds since 1970.');
  const [signedAt, now] = [new Date(Number(timestamp) * 1000), new Date()];
  if (Math.abs(now.getTime() - signedAt.getTime()) <= toleranceSeconds * 1000) return;
  fail(
    `The webhook was signed at ${signedAt.toISOString()}, and it is ${now.toISOString()} here: more than 5 minutes apart. Check the clock of this server; a webhook that was recorded earlier cannot be verified again.`,
  );
}

function signedContent(id: string, timestamp: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const content = new Uint8Array(head.length + body.length);
  content.set(head);
  content.set(body, head.length);
  return content;
}

/**
 * Returns the `v1` signatures (`v1,<base64>`, separated by spaces). Other versions do not apply to this kind of secret.
 */
function readSignatures(text: string): Uint8Array<ArrayBuffer>[] {
  const parts = text.split(' ').filter((part) => part.startsWith('v1,'));
  return parts.flatMap((part) => decodeBase64(part.slice('v1,'.length)) ?? []);
}

/**
 * Returns whether one of the keys produced one of the signatures. Anyone can send any number of signatures, so the content
 * is hashed once for each key, and not with `verify` for each signature.
 */
async function isSigned(
  content: Uint8Array<ArrayBuffer>,
  signatures: readonly Uint8Array<ArrayBuffer>[],
  keys: readonly CryptoKey[],
): Promise<boolean> {
  for (const key of keys) {
    const made = new Uint8Array(await crypto.subtle.sign('HMAC', key, content));
    if (signatures.some((signature) => isEqual(signature, made))) return true;
  }
  return false;
}

/** Compares in a time that does not depend on where the bytes differ, so that a signature cannot be found byte by byte. */
function isEqual(given: Uint8Array, made: Uint8Array): boolean {
  return given.length === made.length && given.reduce((found, byte, at) => found | (byte ^ (made[at] ?? 0)), 0) === 0;
}

function importKeys(secrets: readonly (string | undefined)[]): Promise<CryptoKey[]> {
  if (!secrets.length) throw new WhorlArgumentError('verifyWebhook needs the secret of the webhook endpoint.');
  return Promise.all(
    secrets.map((secret) => {
      const bytes = typeof secret === 'string' ? decodeBase64(secret.replace(/^whsec_/, '')) : undefined;
      if (!bytes?.length) throw new WhorlArgumentError('A webhook secret must be whsec_ followed by base64.');
      return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
    }),
  );
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
