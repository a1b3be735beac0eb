import { createHmac } from 'node:crypto';
import { runInNewContext } from 'node:vm';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { verifyWebhook, type WebhookBody } from '../../src/server/index.js';
import type { WebhookEvent } from '../../src/wire/index.js';
import { rejection } from './server-harness.js';

const secret = `whsec_${Buffer.from('a secret of thirty-two characters').toString('base64')}`;
const otherSecret = `whsec_${Buffer.from('another of thirty-two characters!').toString('base64')}`;
const event = {
  type: 'device.detached',
  timestamp: '2026-01-01T00:00:00.000Z',
  data: { cause: 'kick', name: 'Jürgen 🦊' },
};
const body = JSON.stringify(event);

interface Webhooked {
  readonly body?: string;
  readonly secret?: string;
  readonly ageSeconds?: number;
}

/** The clock is stopped, so that the limits are exact. */
const now = Date.parse('2026-01-01T00:00:01.500Z');
beforeAll(() => {
  vi.useFakeTimers({ toFake: ['Date'], now });
});
afterAll(() => {
  vi.useRealTimers();
});

/** Returns the headers of a webhook signed by the public library. */
function sign({ body: signed = body, secret: by = secret, ageSeconds = 0 }: Webhooked = {}): Record<string, string> {
  const date = new Date(now - ageSeconds * 1000);
  return {
    'webhook-id': 'message-1',
    'webhook-timestamp': String(Math.floor(date.getTime() / 1000)),
    'webhook-signature': new Webhook(by).sign('message-1', date, signed),
  };
}

describe('a webhook signed by the public library is accepted', () => {
  test('with the headers of Node', async () => {
    expect(await verifyWebhook(body, sign(), secret)).toEqual(event);
  });

  test('with a Headers object', async () => {
    expect(await verifyWebhook(body, new Headers(sign()), secret)).toEqual(event);
  });

  const bytes = new TextEncoder().encode(body);
  const inside = new Uint8Array(bytes.length + 8);
  inside.set(bytes, 4);
  test.each<[string, WebhookBody]>([
    ['a Buffer', Buffer.from(body)],
    ['a Uint8Array', bytes],
    ['an ArrayBuffer', bytes.buffer],
    ['a part of a larger buffer', inside.subarray(4, 4 + bytes.length)],
    ['a DataView', new DataView(inside.buffer, 4, bytes.length)],
    ['an ArrayBuffer of another realm', runInNewContext('Uint8Array.from(bytes).buffer', { bytes: [...bytes] })],
  ])('with its body as %s', async (_, given) => {
    expect(await verifyWebhook(given, sign(), secret)).toEqual(event);
  });

  test('with header names in any case', async () => {
    const headers = Object.fromEntries(
      Object.entries(sign()).map(([name, value]) => [name.replace(/\b\w/g, (letter) => letter.toUpperCase()), value]),
    );
    expect(Object.keys(headers)).toContain('Webhook-Id');
    expect(await verifyWebhook(body, headers, secret)).toEqual(event);
  });

  test('with one of several secrets, in any order', async () => {
    expect(await verifyWebhook(body, sign(), [otherSecret, secret])).toEqual(event);
    expect(await verifyWebhook(body, sign(), [secret, otherSecret])).toEqual(event);
  });

  test('with a secret without its prefix', async () => {
    expect(await verifyWebhook(body, sign(), secret.slice('whsec_'.length))).toEqual(event);
  });

  test('with several signatures of which one is correct', async () => {
    const headers = sign();
    const signature = `v1a,AAAA v1,!!! v1, v1,AAAA ${sign({ secret: otherSecret })['webhook-signature']} ${headers['webhook-signature']}`;
    expect(await verifyWebhook(body, { ...headers, 'webhook-signature': signature }, secret)).toEqual(event);
  });

  test('with thousands of signatures, for which the body is hashed once for each secret', async () => {
    const [making, verifying] = [vi.spyOn(crypto.subtle, 'sign'), vi.spyOn(crypto.subtle, 'verify')];
    onTestFinished(() => {
      for (const method of [making, verifying]) method.mockRestore();
    });
    const { 'webhook-signature': correct = '', ...headers } = sign();
    const others = `v1, ${sign({ body: 'another' })['webhook-signature']} `.repeat(1500);
    const secrets = [otherSecret, secret];
    expect(await verifyWebhook(body, { ...headers, 'webhook-signature': others + correct }, secrets)).toEqual(event);
    const error = await rejection(verifyWebhook(body, { ...headers, 'webhook-signature': others }, secrets));
    expect(error).toMatchObject({ code: 'signature_mismatch' });
    expect(making.mock.calls.length + verifying.mock.calls.length).toBe(2 * secrets.length);
  });

  test.each([299, -299])('signed %i seconds ago', async (ageSeconds) => {
    expect(await verifyWebhook(body, sign({ ageSeconds }), secret)).toEqual(event);
  });

  test('with a type that is unknown to this version', async () => {
    const later = JSON.stringify({ ...event, type: 'device.sold' });
    expect(await verifyWebhook(later, sign({ body: later }), secret)).toMatchObject({ type: 'device.sold' });
  });
});

