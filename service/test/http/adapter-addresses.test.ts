import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { serve } from '@hono/node-server';
import { getConnInfo } from '@hono/node-server/conninfo';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import passport from 'passport';
import { Strategy } from 'passport-local';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { whorlExpress } from 'whorl/express';
import { whorlFastify } from 'whorl/fastify';
import { whorlHono } from 'whorl/hono';
import { whorlPassport } from 'whorl/passport';
import { Whorl } from 'whorl/server';
import { startService, type TestService } from '../support/service.js';
import { closeServer } from '../support/shops.js';
import { waitFor } from '../support/wait-for.js';

/** Options of the adapters that read the address from Node's connection. */
interface NodeOptions {
  readonly whorl: Whorl;
  readonly whenUnavailable: 'deny';
  readonly withoutAddress: 'refuse';
  readonly trustedProxies?: number | readonly string[];
}

/** Waits as an application does while it looks up the account. */
type LookUp = (request: IncomingMessage) => Promise<void>;

const attempt = { action: 'login', user: 'ann' } as const;

/** Applications that reject every password after the look-up. They know Node's connection. */
const applications: Record<string, (options: NodeOptions, lookUp: LookUp) => Promise<Server>> = {
  async express(options, lookUp) {
    const whorl = whorlExpress(options);
    const app = express();
    app.post('/login', async (request, response) => {
      await lookUp(request);
      const { continues } = await whorl.reportFailure(request, response, attempt);
      if (continues) response.sendStatus(401);
    });
    return listen(createServer(app));
  },

  async fastify(options, lookUp) {
    const whorl = whorlFastify(options);
    const app = fastify();
    app.post('/login', async (request, reply) => {
      await lookUp(request.raw);
      const { continues } = await whorl.reportFailure(request, reply, attempt);
      return continues ? reply.code(401).send({}) : reply;
    });
    await app.ready();
    return listen(app.server);
  },

  async passport(options, lookUp) {
    const whorl = whorlPassport(options);
    const authenticator = new passport.Passport();
    authenticator.use(
      new Strategy({ passReqToCallback: true }, (request, _name, _password, done) => {
        lookUp(request).then(() => done(null, false), done);
      }),
    );
    const app = express();
    app.use(express.json());
    app.post('/login', authenticator.authenticate('local', { session: false, failWithError: true }));
    app.use(whorl.reportFailedLogin(() => attempt));
    const answer: express.ErrorRequestHandler = (error, _request, response, _next) => {
      response.status(error.status ?? 500).end();
    };
    app.use(answer);
    return listen(createServer(app));
  },

  async hono({ trustedProxies: _of, ...options }, lookUp) {
    const whorl = whorlHono({ ...options, clientAddress: (c) => getConnInfo(c).remote.address });
    const app = new Hono<{ Bindings: { incoming: IncomingMessage } }>();
    app.post('/login', async (c) => {
      await c.req.raw.clone().json();
      await lookUp(c.env.incoming);
      const { response } = await whorl.reportFailure(c, attempt);
      return response ?? c.body(null, 401);
    });
    return listen(serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }) as Server);
  },
};

async function listen(server: Server): Promise<Server> {
  if (!server.listening) server.listen(0, '127.0.0.1');
  if (!server.listening) await once(server, 'listening');
  onTestFinished(async () => {
    await closeServer(server);
  });
  return server;
}

const body = JSON.stringify({ username: 'ann', password: 'wrong' });

/** Returns the connection, and the request as a script sends it. */
function connectTo(server: Server, forwarded?: string) {
  const { port } = server.address() as AddressInfo;
  const lines = ['POST /login HTTP/1.1', 'Host: shop.example', 'Content-Type: application/json'];
  if (forwarded !== undefined) lines.push(`X-Forwarded-For: ${forwarded}`);
  lines.push(`Content-Length: ${body.length}`, '', body);
  return { socket: connect(port, '127.0.0.1'), request: lines.join('\r\n') };
}

let service: TestService;
let whorl: Whorl;
beforeAll(async () => {
  service = await startService({ database: 'embedded' });
});
afterAll(() => service?.close());
beforeEach(async () => {
  const { keys } = await service.newProject();
  whorl = new Whorl({ apiSecret: keys.live.secret, baseUrl: service.url });
});

const failures = async () => (await whorl.legacy.accessHistory({ outcome: 'failed', user: 'ann' })).data;
const options = () => ({ whorl, whenUnavailable: 'deny', withoutAddress: 'refuse' }) as const;

describe.each(Object.entries(applications))('whorl/%s on Node', (name, start) => {
  test('a connection that was reset after the request hides no address', async () => {
    let isReset = false;
    const server = await start(options(), async ({ socket }) => {
      visitor.socket.resetAndDestroy();
      await waitFor(() => socket.destroyed, { what: 'the end of the connection' });
      isReset = true;
    });
    const visitor = connectTo(server);
    visitor.socket.on('error', () => undefined).write(visitor.request);
    await waitFor(async () => (await failures()).length > 0, { what: 'the failure' });
    expect(isReset).toBe(true);
    expect(await failures()).toMatchObject([{ ip: '127.0.0.1' }]);
  });

  // With Hono, the application reads the address.
  if (name === 'hono') return;

  const ranges = ['10.0.0.0/8', '127.0.0.1', '2001:db8::/32'];
  test.each([
    ['the last address that no proxy of ours has', '203.0.113.9, 10.1.2.3', '203.0.113.9'],
    ['not what the visitor wrote before it', '192.0.2.1, 203.0.113.9, 10.1.2.3, 2001:db8::7', '203.0.113.9'],
    ['not an address of ours that the visitor wrote', '10.9.9.9, 203.0.113.9, 10.1.2.3', '203.0.113.9'],
    ['an IPv4 address that is written as IPv6', '::ffff:203.0.113.9, 10.1.2.3', '203.0.113.9'],
    ['the connection of a visitor who comes without a proxy of ours', undefined, '127.0.0.1'],
  ])('with ranges, judges %s', async (_what, forwarded, ip) => {
    const trustedProxies = forwarded === undefined ? ['10.0.0.0/8'] : ranges;
    const server = await start({ ...options(), trustedProxies }, async () => undefined);
    const { socket, request } = connectTo(server, forwarded);
    socket.write(request);
    await once(socket, 'data');
    socket.destroy();
    expect(await failures()).toMatchObject([{ ip }]);
  });

  test('with ranges, refuses a visitor whose address no proxy gives', async () => {
    const server = await start({ ...options(), trustedProxies: ranges }, async () => undefined);
    const { socket, request } = connectTo(server, 'unknown, 10.1.2.3');
    socket.write(request);
    const [answer] = await once(socket, 'data');
    socket.destroy();
    expect(String(answer)).toContain('503');
    // The service is not to blame.
    expect(String(answer)).not.toContain('service');
    expect(await failures()).toEqual([]);
  });
});

test.each([-1, 0.5, Number.NaN, ['10.0.0.0/33'], ['proxy.example'], ['']])(
  'trustedProxies cannot be %j',
  (trustedProxies) => {
    for (const create of [whorlExpress, whorlFastify, whorlPassport]) {
      expect(() => create({ ...options(), trustedProxies })).toThrow(TypeError);
    }
  },
);
