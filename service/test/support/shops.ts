import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import express from 'express';
import fastify, { type FastifyRequest } from 'fastify';
import { Hono } from 'hono';
import { type ChallengeWith, whorlExpress } from 'whorl/express';
import { whorlFastify } from 'whorl/fastify';
import { forwardedFor, whorlHono } from 'whorl/hono';
import { whorlNext } from 'whorl/next';
import type { Whorl } from 'whorl/server';

type Policy = 'allow' | 'deny' | 'cached';

export interface Shop {
  readonly url: string;
  /** Types of the webhooks' events that arrived. */
  readonly events: string[];
  close(): Promise<unknown>;
}

export interface ShopOptions {
  readonly whorl: Whorl<'throw' | 'allow' | 'deny'>;
  readonly whenUnavailable: Policy;
  readonly origins?: readonly string[];
  readonly withoutAddress?: 'refuse' | 'allow';
  readonly onUnavailable?: (cause: unknown) => void;
  readonly page?: string;
  readonly challengeWith?: ChallengeWith;
}

export const secrets = `whsec_${Buffer.from('a secret of thirty-two characters').toString('base64')}`;

/** Account of the only user whose password is right, as a row of a database. */
const accountOf = ({ email, password }: { email?: string; password?: string }) =>
  password === 'right' && email ? { user: email, email, phone: null } : undefined;

const nameIn = (header: unknown) => (typeof header === 'string' ? header : undefined);

/** Reads a body without consuming it. */
const parse = async (request: Request): Promise<ReturnType<typeof JSON.parse>> =>
  JSON.parse(await request.clone().text());

/**
 * The same shop with each framework: a login, a payment and the devices of the user in a header, Whorl's routes and a
 * webhook.
 */
export const shops: Record<string, (options: ShopOptions) => Promise<Shop>> = {
  async express(options) {
    const events: string[] = [];
    const whorl = whorlExpress({ ...options, trustedProxies: 1 });
    const app = express();
    app.post('/webhook', whorl.webhook({ secrets, onEvent: ({ type }) => events.push(type) }));
    app.use(express.json());
    app.use('/whorl', whorl.routes({ user: (request) => request.get('x-user') }));
    app.post('/login', async (request, response) => {
      const account = accountOf(request.body);
      if (!account) {
        const { continues } = await whorl.reportFailure(request, response, {
          action: 'login',
          user: request.body.email,
        });
        if (continues) response.status(401).json({ code: 'wrong_password' });
        return;
      }
      const { continues, restricted } = await whorl.decide(request, response, { action: 'login', ...account });
      if (continues) response.json({ restricted });
    });
    const user = (request: express.Request) => {
      const name = request.get('x-user');
      return name ? { user: name } : undefined;
    };
    app.post('/pay', whorl.protect({ action: 'payment', user }), (_request, response) => {
      response.json({ restricted: response.locals.whorl?.restricted });
    });
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return { url: urlOf(server), events, close: () => closeServer(server) };
  },

  async fastify(options) {
    const events: string[] = [];
    const whorl = whorlFastify({ ...options, trustedProxies: ['127.0.0.1'] });
    const app = fastify();
    app.register(whorl.webhook({ secrets, onEvent: ({ type }) => events.push(type) }), { prefix: '/webhook' });
    app.register(whorl.routes, { prefix: '/whorl', user: ({ headers }: FastifyRequest) => nameIn(headers['x-user']) });
    app.post<{ Body: { email: string; password: string } }>('/login', async (request, reply) => {
      const account = accountOf(request.body);
      if (!account) {
        const { continues } = await whorl.reportFailure(request, reply, { action: 'login', user: request.body.email });
        return continues ? reply.code(401).send({ code: 'wrong_password' }) : reply;
      }
      const { continues, restricted } = await whorl.decide(request, reply, { action: 'login', ...account });
      return continues ? { restricted } : reply;
    });
    const user = ({ headers }: { headers: Record<string, unknown> }) =>
      typeof headers['x-user'] === 'string' ? { user: headers['x-user'] } : undefined;
    app.post('/pay', { preHandler: whorl.protect({ action: 'payment', user }) }, async (request) => ({
      restricted: whorl.decisionOf(request)?.restricted,
    }));
    return { url: await app.listen({ port: 0, host: '127.0.0.1' }), events, close: () => app.close() };
  },

  async hono(options) {
    const events: string[] = [];
    const clientAddress = forwardedFor(1);
    const whorl = whorlHono({ ...options, clientAddress: (c) => clientAddress(c.req.raw) });
    const app = new Hono();
    app.post('/webhook', whorl.webhook({ secrets, onEvent: ({ type }) => events.push(type) }));
    app.post('/whorl/*', whorl.routes({ user: (c) => c.req.header('x-user') }));
    app.post('/login', async (c) => {
      const body = await parse(c.req.raw);
      const account = accountOf(body);
      if (!account) {
        const { response } = await whorl.reportFailure(c, { action: 'login', user: body.email });
        return response ?? c.json({ code: 'wrong_password' }, 401);
      }
      const { response, restricted } = await whorl.decide(c, { action: 'login', ...account });
      return response ?? c.json({ restricted });
    });
    const user = (c: { req: { header(name: string): string | undefined } }) => {
      const name = c.req.header('x-user');
      return name ? { user: name } : undefined;
    };
    app.post('/pay', whorl.protect({ action: 'payment', user }), (c) =>
      c.json({ restricted: c.get('whorl').restricted }),
    );
    const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }) as Server;
    await once(server, 'listening');
    return { url: urlOf(server), events, close: () => closeServer(server) };
  },

  /** Next calls route handlers with a request, as this server does. */
  async next(options) {
    const events: string[] = [];
    const whorl = whorlNext({ ...options, clientAddress: forwardedFor(1) });
    const login = async (request: Request) => {
      const body = await parse(request);
      const account = accountOf(body);
      if (!account) {
        const { response } = await whorl.reportFailure(request, { action: 'login', user: body.email });
        return response ?? Response.json({ code: 'wrong_password' }, { status: 401 });
      }
      const { response, restricted } = await whorl.decide(request, { action: 'login', ...account });
      return response ?? Response.json({ restricted });
    };
    /** As a server action: it has headers and fields, and returns an object. */
    const pay = async (request: Request) => {
      const user = request.headers.get('x-user');
      if (!user) return Response.json({ code: 'not_logged_in' }, { status: 401 });
      const fields = await parse(request);
      const set: [name: string, value: string, options: object][] = [];
      const { reply, restricted } = await whorl.decideAction(
        { headers: request.headers, cookies: { set: (...cookie) => set.push(cookie) } },
        fields,
        { action: 'payment', user },
      );
      const response = reply ? Response.json(reply.body, { status: reply.status }) : Response.json({ restricted });
      for (const [name, value] of set) response.headers.append('set-cookie', `${name}=${encodeURIComponent(value)}`);
      return response;
    };
    const webhook = whorl.webhook({ secrets, onEvent: ({ type }) => events.push(type) });
    const routes = whorl.routes({ user: async ({ headers }) => headers.get('x-user') });
    const handlerOf = (path: string) =>
      ({ '/login': login, '/pay': pay, '/webhook': webhook.POST })[path] ?? routes.POST;
    const server = serve({
      fetch: (request) => handlerOf(new URL(request.url).pathname)(request),
      hostname: '127.0.0.1',
      port: 0,
    }) as Server;
    await once(server, 'listening');
    return { url: urlOf(server), events, close: () => closeServer(server) };
  },
};

export function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export function closeServer(server: Server): Promise<unknown> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
}
