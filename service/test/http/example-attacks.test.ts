import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Whorl } from 'whorl/server';
import { isExampleInstalled } from '../../../scripts/example-packages.mjs';
import { freePort } from '../../../test/browser/harness/free-port.js';
import { startTethered, type TetheredProcess } from '../../../test/browser/harness/tethered-process.js';
import { until } from '../../../test/browser/harness/until.js';
import { root } from '../../../test/package/installed.js';
import { type Attacked, attacks, failingAnswer, laptop, type ServiceState } from '../support/attacks.js';
import { fingerprintOf } from '../support/fingerprints.js';
import { startService, type TestService } from '../support/service.js';
import { closeServer, urlOf } from '../support/shops.js';
import { type Login, logInWithAuthJs, post, type Seen, seenIn } from '../support/sign-in-shops.js';

/** An example: how it is started, and how an account of it is created and logged in to. */
interface Example {
  /** Its program and parameters, for a port. Default: `server.js` in Node, which needs no build. */
  readonly program?: (port: number) => [command: string, ...parameters: string[]];
  readonly isAvailable?: () => boolean;
  readonly routes?: string;
  readonly challengeRoutes?: readonly string[];
  /** Attacks that its own server has no part in, with the reason. */
  readonly spared?: Readonly<Record<string, string>>;
  signUp(url: string, account: Account): Promise<Seen>;
  logIn(url: string, account: Account, login: Omit<Login, 'password'>): Promise<Seen>;
}

interface Account {
  readonly email: string;
  readonly password: string;
}

async function postTo(url: string, fields: object, { headers, cookies }: Omit<Login, 'password'> = {}): Promise<Seen> {
  return seenIn(await post(url, fields, { 'x-forwarded-for': '', ...headers }, cookies));
}

/** Returns the fingerprint of the device on which an account is created. */
const ownOf = ({ email }: Account) => fingerprintOf({ seed: email });

/** The examples with the paths of docs/adapters.md. */
const plain: Example = {
  signUp: (url, account) => postTo(`${url}/sign-up`, { ...account, fingerprint: ownOf(account) }),
  logIn: (url, account, login) => postTo(`${url}/login`, { ...account, ...login.fields }, login),
};

const pathOf = (name: string, file: string) => join(root, 'examples', name, file);

/** A new example fails here until it has an entry. */
const examples: Readonly<Record<string, Example | { readonly notRun: string }>> = {
  'react-express': plain,
  'vue-fastify': plain,
  angular: plain,
  passport: plain,
  passkey: plain,
  'better-auth': {
    routes: '/api/auth/whorl',
    signUp: (url, account) =>
      postTo(`${url}/api/auth/sign-up/email`, { name: 'Ann', ...account, fingerprint: ownOf(account) }),
    logIn: (url, account, login) => postTo(`${url}/api/auth/sign-in/email`, { ...account, ...login.fields }, login),
  },
  'auth-js': {
    signUp: (url, account) =>
      logInWithAuthJs(url, 'credentials', { ...account, button: 'sign-up', fingerprint: ownOf(account) }, {}),
    logIn: (url, account, login) => logInWithAuthJs(url, 'credentials', { ...account, ...login.fields }, login),
  },
  'script-tag-php': {
    ...plain,
    program: (port) => ['php', '-S', `localhost:${port}`, pathOf('script-tag-php', 'server.php')],
    isAvailable: () => !spawnSync('php', ['--version']).error,
    challengeRoutes: [],
    spared: { 'the challenge of another browser': 'The challenge is in the PHP session of the browser.' },
  },
  'hono-workers': {
    ...plain,
    program: () => [process.execPath, join(root, 'scripts/example.mjs'), 'hono-workers'],
    isAvailable: () => isExampleInstalled('hono-workers'),
  },
  kratos: { notRun: 'Ory Kratos checks the passwords, and only asks about right ones: docs/sign-in.md.' },
  webhooks: { notRun: 'Nobody logs in: test/package/other-languages.test.ts.' },
  next: { notRun: 'Accounts are created by a server action: test/browser/examples.test.ts, and whorl/next here.' },
};

