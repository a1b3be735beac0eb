import { Auth } from '@auth/core';
import Credentials from '@auth/core/providers/credentials';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { whorlAuthJs } from 'whorl/auth-js';
import { Whorl } from 'whorl/server';
import { laptop } from '../support/customer.js';
import { startService, type TestService } from '../support/service.js';
import { closeServer } from '../support/shops.js';
import { Browser, email, libraries, password, postForm, serveRequests } from '../support/sign-in-libraries.js';

let service: TestService;
let whorl: Whorl;
beforeAll(async () => {
  service = await startService({ database: 'embedded' });
  const { keys } = await service.newProject();
  whorl = new Whorl({ apiSecret: keys.live.secret, baseUrl: service.url });
});
afterAll(() => service.close());

test('Auth.js detaches the device at the sign-out, and starts no session if the account was not created', async () => {
  const protection = whorlAuthJs({
    whorl,
    whenUnavailable: 'deny',
    page: '/code',
    clientAddress: () => '198.51.100.7',
    attempt: ({ user }) => ({ action: 'login', user: user.id ?? '' }),
    detachOnSignOut: true,
    beforeSession: ({ credentials }) => {
      if (credentials?.name) throw new Error('The account was not created.');
    },
  });
  const config = {
    basePath: '/auth',
    secret: 'a secret of Auth.js for tests',
    trustHost: true,
    providers: [Credentials({ credentials: { email: {} }, authorize: () => ({ id: 'ann', email }) })],
  };
  const [server, url] = await serveRequests((request) =>
    Auth(request, protection.protect(request, config, new Headers())),
  );
  await whorl.evaluate({ action: 'signup', user: 'ann', fingerprint: laptop, ip: '198.51.100.7' });
  const { signIn, signOut, user } = libraries['Auth.js'];
  const browser = new Browser(laptop);
  const failed = await postForm(browser, url, '/auth/callback/credentials', { email, password, name: 'Ann' });
  expect([failed.searchParams.get('error'), await user(browser, url)]).toEqual(['AccessDenied', undefined]);
  await signIn(browser, url, password);
  expect(await user(browser, url)).toBe(email);
  await signOut(browser, url);
  expect((await signIn(browser, url, password)).code).toBe('challenge_required');
  await closeServer(server);
});

test.each([[{}], [{ page: undefined }], [{ page: '' }]])('Auth.js does not start without the page: %j', (options) => {
  // As JavaScript may call it. Auth.js lets everybody in who is not redirected.
  const create = () => Reflect.apply(whorlAuthJs, undefined, [{ whorl, whenUnavailable: 'deny', ...options }]);
  expect(create).toThrow('whorlAuthJs needs the option page');
});
