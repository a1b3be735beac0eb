import { describe, expect, test, vi } from 'vitest';
import { WhorlConnectionError } from '../../src/server/index.js';
import { pauseBeforeRetry, readRetryAfter } from '../../src/server/retry.js';
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
} from './server-harness.js';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const challenge = { _id: 'challenge-1', status: 'pending', user: { _id: 'user-1', external_id: '1' } };

describe('a request', () => {
  test('contains the secret, and its body as JSON', async () => {
    const server = await serve(json(evaluation));
    expect(await clientOf(server).evaluate(request)).toEqual(evaluation);
    const [{ headers, body } = expect.fail()] = server.received;
    expect(JSON.parse(body)).toEqual(request);
    expect(headers).toMatchObject({
      authorization: `Bearer ${apiSecret}`,
      'content-type': 'application/json',
      accept: 'application/json',
      'idempotency-key': expect.stringMatching(uuid),
    });
  });

  test('without a body has no content type', async () => {
    const server = await serve(json({ success: true }));
    await clientOf(server).challenges.complete('challenge-1');
    const [{ headers, body } = expect.fail()] = server.received;
    expect([headers['content-type'], headers['content-length'], body]).toEqual([undefined, '0', '']);
    expect(headers['idempotency-key']).toMatch(uuid);
  });

  test('that only reads data has no idempotency key', async () => {
    const server = await serve(json(challenge));
    await clientOf(server).challenges.retrieve('challenge-1');
    expect(server.received[0]?.headers).not.toHaveProperty('idempotency-key');
  });

  test('has the given idempotency key, or a new one for each call', async () => {
    const server = await serve(json(evaluation));
    const whorl = clientOf(server);
    await whorl.evaluate(request, { idempotencyKey: 'login-7' });
    await whorl.evaluate(request);
    await whorl.evaluate(request);
    const [given, ...others] = server.received.map(({ headers }) => headers['idempotency-key']);
    expect(given).toBe('login-7');
    expect(new Set(others).size).toBe(2);
  });

  test('keeps the path of the base URL', async () => {
    const server = await serve(json(challenge));
    const whorl = clientOf(server, { baseUrl: `${server.baseUrl}/fraud//` });
    await whorl.challenges.retrieve('challenge-1');
    expect(server.received[0]?.url).toBe('/fraud/v2/challenges/challenge-1');
  });
});

describe('a call is retried', () => {
  test.each<[string, Reply]>([
    ['429', problem(429, 'rate_limited')],
    ['502', page(502)],
    ['503', problem(503, 'unavailable')],
    ['504', page(504)],
    ['409 idempotency_in_flight', problem(409, 'idempotency_in_flight')],
    ['a broken connection', hangUp],
  ])('after %s, with the same key and body', async (_, reply) => {
    const server = await serve(reply, reply, json(evaluation));
    expect(await clientOf(server).evaluate(request)).toEqual(evaluation);
    expect(server.received).toHaveLength(3);
    expect(new Set(server.received.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(new Set(server.received.map(({ body }) => body))).toEqual(new Set([JSON.stringify(request)]));
  });

  test.each([0, 1])('at most as often as retries allows (%i)', async (retries) => {
    const server = await serve(problem(503, 'unavailable'));
    const error = await rejection(clientOf(server, { retries }).evaluate(request));
    expect(error).toMatchObject({ name: 'WhorlApiError', status: 503, code: 'unavailable' });
    expect(server.received).toHaveLength(retries + 1);
  });

  test.each([
    [400, 'invalid_request'],
    [401, 'unauthorized'],
    [404, 'not_found'],
    [409, 'challenge_closed'],
    [422, 'idempotency_mismatch'],
    [429, 'too_many_attempts'],
    [500, 'internal'],
  ])('not after %i %s', async (status, code) => {
    const server = await serve(problem(status, code));
    expect(await rejection(clientOf(server).evaluate(request))).toMatchObject({ status, code });
    expect(server.received).toHaveLength(1);
  });

  test('not before the time of Retry-After', async () => {
    const server = await serve(problem(503, 'unavailable', { 'retry-after': '1' }), json(evaluation));
    await clientOf(server).evaluate(request);
    const [first, second] = server.received.map(({ atMs }) => atMs);
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(1000);
  });

  test('not if Retry-After exceeds the remaining time', async () => {
    // A client that waited would exceed the timeout of the test.
    const server = await serve(problem(429, 'rate_limited', { 'retry-after': '300' }));
    expect(await rejection(clientOf(server).evaluate(request))).toMatchObject({
      code: 'rate_limited',
      retryAfterSeconds: 300,
    });
    expect(server.received).toHaveLength(1);
  });
});

describe('the pause before a retry', () => {
  const passing = new WhorlConnectionError('network', 'It broke.');
  const pauses = (retry: number) => Array.from({ length: 200 }, () => pauseBeforeRetry(passing, retry) ?? Number.NaN);

  test.each([
    [0, 100, 200],
    [1, 200, 400],
    [2, 400, 800],
    [20, 2500, 5000],
  ])('number %i is from %i to %i ms, with jitter', (retry, shortestMs, longestMs) => {
    const drawn = pauses(retry);
    expect(Math.min(...drawn)).toBeGreaterThanOrEqual(shortestMs);
    expect(Math.max(...drawn)).toBeLessThanOrEqual(longestMs);
    expect(new Set(drawn).size).toBeGreaterThan(100);
  });

  test.each([
    ['7', 7],
    ['0', 0],
    ['Wed, 21 Oct 2015 07:28:00 GMT', 0],
    ['soon', undefined],
    ['-3', undefined],
    [null, undefined],
  ])('Retry-After: %s', (header, seconds) => {
    expect(readRetryAfter(header)).toBe(seconds);
  });

  test('Retry-After: a future date', () => {
    vi.useFakeTimers({ now: new Date('2026-11-20T12:00:00Z'), toFake: ['Date'] });
    try {
      expect(readRetryAfter('Fri, 20 Nov 2026 12:01:00 GMT')).toBe(60);
    } finally {
      vi.useRealTimers();
    }
  });
});