test('every example is attacked', () => {
  const folders = readdirSync(join(root, 'examples'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'data')
    .map(({ name }) => name);
  expect(Object.keys(examples).toSorted()).toEqual(folders.toSorted());
});

for (const [name, entry] of Object.entries(examples)) {
  if ('notRun' in entry) continue;
  const example: Example = entry;
  const { program = () => [process.execPath, pathOf(name, 'server.js')], isAvailable = () => true } = example;
  const { routes = '/whorl', challengeRoutes, spared = {} } = example;

  describe.skipIf(!isAvailable())(`the example ${name}`, () => {
    let service: TestService;
    let proxy: Server;
    let running: TetheredProcess;
    let url: string;
    let whorl: Whorl;
    let state: ServiceState = 'up';

    beforeAll(async () => {
      service = await startService({ database: 'embedded' });
      const project = await service.newProject({ failure_limits: { stored_per_network: 10_000 } });
      const apiSecret = project.keys.live.secret;
      whorl = new Whorl({ apiSecret, baseUrl: service.url });
      proxy = startProxy();
      await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
      const port = await freePort();
      url = `http://localhost:${port}`;
      // In tests, better-auth leaves its check of the origin out.
      const environment = {
        NODE_ENV: 'development',
        TEST: '',
        PORT: String(port),
        WHORL_URL: urlOf(proxy),
        WHORL_API_SECRET: apiSecret,
      };
      const [command, ...parameters] = program(port);
      running = startTethered(command, parameters, { ...process.env, ...environment });
      running.stderr.on('data', (text) => process.stderr.write(text));
      await until('The start of the example', () => fetch(url));
    });
    afterAll(async () => {
      await running?.end();
      if (proxy) await closeServer(proxy);
      await service?.close();
    });

    /** Between the example and the service, which can be made to fail here. */
    function startProxy(): Server {
      return createServer(async (request, response) => {
        if (state === 'unreachable') return request.destroy();
        const { host, connection, 'content-length': length, ...headers } = request.headers;
        const body = await buffer(request);
        const init = { method: request.method ?? 'GET', headers: headers as Record<string, string> };
        const answer =
          failingAnswer(state) ?? (await fetch(service.url + request.url, { ...init, ...(body.length && { body }) }));
        response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
        response.end(Buffer.from(await answer.arrayBuffer()));
      });
    }

    /** Creates an account, whose device from the sign-up is detached, so that none is known. */
    async function begin(): Promise<Attacked> {
      const account = { email: `${randomUUID()}@example.com`, password: 'correct horse' };
      const seen = await example.signUp(url, account);
      expect(seen.status).toBeLessThan(400);
      const [access] = (await whorl.legacy.accessHistory({ limit: 1 })).data;
      const user = access?.external_user ?? '';
      const [device] = (await whorl.users.devices(user)).data;
      if (device) await whorl.devices.detach(device._id);
      return {
        ip: access?.ip ?? '',
        forged: '203.0.113.1, 203.0.113.2',
        routes: url + routes,
        ...(challengeRoutes && { challengeRoutes }),
        logIn: ({ password, ...login }) =>
          example.logIn(url, { ...account, ...(password === 'wrong' && { password: 'another' }) }, login),
        failures: async () => (await whorl.legacy.accessHistory({ outcome: 'failed', user })).data,
        trustLaptop: () => trust(user, access?.ip ?? ''),
        setStatus: (status) => whorl.users.update(user, { status }),
        setService: (next) => {
          state = next;
        },
        codesSent: () => service.outbox.length,
      };
    }

    async function trust(user: string, ip: string): Promise<void> {
      const { challenge_id: id } = await whorl.evaluate({ action: 'login', user, fingerprint: laptop, ip });
      if (id) await whorl.challenges.complete(id);
    }

    test.each(Object.entries(attacks).filter(([attack]) => !(attack in spared)))('withstands %s', async (_, attack) => {
      await attack(await begin());
    });
  });
}
