import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { serve } from '@hono/node-server';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { freePort } from '../../../test/browser/harness/free-port.js';
import { until } from '../../../test/browser/harness/until.js';
import { sample } from '../../../test/package/samples.js';
import { startService, type TestProject, type TestService } from '../support/service.js';
import { openShopBrowser } from '../support/shop-browser.js';
import { closeServer, type Shop, secrets, urlOf } from '../support/shops.js';

let service: TestService;
let project: TestProject;
beforeAll(async () => {
  service = await startService({ database: 'embedded' });
});
afterAll(() => service.close());
const { cookies, logIn, post } = openShopBrowser();
beforeEach(async () => {
  cookies.clear();
  project = await service.newProject();
});

/** Runs the applications of docs/adapters.md as they are, with two modules of the reader's own. */
describe('the samples of docs/adapters.md', () => {
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  const folder = join(root, 'node_modules/.cache/whorl-adapters', randomUUID());
  const write = (path: string, code: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), code);
    return join(folder, path);
  };
  const accounts = `export const findAccount = (email) => (email ? { id: '42', email } : undefined);
    export const passwordMatches = (account, password) => password === 'right';
    export const readCredentials = (body) => body;`;
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const play = async (shop: Pick<Shop, 'url'>) => {
    expect(await logIn(shop, { password: 'wrong' })).toMatchObject({ status: 401 });
    const { body } = await logIn(shop);
    expect(body).toMatchObject({ code: 'challenge_required' });
    expect(await post(shop, '/whorl/send', {})).toMatchObject({ status: 200 });
    const { code = '' } = service.outbox.at(-1) ?? {};
    await post(shop, '/whorl/verify', { code });
    expect(await logIn(shop)).toMatchObject({ status: 200, body: { user: '42', restricted: false } });
  };

  test.each(['Express', 'Fastify', 'Hono'])('%s', async (framework) => {
    write('accounts.js', accounts);
    write('package.json', '{"type":"module"}');
    const file = write(`${framework}.js`, sample(`docs/adapters.md, ${framework}, 1`).code);
    const port = await freePort();
    const environment = {
      WHORL_URL: service.url,
      WHORL_API_SECRET: project.keys.live.secret,
      WHORL_WEBHOOK_SECRET: secrets,
      PORT: String(port),
    };
    const child = spawn(process.execPath, [file], { env: { ...process.env, ...environment }, stdio: 'inherit' });
    try {
      const shop = { url: `http://127.0.0.1:${port}` };
      await until('The start', () => fetch(shop.url));
      await play(shop);
    } finally {
      child.kill();
    }
  });

  test('Next', async () => {
    write('accounts.js', accounts);
    write('package.json', '{"type":"module"}');
    const paths = ['whorl.js', 'app/whorl/[route]/route.js', 'app/login/route.js'];
    // Next finds a module without its extension.
    const codeOf = (number: number) =>
      sample(`docs/adapters.md, Next, ${number}`).code.replace(/(from '\.[^']*)'/g, "$1.js'");
    const files = paths.map((path, index) => write(path, codeOf(index + 1)));
    const [, routes, login] = await Promise.all(
      files.map((file) => import(/* @vite-ignore */ pathToFileURL(file).href)),
    );
    // Only now: next build imports the modules without them.
    process.env.WHORL_URL = service.url;
    process.env.WHORL_API_SECRET = project.keys.live.secret;
    const fetchRoute = (request: Request) => (request.url.endsWith('/login') ? login : routes).POST(request);
    const server = serve({ fetch: fetchRoute, hostname: '127.0.0.1', port: 0 }) as Server;
    await once(server, 'listening');
    try {
      await play({ url: urlOf(server) });
    } finally {
      await closeServer(server);
      Reflect.deleteProperty(globalThis, 'whorl');
    }
  });
});
