import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { whorlAuthJs } from '../../src/adapters/auth-js.js';
import { whorlExpress } from '../../src/adapters/express.js';
import { forwardedFor } from '../../src/server/index.js';
import { clientOf, evaluation, json, serve } from './server-harness.js';

const challenged = { ...evaluation, verdict: 'challenge', challenge_id: 'challenge-1' };
const opened = { ...challenged, _id: 'challenge-1', status: 'pending', user: {}, channels: ['email'] };
const forwarded = { 'x-forwarded-for': '192.0.2.1' };
/** What only requests of a page contain. */
const ofPage = { origin: 'https://shop.example', 'sec-fetch-site': 'same-origin' };

/** An application on http://localhost, which may be behind a proxy that passes on its own Host. */
async function start(mode: string | undefined) {
  vi.stubEnv('NODE_ENV', mode);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const whorl = clientOf(await serve(json(opened)));
  const options = { whorl, whenUnavailable: 'deny', page: '/code' } as const;
  const attempt = { action: 'login', user: 'ann' } as const;
  const auth = whorlAuthJs({ ...options, clientAddress: forwardedFor(1), attempt: () => attempt });
  const onExpress = whorlExpress({ ...options, trustedProxies: 1 });
  const app = express();
  app.use('/whorl', onExpress.routes());
  app.use('/callback', onExpress.protect({ action: 'login', user: () => ({ user: 'ann' }) }));
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const host = `localhost:${(server.address() as AddressInfo).port}`;
  const send = (path: string, method: string, headers: Record<string, string>) =>
    fetch(`http://${host}${path}`, { method, redirect: 'manual', headers: { ...forwarded, ...headers } });

  /** The cookies of a sign-in with Auth.js, and of one with another provider, which sends the browser back. */
  const signIns: Record<string, () => Promise<string | null>> = {
    async 'a sign-in with Auth.js'() {
      const added = new Headers();
      const request = { headers: { host, ...forwarded, ...ofPage } };
      const { callbacks } = auth.protect(request, { providers: [], callbacks: {} }, added);
      const { signIn }: { signIn?: (parameters: object) => unknown } = callbacks;
      await signIn?.({ user: {}, account: {}, credentials: {} });
      return added.get('set-cookie');
    },
    'a navigation': async () => (await send('/callback', 'GET', { accept: 'text/html' })).headers.get('set-cookie'),
    'a request of a page': async () => (await send('/callback', 'POST', ofPage)).headers.get('set-cookie'),
  };
  const open = async (cookie: string) => (await send('/whorl/open', 'POST', { ...ofPage, cookie })).status;
  return { signIns, open };
}

describe.each(['production', undefined, 'development'])('with NODE_ENV %s behind a proxy', (mode) => {
  test.each(['a sign-in with Auth.js', 'a navigation', 'a request of a page'])(
    'the routes find the cookie of %s',
    async (name) => {
      const { signIns, open } = await start(mode);
      const cookie = (await signIns[name]?.()) ?? '';
      expect(cookie).toMatch(
        mode === 'development' ? /^whorl-challenge=.*Lax$/ : /^__Host-whorl-challenge=.*; Secure$/,
      );
      expect(await open(cookie.replace(/;.*/, ''))).toBe(200);
    },
  );

  test('the routes read no cookie of another name, which a subdomain could have set', async () => {
    const { signIns, open } = await start(mode);
    const cookie = ((await signIns['a navigation']?.()) ?? '').replace(/;.*/, '');
    const other = cookie.startsWith('__Host-') ? cookie.replace('__Host-', '') : `__Host-${cookie}`;
    expect(await open(other)).toBe(403);
  });
});
