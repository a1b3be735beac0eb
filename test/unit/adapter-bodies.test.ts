import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { Hono } from 'hono';
import { validator } from 'hono/validator';
import { describe, expect, onTestFinished, test } from 'vitest';
import { whorlExpress } from '../../src/adapters/express.js';
import { whorlHono } from '../../src/adapters/hono.js';
import { whorlNext } from '../../src/adapters/next.js';
import { clientOf, evaluation, json, serve, type TestServer } from './server-harness.js';

const secrets = `whsec_${Buffer.from('a secret of thirty-two characters').toString('base64')}`;
const fields = { email: 'ann@example.com', fingerprint: 'w1.test' };
const attempt = { action: 'login', user: 'ann' } as const;
const mebibyte = 1024 * 1024;
const webhook = { secrets, onEvent: () => undefined };

/** Starts a service that allows everything, and returns the options of an adapter. */
async function start() {
  const service = await serve(json({ ...evaluation, nonce: 'nonce-1', expires_at: '2026-12-01T00:00:00.000Z' }));
  return { service, options: { whorl: clientOf(service), whenUnavailable: 'deny', withoutAddress: 'allow' } as const };
}

/** The fingerprints that the service received. */
const fingerprints = ({ received }: TestServer) => received.map(({ body }) => JSON.parse(body).fingerprint);

const asJson = () => ({ body: JSON.stringify(fields), headers: { 'content-type': 'application/json' } });
const forms: Record<string, () => { body: BodyInit; headers?: Record<string, string> }> = {
  JSON: asJson,
  'JSON of another name': () => ({
    ...asJson(),
    headers: { 'content-type': 'application/vnd.api+json; charset=utf-8' },
  }),
  'JSON without a type, as of fetch': () => ({ body: JSON.stringify(fields) }),
  'a form': () => ({ body: new URLSearchParams(fields) }),
  'form data': () => {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    return { body };
  },
};

/** A body that is sent in parts of one MiB. */
function endless(parts: number) {
  let read = 0;
  const part = new Uint8Array(mebibyte).fill(120);
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull(controller) {
        if (read === parts) return controller.close();
        read += 1;
        controller.enqueue(part);
      },
    },
    { highWaterMark: 0 },
  );
  return { body, readParts: () => read };
}

const requestOf = (init: RequestInit & { duplex?: 'half' }, path = '/login') =>
  new Request(`https://shop.example${path}`, { method: 'POST', ...init });

describe('Hono', () => {
  async function shop() {
    const { service, options } = await start();
    const whorl = whorlHono({ ...options, clientAddress: () => '192.0.2.1' });
    const app = new Hono();
    app.onError((error, c) => c.text(error.message, 500));
    return { service, whorl, app };
  }

  test.each(Object.entries(forms))(
    'decides on %s that the application has not read, or reads later',
    async (_, form) => {
      const { service, whorl, app } = await shop();
      app.post('/login', async (c) => {
        const { response } = await whorl.decide(c, attempt);
        return response ?? c.text(await c.req.text());
      });
      const answer = await app.request('/login', { method: 'POST', ...form() });
      expect(await answer.text()).toContain('ann');
      expect(fingerprints(service)).toEqual(['w1.test']);
    },
  );

  test.each(Object.entries(forms))('decides on %s that the application has read', async (name, form) => {
    const { service, whorl, app } = await shop();
    app.post('/login', async (c) => {
      if (/form/.test(name)) await c.req.parseBody();
      else await c.req.json();
      const { response } = await whorl.decide(c, attempt);
      return response ?? c.text('in');
    });
    const answer = await app.request('/login', { method: 'POST', ...form() });
    expect(await answer.text()).toBe('in');
    expect(fingerprints(service)).toEqual(['w1.test']);
  });

  test.each(['json', 'form'] as const)('decides on what a validator for %s has read', async (target) => {
    const { service, whorl, app } = await shop();
    const check = validator(target, (value) => value);
    app.post('/login', check, async (c) => (await whorl.decide(c, attempt)).response ?? c.text('in'));
    const form = target === 'json' ? asJson() : { body: new URLSearchParams(fields) };
    const answer = await app.request('/login', { method: 'POST', ...form });
    expect(await answer.text()).toBe('in');
    expect(fingerprints(service)).toEqual(['w1.test']);
  });

  test('names the fix if the application has read the request itself', async () => {
    const { whorl, app } = await shop();
    app.post('/login', async (c) => {
      await c.req.raw.json();
      return (await whorl.decide(c, attempt)).response ?? c.text('in');
    });
    const answer = await app.request('/login', { method: 'POST', ...asJson() });
    expect([answer.status, await answer.text()]).toEqual([500, expect.stringContaining('c.req.json()')]);
  });

  test('refuses a webhook that is longer than 1 MiB, and reads no more of it', async () => {
    const { whorl, app } = await shop();
    app.post('/webhook', whorl.webhook(webhook));
    const { body, readParts } = endless(20);
    const answer = await app.request(requestOf({ body, duplex: 'half' }, '/webhook'));
    expect([answer.status, await answer.json()]).toMatchObject([413, { code: 'body_too_large' }]);
    expect(readParts()).toBeLessThan(5);
  });

  test('verifies a webhook that the application has read', async () => {
    const { whorl, app } = await shop();
    app.use(async (c, next) => {
      await c.req.text();
      await next();
    });
    app.post('/webhook', whorl.webhook(webhook));
    const answer = await app.request('/webhook', { method: 'POST', ...asJson() });
    expect([answer.status, await answer.json()]).toMatchObject([400, { code: expect.any(String) }]);
  });
});

