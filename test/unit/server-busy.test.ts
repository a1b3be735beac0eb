import { describe, expect, test } from 'vitest';
import { clientOf, evaluation, hangUp, json, page, problem, rejection, serve, silence } from './server-harness.js';

const request = { action: 'login', user: 'ann@example.com', ip: '192.0.2.1' };
const open = { whenUnavailable: 'allow' } as const;

describe.each([
  [429, 'rate_limited'],
  [503, 'user_busy'],
] as const)('a service that is busy (%i %s), and then out of reach,', (status, code) => {
  const busy = problem(status, code);

  test.each([
    ['an answer of 503', problem(503, 'unavailable')],
    ['an answer of 500', problem(500, 'internal')],
    ['a broken connection', hangUp],
    ['what is not from the service', page(200)],
    ['no answer', silence],
  ])('lets nobody in: after it, %s', async (_, reply) => {
    const server = await serve(busy, reply);
    const error = await rejection(clientOf(server, { timeoutMs: 3000 }).evaluate(request, open));
    expect(error).toMatchObject({ name: 'WhorlApiError', status, code });
    expect(server.received.length).toBeGreaterThan(1);
  });

  test('lets nobody in if the network failed before and after it', async () => {
    const server = await serve(hangUp, busy, hangUp);
    expect(await rejection(clientOf(server).evaluate(request, open))).toMatchObject({ status, code });
    expect(server.received).toHaveLength(3);
  });

  test('is judged if a later attempt succeeds', async () => {
    const server = await serve(busy, json(evaluation));
    expect(await clientOf(server).evaluate(request, open)).toEqual(evaluation);
  });

  test('does not hide that a later attempt was refused', async () => {
    const server = await serve(busy, problem(401, 'unauthorized'));
    const error = await rejection(clientOf(server).evaluate(request, open));
    expect(error).toMatchObject({ status: 401 });
  });

  test('does not hide that the call was aborted', async () => {
    const controller = new AbortController();
    const server = await serve(busy, () => controller.abort());
    const refused = clientOf(server).evaluate(request, { ...open, signal: controller.signal });
    expect(await rejection(refused)).toMatchObject({ code: 'aborted' });
  });
});
