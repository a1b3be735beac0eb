import { inspect } from 'node:util';
import { describe, expect, test, vi } from 'vitest';
import {
  Whorl,
  WhorlApiError,
  WhorlClientError,
  WhorlConnectionError,
  type WhorlOptions,
} from '../../src/server/index.js';
import {
  apiSecret,
  clientOf,
  evaluation,
  hangUp,
  json,
  page,
  problem,
  type Reply,
  rejection,
  request,
  serve,
  silence,
} from './server-harness.js';

/** Longer than any stall of a busy machine. */
const slow = { timeout: 30_000 };

const onlyHeaders: Reply = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).write('{"verdict":');
};

describe('a timeout', () => {
  test.each([
    ['no answer', silence],
    ['half an answer', onlyHeaders],
  ])('ends a call with %s, and closes its connection', async (_, reply) => {
    const server = await serve(reply);
    const error = await rejection(clientOf(server, { timeoutMs: 1000 }).evaluate(request));
    expect(error).toBeInstanceOf(WhorlConnectionError);
    expect(error).toMatchObject({ name: 'WhorlConnectionError', code: 'timeout' });
    await vi.waitFor(() => expect(server.cut()).toBe(1), slow);
    expect(server.received).toHaveLength(1);
  });

  test('applies to all attempts together', async () => {
    const server = await serve(problem(503, 'unavailable'));
    // A thousand retries with their pauses would exceed the timeout of the test.
    const whorl = clientOf(server, { timeoutMs: 500, retries: 1000 });
    // The timeout ends a pause before the next attempt, and aborts an attempt in progress.
    expect(await rejection(whorl.evaluate(request))).toMatchObject({
      code: expect.stringMatching(/^(unavailable|timeout)$/),
    });
  });

  test('can be overridden for a call', async () => {
    const server = await serve(silence);
    expect(await rejection(clientOf(server).evaluate(request, { timeoutMs: 100 }))).toMatchObject({ code: 'timeout' });
  });

  test('works with a fetch that ignores the signal', async () => {
    const server = await serve(silence);
    const whorl = clientOf(server, { timeoutMs: 100, fetch: () => new Promise(() => undefined) });
    expect(await rejection(whorl.evaluate(request))).toMatchObject({ code: 'timeout' });
  });
});

describe('an abort', () => {
  test('ends a call in progress, with its reason as the cause, without a retry', async () => {
    const server = await serve(silence);
    const controller = new AbortController();
    const rejected = rejection(clientOf(server).evaluate(request, { signal: controller.signal }));
    await vi.waitFor(() => expect(server.received).toHaveLength(1), slow);
    const reason = new Error('The user left.');
    controller.abort(reason);
    expect(await rejected).toMatchObject({ name: 'WhorlConnectionError', code: 'aborted', cause: reason });
    await vi.waitFor(() => expect(server.cut()).toBe(1), slow);
    expect(server.received).toHaveLength(1);
  });

  test('before the call prevents the request', async () => {
    const server = await serve(json(evaluation));
    const rejected = rejection(clientOf(server).evaluate(request, { signal: AbortSignal.abort() }));
    expect(await rejected).toMatchObject({ code: 'aborted' });
    expect(server.received).toHaveLength(0);
  });

  test('ends the pause before a retry', async () => {
    const server = await serve(problem(503, 'unavailable', { 'retry-after': '300' }));
    const controller = new AbortController();
    // If the pause continued, it would exceed the timeout of the test.
    const whorl = clientOf(server, { timeoutMs: 600_000 });
    const rejected = rejection(whorl.evaluate(request, { signal: controller.signal }));
    await vi.waitFor(() => expect(server.received).toHaveLength(1), slow);
    controller.abort();
    expect(await rejected).toMatchObject({ code: 'aborted' });
  });

  test('after the call has no effect', async () => {
    const server = await serve(json(evaluation));
    const controller = new AbortController();
    const answer = await clientOf(server).evaluate(request, { signal: controller.signal });
    controller.abort();
    expect(answer).toEqual(evaluation);
  });
});

describe('a response from something else than the service', () => {
  test.each<[string, Reply]>([
    ['a page', page(200)],
    ['an empty object', json({})],
    ['a list', json([])],
    ['null', json(null)],
    ['half of the JSON', (response) => response.end('{"verdict":"allow"')],
    ['an unknown verdict', json({ ...evaluation, verdict: 'perhaps' })],
    ['no reasons', json({ ...evaluation, reasons: undefined })],
    ['204', (response) => response.writeHead(204).end()],
    ['a page in place of an error', page(404)],
    ['JSON in place of an error', json({ error: 'no' }, 403)],
  ])('is reported as such, without a retry: %s', async (_, reply) => {
    const server = await serve(reply);
    const error = await rejection(clientOf(server).evaluate(request));
    expect(error).toBeInstanceOf(WhorlConnectionError);
    expect(error).toMatchObject({ code: 'invalid_response' });
    expect(server.received).toHaveLength(1);
  });

  test.each([301, 302, 307, 308])('redirects are not followed: %i', async (status) => {
    const other = await serve(json(evaluation));
    const server = await serve(page(status, { location: other.baseUrl }));
    expect(await rejection(clientOf(server).evaluate(request))).toMatchObject({ code: 'invalid_response' });
    expect(other.received).toHaveLength(0);
  });

  test.each([
    [408, 'timeout'],
    [500, 'internal'],
  ])('has the code of its status, if there is one: %i', async (status, code) => {
    const server = await serve(page(status));
    const error = await rejection(clientOf(server).evaluate(request));
    expect(error).toBeInstanceOf(WhorlApiError);
    expect(error).toMatchObject({ status, code, requestId: undefined });
  });
});

