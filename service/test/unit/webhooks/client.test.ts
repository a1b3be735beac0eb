import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createWebhookClient, type Resolve, type WebhookClientOptions } from '../../../src/effects/webhooks/client.js';
import { never, type Receiver, startReceiver, status } from '../../support/receiver.js';
import { waitFor } from '../../support/wait-for.js';

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.clear());
afterAll(() => receiver.close());

const post = (url: string, options: Partial<WebhookClientOptions> = {}) =>
  createWebhookClient({ allowPrivate: true, ...options }).post({
    url,
    headers: { 'webhook-id': 'it' },
    body: '{"a":"é"}',
  });
/** Posts with enough time for the start of a response, also on a slow machine. */
async function postInTime(url: string): ReturnType<typeof post> {
  for (let timeoutMs = 200; ; timeoutMs *= 2) {
    const attempted = await post(url, { timeoutMs });
    if (attempted.failure !== 'timeout') return attempted;
  }
}
const named = (host: string) => receiver.url.replace('127.0.0.1', host);
const resolvesTo =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

describe('post', () => {
  test('sends the body unchanged, and accepts any 2xx', async () => {
    receiver.answerNext(status(202));
    expect(await post(`${receiver.url}/hooks?a=b`)).toEqual({ status: 202, durationMs: expect.any(Number) });
    const [{ path, headers, body } = { path: '', headers: {}, body: '' }] = receiver.received;
    expect([path, body]).toEqual(['/hooks?a=b', '{"a":"é"}']);
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'content-length': '10', 'webhook-id': 'it' });
  });

  test('does not follow redirects', async () => {
    receiver.answerNext(status(307, { Location: `${receiver.url}/elsewhere` }));
    expect(await post(receiver.url)).toMatchObject({ status: 307, failure: 'redirect' });
    expect(receiver.at('/elsewhere')).toEqual([]);
  });

  test('returns other statuses, with Retry-After', async () => {
    receiver.answerNext(status(500), status(429, { 'Retry-After': '7' }));
    expect(await post(receiver.url)).toMatchObject({ status: 500, failure: 'status' });
    expect(await post(receiver.url)).toMatchObject({ status: 429, failure: 'status', retryAfter: '7' });
  });

  test('respects its timeout', async () => {
    receiver.answerNext(never);
    const { durationMs, ...attempted } = await post(receiver.url, { timeoutMs: 200 });
    expect(attempted).toEqual({ failure: 'timeout' });
    // The default timeout.
    expect(durationMs).toBeLessThan(15_000);
    const slow: Resolve = () => new Promise(() => undefined);
    expect(await post(named('slow.example'), { timeoutMs: 100, resolve: slow })).toMatchObject({ failure: 'timeout' });
  });

  test('reads at most 64 KiB of an endless response, and uses its status', async () => {
    let written = 0;
    let closed = false;
    receiver.answerNext((response) => {
      response.writeHead(200).on('close', () => {
        closed = true;
      });
      const more = () => {
        for (let goOn = true; goOn && !closed; written += 16_384) goOn = response.write('x'.repeat(16_384));
      };
      response.on('drain', more);
      more();
    });
    expect(await post(receiver.url, { timeoutMs: 10_000 })).toMatchObject({ status: 200 });
    await waitFor(() => closed, { what: 'the end of the connection' });
    // Plus the data in the system's buffers.
    expect(written).toBeLessThan(32 * 1024 * 1024);
  });

  test('ends a slow response at the timeout, and uses its status', async () => {
    receiver.answerAlways('/', (response) => void response.writeHead(200).write('x'));
    expect(await postInTime(receiver.url)).toEqual({ status: 200, durationMs: expect.any(Number) });
  });

  test('reports unreachable receivers', async () => {
    expect(await post('http://127.0.0.1:1/')).toMatchObject({ failure: 'connection' });
    const nowhere: Resolve = () => Promise.reject(new Error('ENOTFOUND'));
    expect(await post(named('nowhere.example'), { resolve: nowhere })).toMatchObject({ failure: 'dns' });
    expect(await post(receiver.url.replace('http:', 'https:'))).toMatchObject({ failure: 'tls' });
  });
});

describe('receivers with private addresses', () => {
  const port = () => new URL(receiver.url).port;
  test.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '0',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '169.254.169.254',
    '10.0.0.1',
    '100.64.0.1',
    'localhost',
    '%6c%6fcalhost',
    '①②⑦.⓪.⓪.①',
  ])('%s is refused at registration and at delivery', async (host) => {
    for (const scheme of ['http', 'https']) {
      const url = `${scheme}://${host}:${port()}/`;
      const client = createWebhookClient({ allowPrivate: false });
      await expect(client.check(url)).rejects.toMatchObject({ name: 'ReceiverRefused', failure: 'address' });
      expect(await client.post({ url, headers: {}, body: '' })).toMatchObject({ failure: 'address' });
    }
    expect(receiver.received).toEqual([]);
  });

  test('is refused for a name with one private address among several', async () => {
    const options = { allowPrivate: false, resolve: resolvesTo('1.1.1.1', '127.0.0.1') };
    await expect(createWebhookClient(options).check('https://both.example')).rejects.toThrow('not public');
    expect(await post('https://both.example', options)).toMatchObject({ failure: 'address' });
  });

  test('is refused if a name that was public becomes private', async () => {
    const answers = [resolvesTo('1.1.1.1'), resolvesTo('127.0.0.1')];
    const resolve: Resolve = (host) => (answers.shift() ?? resolvesTo('127.0.0.1'))(host);
    const client = createWebhookClient({ allowPrivate: false, resolve });
    const url = `https://rebinds.example:${port()}/`;
    await client.check(url);
    expect(await client.post({ url, headers: {}, body: '' })).toMatchObject({ failure: 'address' });
  });

  test('is not reached by DNS rebinding, because the name is resolved once', async () => {
    let asked = 0;
    const resolve: Resolve = (host) => {
      asked++;
      return resolvesTo(asked === 1 ? '127.0.0.1' : '127.0.0.2')(host);
    };
    const options = { allowPrivate: ['127.0.0.1/32'], resolve };
    expect(await post(named('rebinds.example'), options)).toMatchObject({ status: 204 });
    expect(asked).toBe(1);
    expect(receiver.received[0]?.headers.host).toMatch(/^rebinds\.example:/);
  });

  test('is allowed in ranges of the operator, and without TLS only there', async () => {
    const allowPrivate = ['127.0.0.0/8'];
    expect(await post(receiver.url, { allowPrivate })).toMatchObject({ status: 204 });
    const { check } = createWebhookClient({ allowPrivate, resolve: resolvesTo('1.1.1.1') });
    await expect(check('http://public.example')).rejects.toThrow('require https://');
    await check('https://public.example');
  });

  test.each([
    'ftp://shop.example/',
    'file:///etc/passwd',
    'shop.example',
    '',
    'https://a:b@shop.example/',
    'https://shop.example/#a',
  ])('%s is not a valid endpoint URL', async (url) => {
    const { check } = createWebhookClient({ allowPrivate: true, resolve: resolvesTo('1.1.1.1') });
    await expect(check(url)).rejects.toMatchObject({ name: 'ReceiverRefused' });
  });
});
