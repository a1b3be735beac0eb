import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { rollup } from 'rollup';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type InstalledPackage, installPackage, runModule } from './installed.js';

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
    expect(stdout).toBe(`${names},verifyAgent,verifyToken,verifyWebhook\n`);
  });
});

/** Uses the whole client, in different environments. */
const script = `(async () => {
  const { Whorl, verifyToken, verifyWebhook } = client;
  const whorl = new Whorl({ apiSecret: 'sk_test_1', baseUrl });
  const { verdict } = await whorl.evaluate({ action: 'login', user: '42', fingerprint: 'w1' });
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
    ...{ AbortController, AbortSignal, CryptoKey, Headers, Request, Response, TextDecoder, TextEncoder },
    ...{ URL, URLSearchParams, atob, btoa, clearTimeout, crypto, fetch, setTimeout, structuredClone },
    // The context has its own classes, which differ from Node's.
    ...{ Uint8Array },
  };
  const context = createContext({ ...edge, baseUrl, token, secret, webhook: makeWebhook() });
  expect(runInContext('typeof process + typeof Buffer + typeof require', context)).toBe('undefined'.repeat(3));
  runInContext(output[0].code, context);
  expect(await runInContext(script, context)).toBe(outcome);
});