describe('an invalid webhook, which the public library also rejects', () => {
  const headers = sign();
  const signature = headers['webhook-signature'] ?? '';
  const longer = `v1,${Buffer.concat([Buffer.from(signature.slice(3), 'base64'), Buffer.alloc(1)]).toString('base64')}`;

  test.each<[string, string, Record<string, string | undefined>, string]>([
    ['another body', `${body} `, headers, 'signature_mismatch'],
    ['another id', body, { ...headers, 'webhook-id': 'message-2' }, 'signature_mismatch'],
    [
      'another time',
      body,
      { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) },
      'signature_mismatch',
    ],
    ['another secret', body, sign({ secret: otherSecret }), 'signature_mismatch'],
    [
      'another version',
      body,
      { ...headers, 'webhook-signature': signature.replace('v1,', 'v2,') },
      'signature_mismatch',
    ],
    ['no version', body, { ...headers, 'webhook-signature': signature.replace('v1,', '') }, 'signature_mismatch'],
    ['half a signature', body, { ...headers, 'webhook-signature': signature.slice(0, 20) }, 'signature_mismatch'],
    ['more than a signature', body, { ...headers, 'webhook-signature': longer }, 'signature_mismatch'],
    ['no base64', body, { ...headers, 'webhook-signature': 'v1,***' }, 'signature_mismatch'],
    ['an empty signature', body, { ...headers, 'webhook-signature': 'v1,' }, 'signature_mismatch'],
    ['over 5 minutes old', body, sign({ ageSeconds: 310 }), 'timestamp_out_of_range'],
    ['over 5 minutes ahead', body, sign({ ageSeconds: -310 }), 'timestamp_out_of_range'],
    ['no time', body, { ...headers, 'webhook-timestamp': 'now' }, 'timestamp_out_of_range'],
    ['no id header', body, { ...headers, 'webhook-id': undefined }, 'headers_missing'],
    ['no time header', body, { ...headers, 'webhook-timestamp': undefined }, 'headers_missing'],
    ['no signature header', body, { ...headers, 'webhook-signature': undefined }, 'headers_missing'],
  ])('%s', async (_, text, given, code) => {
    const present = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    expect(() => new Webhook(secret).verify(text, present as Record<string, string>)).toThrow();
    const error = await rejection(verifyWebhook(text, given, secret));
    expect(error).toMatchObject({ name: 'WhorlVerificationError', code });
  });

  test('a signed time that is not an integer', async () => {
    const timestamp = `${Math.floor(Date.now() / 1000)}e0`;
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const made = createHmac('sha256', key).update(`message-1.${timestamp}.${body}`).digest('base64');
    const given = { 'webhook-id': 'message-1', 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${made}` };
    expect(await rejection(verifyWebhook(body, given, secret))).toMatchObject({ code: 'timestamp_out_of_range' });
  });

  test.each(['', 'text', '[]', 'null', '{"type":"device.detached"}', '{"type":1,"timestamp":"","data":{}}'])(
    'a signed body that is no event: %s',
    async (text) => {
      expect(await rejection(verifyWebhook(text, sign({ body: text }), secret))).toMatchObject({ code: 'malformed' });
    },
  );
});

describe('a body that is not the raw body', () => {
  test.each<[string, unknown]>([
    ['an object', event],
    ['an array', [event]],
    ['a promise', Promise.resolve(body)],
    ['a request', new Request('https://shop.example/', { method: 'POST', body })],
  ])('is rejected with a hint: %s', async (_, given) => {
    const error = await rejection(verifyWebhook(given as never, sign(), secret));
    expect(error).toMatchObject({ name: 'WhorlArgumentError', code: 'invalid_argument' });
    const text = String(error);
    expect(text).toContain('body must be the raw body');
    for (const way of [
      'Express: express.raw(',
      'Fastify: ',
      'Hono: await c.req.text()',
      'Next: await request.text()',
    ]) {
      expect(text).toContain(way);
    }
    expect(text).not.toContain('Jürgen');
  });

  test.each([undefined, null, 7, true])('is rejected if it is neither text nor bytes: %j', async (given) => {
    const error = await rejection(verifyWebhook(given as never, sign(), secret));
    expect(error).toMatchObject({ name: 'WhorlArgumentError', message: expect.stringContaining('raw body') });
  });
});

describe('the message of the error', () => {
  const messageOf = async (given: Record<string, string | undefined>) =>
    String(await rejection(verifyWebhook(body, given, secret)));

  test('names the missing header, and which headers to pass', async () => {
    const { 'webhook-id': _, ...headers } = sign();
    expect(await messageOf(headers)).toMatch(/no webhook-id header.*headers of the request/);
    expect(await messageOf({})).toContain('webhook-id');
  });

  test('contains the signed time and the current time', async () => {
    const message = await messageOf(sign({ ageSeconds: 900 }));
    expect(message).toMatch(/signed at 2025-12-31T23:45:01.000Z.*2026-01-01T00:00:01.500Z.*5 minutes.*clock/);
    expect(await messageOf({ ...sign(), 'webhook-timestamp': 'now' })).toMatch(/webhook-timestamp.*number of seconds/);
  });

  test('lists the possible causes of a wrong signature', async () => {
    expect(await messageOf(sign({ secret: otherSecret }))).toMatch(
      /signature.*secret belongs to this endpoint.*raw body/,
    );
  });
});

describe('an invalid secret', () => {
  test.each([[''], ['whsec_'], ['whsec_***'], [[]], [[secret, '']], [undefined], [null]])('%j', async (secrets) => {
    const error = await rejection(verifyWebhook(body, sign(), secrets as unknown as string));
    expect(error).toMatchObject({ name: 'WhorlArgumentError' });
    expect(String(error)).not.toContain('***');
  });
});

test('the type determines the data', async () => {
  const received: WebhookEvent = await verifyWebhook(body, sign(), secret);
  expect(received.type === 'device.detached' ? received.data.cause : '').toBe('kick');
});