describe('Next', () => {
  async function shop() {
    const { service, options } = await start();
    return { service, whorl: whorlNext({ ...options, clientAddress: () => '192.0.2.1' }) };
  }

  test.each(Object.entries(forms))('decides on %s, and leaves it to the application', async (_, form) => {
    const { service, whorl } = await shop();
    const request = requestOf(form());
    expect(await whorl.decide(request, attempt)).toMatchObject({ continues: true });
    expect(await request.text()).toContain('ann');
    expect(fingerprints(service)).toEqual(['w1.test']);
  });

  test('names the fix if the application has read the body', async () => {
    const { service, whorl } = await shop();
    const request = requestOf(asJson());
    await request.json();
    for (const call of [whorl.decide, whorl.reportFailure]) {
      await expect(call(request, attempt)).rejects.toThrow(/read before.*request\.clone\(\)/);
    }
    expect(service.received).toEqual([]);
  });

  test.each([
    ['JSON', 'application/json', 3],
    ['a form', 'application/x-www-form-urlencoded', 3],
    ['another type', 'application/octet-stream', 0],
  ])('reads at most 1 MiB of %s, and counts the attempt', async (_, type, most) => {
    const { service, whorl } = await shop();
    const { body, readParts } = endless(20);
    const request = requestOf({ body, duplex: 'half', headers: { 'content-type': type } });
    expect(await whorl.decide(request, attempt)).toMatchObject({ continues: true });
    expect(readParts()).toBeLessThanOrEqual(most);
    expect(fingerprints(service)).toEqual([undefined]);
    expect((await request.arrayBuffer()).byteLength).toBe(20 * mebibyte);
  });

  test('reads no body of a request for a nonce', async () => {
    const { whorl } = await shop();
    const { body, readParts } = endless(20);
    const headers = { 'content-type': 'application/json' };
    const answer = await whorl.routes().POST(requestOf({ body, duplex: 'half', headers }, '/whorl/nonce'));
    expect(await answer.json()).toMatchObject({ nonce: 'nonce-1' });
    expect(readParts()).toBe(0);
  });

  test('refuses a webhook that is longer than 1 MiB, and reads no more of it', async () => {
    const { whorl } = await shop();
    const { body, readParts } = endless(20);
    const answer = await whorl.webhook(webhook).POST(requestOf({ body, duplex: 'half' }, '/webhook'));
    expect([answer.status, await answer.json()]).toMatchObject([413, { code: 'body_too_large' }]);
    expect(readParts()).toBeLessThan(5);
  });
});

describe('Express', () => {
  async function shop(mount: (app: express.Express, whorl: ReturnType<typeof whorlExpress>) => void) {
    const { service, options } = await start();
    const app = express();
    mount(app, whorlExpress(options));
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const post = (path: string, init: RequestInit & { duplex?: 'half' }) =>
      fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', ...init });
    return { service, post };
  }
  const user = () => ({ user: 'ann' });

  test.each([
    ['JSON', asJson()],
    ['a form', { body: new URLSearchParams(fields) }],
  ])('leaves %s in request.body to what follows', async (_, form) => {
    const { service, post } = await shop((app, whorl) => {
      app.use(whorl.protect({ action: 'payment', user }), express.json(), express.urlencoded());
      app.post('/pay', (request, response) => {
        response.json(request.body);
      });
    });
    expect(await (await post('/pay', form)).json()).toEqual(fields);
    expect(fingerprints(service)).toEqual(['w1.test']);
  });

  test.each([
    ['an upload', { 'content-type': 'application/octet-stream' }, 2 * mebibyte],
    ['compressed JSON', { 'content-type': 'application/json', 'content-encoding': 'gzip' }, 1000],
    ['JSON that is too long', { 'content-type': 'application/json' }, 2 * mebibyte],
  ])('leaves %s to the application', async (_, headers, length) => {
    const { service, post } = await shop((app, whorl) => {
      app.post('/up', whorl.protect({ action: 'upload', user }), async (request, response) => {
        let size = 0;
        for await (const part of request) size += part.length;
        response.json({ size, body: request.body ?? null });
      });
    });
    const answer = await post('/up', { headers, body: new Uint8Array(length) });
    expect(await answer.json()).toEqual({ size: length, body: null });
    expect(fingerprints(service)).toEqual([undefined]);
  });

  test('answers a body that is too long and says no length', async () => {
    const { service, post } = await shop((app, whorl) => {
      app.post('/pay', whorl.protect({ action: 'payment', user }), (request, response) => {
        response.json({ body: request.body ?? null });
      });
      app.post('/webhook', whorl.webhook(webhook));
    });
    const long = () =>
      ({ body: endless(3).body, duplex: 'half', headers: { 'content-type': 'application/json' } }) as const;
    expect(await (await post('/pay', long())).json()).toEqual({ body: null });
    expect(fingerprints(service)).toEqual([undefined]);
    const answer = await post('/webhook', long());
    expect([answer.status, await answer.json()]).toMatchObject([413, { code: 'body_too_large' }]);
  });
});
