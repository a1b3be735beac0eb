import type { WebhookEvent } from '../wire/index.js';
import { isObject, isText, withFields } from './checks.js';
import { WhorlArgumentError, WhorlVerificationError } from './errors.js';
import { parseJson } from './json.js';

/** A request's headers: a `Headers` object, or a record with names in lower case, as Node has them. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

const toleranceSeconds = 300;
const isEvent = withFields<WebhookEvent>({ type: isText, timestamp: isText, data: isObject });

/**
 * Checks that a webhook was signed with one of the secrets within the last 5 minutes, and gives its event (Standard
 * Webhooks, https://www.standardwebhooks.com). Later versions of the service may send types that this one does not know:
 * let them pass.
 *
 * @param body The body as it was received. One that was parsed and written again has another signature.
 * @param secrets `whsec_…`; several while they are rotated.
 * @throws {WhorlVerificationError} for a webhook that is not to be believed.
 * @throws {WhorlArgumentError} for a secret that is none.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
): Promise<WebhookEvent> {
  const keys = await importKeys([secrets].flat());
  const id = header(headers, 'webhook-id');
  const timestamp = header(headers, 'webhook-timestamp');
  const signatures = readSignatures(header(headers, 'webhook-signature'));
  checkTimestamp(timestamp);
  if (!(await isSigned(signedContent(id, timestamp, body), signatures, keys))) {
    throw new WhorlVerificationError('signature_mismatch', 'The webhook is not signed with any of the secrets.');
  }
  const event = parseJson(typeof body === 'string' ? body : new TextDecoder().decode(body));
  if (!isEvent(event)) throw new WhorlVerificationError('malformed', 'The webhook holds no event.');
  return event;
}

function header(headers: WebhookHeaders, name: string): string {
  const value = isHeaders(headers) ? headers.get(name) : headers[name];
  if (typeof value === 'string' && value) return value;
  throw new WhorlVerificationError('headers_missing', `The webhook has no ${name} header.`);
}

function isHeaders(headers: WebhookHeaders): headers is { get(name: string): string | null } {
  return typeof headers.get === 'function';
}

function checkTimestamp(timestamp: string): void {
  const ageSeconds = Date.now() / 1000 - Number(timestamp);
  if (!/^\d+$/.test(timestamp) || Math.abs(ageSeconds) > toleranceSeconds) {
    throw new WhorlVerificationError('timestamp_out_of_range', 'The webhook was not signed within 5 minutes from now.');
  }
}

function signedContent(id: string, timestamp: string, body: string | Uint8Array): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const head = encoder.encode(`${id}.${timestamp}.`);
  const tail = typeof body === 'string' ? encoder.encode(body) : body;
  const content = new Uint8Array(head.length + tail.length);
  content.set(head);
  content.set(tail, head.length);
  return content;
}

/** `v1,<base64>`, several separated by spaces; other versions are not for this kind of secret. */
function readSignatures(text: string): Uint8Array<ArrayBuffer>[] {
  const parts = text.split(' ').filter((part) => part.startsWith('v1,'));
  return parts.flatMap((part) => decodeBase64(part.slice('v1,'.length)) ?? []);
}

/** `verify` compares in constant time (Web Cryptography, HMAC, verify). */
async function isSigned(
  content: Uint8Array<ArrayBuffer>,
  signatures: readonly Uint8Array<ArrayBuffer>[],
  keys: readonly CryptoKey[],
): Promise<boolean> {
  const pairs = keys.flatMap((key) => signatures.map((signature) => ({ key, signature })));
  const found = await Promise.all(
    pairs.map(({ key, signature }) => crypto.subtle.verify('HMAC', key, signature, content)),
  );
  return found.includes(true);
}

function importKeys(secrets: readonly string[]): Promise<CryptoKey[]> {
  if (!secrets.length) throw new WhorlArgumentError('verifyWebhook needs the secret of the webhook endpoint.');
  return Promise.all(
    secrets.map((secret) => {
      const bytes = typeof secret === 'string' ? decodeBase64(secret.replace(/^whsec_/, '')) : undefined;
      if (!bytes?.length) throw new WhorlArgumentError('A webhook secret must be whsec_ followed by base64.');
      return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
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
