import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type ErrorRequestHandler } from 'express';
import { Webhook } from 'standardwebhooks';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Attempt, type Decision, type ExpressOptions, whorlExpress } from '../../src/adapters/express.js';
import { verifyWebhook, Whorl } from '../../src/server/index.js';
import { apiSecret, evaluation, json, page, problem, type Reply, serve } from './server-harness.js';

const secret = `whsec_${Buffer.from('a secret of thirty-two characters').toString('base64')}`;

interface Application {
  readonly replies?: readonly Reply[];
  readonly options?: Partial<ExpressOptions>;
  readonly onEvent?: () => unknown;
}

/** Starts an application with the adapter for Express, whose service sends these replies. */
async function start({ replies = [json(evaluation)], options, onEvent = () => undefined }: Application = {}) {
  const service = await serve(...replies);
  const whorl = new Whorl({ apiSecret, baseUrl: service.baseUrl, retries: 0 });
  const decisions: [Decision, Attempt][] = [];
  const protection = whorlExpress({
    whorl,
    whenUnavailable: 'deny',
    withoutAddress: 'refuse',
    onDecision: (...decided) => decisions.push(decided),
    ...options,
  });
  const app = express();
  const letIn: express.RequestHandler = (_request, response) => void response.json({ code: 'let_in' });
  app.post('/login', protection.protect({ action: 'login', user: () => ({ user: 'ann' }) }), letIn);
  app.use('/whorl', protection.routes({ user: () => 'ann' }));
  app.post('/webhook', protection.webhook({ secrets: secret, onEvent }));
  const answer: ErrorRequestHandler = (_error, _request, response, _next) => void response.status(500).json({});
  app.use(answer);
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const post = async (path: string, body: string, headers: Record<string, string> = {}) => {
    const sent = { 'content-type': 'application/json', ...headers };
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', body, headers: sent });
    const { code } = JSON.parse((await response.text()) || '{}');
    return { status: response.status, code };
  };
  return { post, service, decisions };
}

describe('with ranges of trusted proxies, the address is', () => {
  const options = { trustedProxies: ['10.0.0.0/8', '127.0.0.1'] };

  test.each([
    ['that of a visitor inside a range', '10.1.2.3', '10.1.2.3'],
    ['that of a visitor inside a range, behind proxies', '10.1.2.3, 10.0.0.2, 10.0.0.1', '10.1.2.3'],
    ['the connection, without a proxy', undefined, '127.0.0.1'],
    ['the last one outside the ranges', '10.1.2.3, 203.0.113.9, 10.0.0.1', '203.0.113.9'],
  ])('%s', async (_what, forwarded, ip) => {
    const { post, service } = await start({ options });
    const headers: Record<string, string> = forwarded ? { 'x-forwarded-for': forwarded } : {};
    expect(await post('/login', '{}', headers)).toEqual({ status: 200, code: 'let_in' });
    expect(service.received.map(({ body }) => JSON.parse(body).ip)).toEqual([ip]);
  });

  test.each(['unknown', 'unknown, 10.0.0.1', '10.1.2.3, unknown'])('unknown: %s', async (forwarded) => {
    const { post, service } = await start({ options });
    expect(await post('/login', '{}', { 'x-forwarded-for': forwarded })).toEqual({ status: 503, code: 'unavailable' });
    expect(service.received).toEqual([]);
  });
});

describe('while the service is unavailable, the decision says what happened:', () => {
  const down = problem(503, 'unavailable');

  test.each([
    ['let in', 'allow', [down]],
    ['let in as before', 'cached', [json(evaluation), down]],
    ['refused', 'deny', [down]],
    ['refused without an earlier verdict', 'cached', [down]],
  ] as const)('%s', async (what, whenUnavailable, replies) => {
    const { post, decisions } = await start({ replies, options: { whenUnavailable } });
    for (const _ of replies) await post('/login', JSON.stringify({ fingerprint: 'w1.test' }));
    const continues = what.startsWith('let in');
    const verdict = continues ? 'allow' : 'deny';
    expect(decisions.at(-1)?.[0]).toMatchObject({ continues, evaluation: { verdict, unavailable: true } });
  });
});

test.each(['allow', 'cached', 'deny'] as const)(
  'a firewall that responds lets nobody in: %s',
  async (whenUnavailable) => {
    const causes: unknown[] = [];
    const options = { whenUnavailable, onUnavailable: (cause: unknown) => causes.push(cause) };
    const { post } = await start({ replies: [json(evaluation), page(403)], options });
    const body = JSON.stringify({ fingerprint: 'w1.test' });
    expect(await post('/login', body)).toEqual({ status: 200, code: 'let_in' });
    expect(await post('/login', body)).toEqual({ status: 503, code: 'unavailable' });
    expect(causes).toMatchObject([{ code: 'invalid_response' }]);
  },
);

describe('a webhook', () => {
  const body = JSON.stringify({ type: 'webhook.test', timestamp: new Date().toISOString(), data: {} });
  const sign = () => {
    const date = new Date();
    return {
      'webhook-id': 'message-1',
      'webhook-timestamp': String(Math.floor(date.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign('message-1', date, body),
    };
  };

  test('is answered with 204 once it was handled, and with 400 if it is forged', async () => {
    const { post } = await start();
    expect(await post('/webhook', body, sign())).toEqual({ status: 204 });
    expect(await post('/webhook', `${body} `, sign())).toEqual({ status: 400, code: 'signature_mismatch' });
  });

  test('is not answered as forged if the application could not verify something else', async () => {
    const { post } = await start({ onEvent: () => verifyWebhook('', {}, secret) });
    expect(await post('/webhook', body, sign())).toEqual({ status: 500 });
  });
});

test.each(['..', '.', '\\ud800'])('a device with the ID %s is not in the list', async (id) => {
  const { post, service } = await start();
  for (const route of ['detach', 'rename']) {
    const answer = await post(`/whorl/${route}`, `{"device":"${id}","name":"Phone"}`);
    expect(answer).toEqual({ status: 404, code: 'not_found' });
  }
  expect(service.received).toEqual([]);
});