describe('an error', () => {
  test('of the service contains the response', async () => {
    const errors = [{ path: 'fingerprint', message: 'Required' }];
    const body = {
      status: 400,
      code: 'invalid_request',
      detail: 'The request is not valid.',
      request_id: 'r-1',
      errors,
    };
    const server = await serve(json(body, 400));
    const error = await rejection(clientOf(server).users.update('ann@example.com', { email: 'x' }));
    expect(error).toBeInstanceOf(WhorlApiError);
    expect(error).toBeInstanceOf(WhorlClientError);
    expect(error).toMatchObject({
      name: 'WhorlApiError',
      status: 400,
      code: 'invalid_request',
      requestId: 'r-1',
      errors,
      retryAfterSeconds: undefined,
      message: 'POST /v2/user/:id/update returned 400 invalid_request. The request is not valid.',
    });
  });

  test('of the network has its cause', async () => {
    const server = await serve(hangUp);
    const error = await rejection(clientOf(server, { retries: 0 }).evaluate(request));
    expect(error).toMatchObject({ name: 'WhorlConnectionError', code: 'network', cause: expect.any(TypeError) });
  });

  test.each<[string, Reply]>([
    ['a problem', problem(404, 'not_found')],
    ['a broken connection', hangUp],
    ['a timeout', silence],
    ['what is no answer', (response) => response.end(`"ann@example.com" ${apiSecret}`)],
  ])('contains neither the secret nor the user when printed: %s', async (_, reply) => {
    const server = await serve(reply);
    const whorl = clientOf(server, { timeoutMs: 300, retries: 0 });
    const error = await rejection(whorl.users.update('ann@example.com', { phone: '+4915112345678' }));
    expect(error).toBeInstanceOf(WhorlClientError);
    const printed = inspect(error, { depth: 9, showHidden: true });
    for (const secret of [apiSecret, 'ann', '4915112345678']) expect(printed).not.toContain(secret);
  });

  test('hides the secret, and so does a printed client', () => {
    const printed = inspect(new Whorl({ apiSecret, baseUrl: 'https://example.com' }), { depth: 9, showHidden: true });
    expect(printed).toContain('Whorl');
    expect(printed).not.toContain(apiSecret);
  });
});

describe('an invalid argument', () => {
  const valid = { apiSecret, baseUrl: 'https://example.com' };

  test.each<[string, unknown]>([
    ['no address', { ...valid, baseUrl: 'example.com' }],
    ['another protocol', { ...valid, baseUrl: 'ftp://example.com' }],
    ['an address with a query', { ...valid, baseUrl: 'https://example.com/?a=b' }],
    ['an address with credentials', { ...valid, baseUrl: 'https://a:b@example.com' }],
    ['no secret', { ...valid, apiSecret: undefined }],
    ['an empty secret', { ...valid, apiSecret: '' }],
    ['a secret with a line break', { ...valid, apiSecret: `${apiSecret}\n` }],
    ['a publishable key', { ...valid, apiSecret: 'pk_live_0123' }],
    ['no time', { ...valid, timeoutMs: 0 }],
    ['more time than a timer takes', { ...valid, timeoutMs: 2 ** 31 }],
    ['half a retry', { ...valid, retries: 1.5 }],
    ['another way out', { ...valid, whenUnavailable: 'challenge' }],
  ])('of the client: %s', (_, options) => {
    const make = () => new Whorl(options as WhorlOptions);
    expect(make).toThrow(expect.objectContaining({ name: 'WhorlArgumentError', code: 'invalid_argument' }));
  });

  test('of the client: a publishable key is named as such, but not quoted', () => {
    const make = () => new Whorl({ ...valid, apiSecret: 'pk_live_0123' });
    expect(make).toThrow(/apiSecret must be the secret key .*sk_.* but is the publishable key/);
    expect(make).not.toThrow(/0123/);
  });

  test.each(['', '.', '..', '\ud800', 7, undefined])(
    'of a call is rejected before a request is sent: the ID %j',
    async (id) => {
      const server = await serve(json({ success: true }));
      const error = await rejection(clientOf(server).users.delete(id as string));
      expect(error).toMatchObject({ name: 'WhorlArgumentError' });
      expect(server.received).toHaveLength(0);
    },
  );

  test.each(['', 'two words', 'ä', 'x'.repeat(256)])('of a call: the idempotency key %j', async (idempotencyKey) => {
    const server = await serve(json(evaluation));
    const error = await rejection(clientOf(server).evaluate(request, { idempotencyKey }));
    expect(error).toMatchObject({ name: 'WhorlArgumentError' });
    expect(server.received).toHaveLength(0);
  });

  test('of a call: values that JSON does not support', async () => {
    const server = await serve(json(evaluation));
    const error = await rejection(clientOf(server).evaluate({ ...request, metadata: { big: 1n } }));
    expect(error).toMatchObject({ name: 'WhorlArgumentError' });
  });
});
