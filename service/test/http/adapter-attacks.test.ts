import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Whorl } from 'whorl/server';
import packageFile from '../../../package.json' with { type: 'json' };
import { pageAdapters, serverAdapters } from '../../../scripts/adapters.mjs';
import { attacks, failingAnswer, laptop, type ServiceState } from '../support/attacks.js';
import { factorAttacks, signatureFactor } from '../support/factor-attacks.js';
import { startService, type TestProject, type TestService } from '../support/service.js';
import type { ShopOptions } from '../support/shops.js';
import { type Cookies, type Login, post, type Target, targets } from '../support/sign-in-shops.js';

const ip = '198.51.100.7';

/** Entry points of the package without a login of their own. */
const others = ['.', ...['fingerprint', 'picture', 'server', 'wire', 'package.json'].map((name) => `./${name}`)];

test('every adapter that the package exports is attacked', () => {
  const entryPoints = Object.keys(packageFile.exports).filter(
    (name) => !others.includes(name) && !name.endsWith('.min.js'),
  );
  const adapters = [...serverAdapters, ...pageAdapters].map((name) => `./${name}`);
  expect(entryPoints.toSorted()).toEqual(adapters.toSorted());
  expect(Object.keys(targets).toSorted()).toEqual([...serverAdapters].toSorted());
});

/** One suite for all adapters: a new one fails here until it has a target. */
describe.each(serverAdapters)('whorl/%s', (name) => {
  let service: TestService;
  let project: TestProject;
  beforeAll(async () => {
    service = await startService({ database: 'embedded' });
  });
  afterAll(() => service.close());

  /** Starts the application with a client whose service can be made to fail. */
  async function start(options: Partial<ShopOptions> = {}) {
    const create = targets[name];
    if (!create) throw new Error(`service/test/support/sign-in-shops.ts has no target for whorl/${name}.`);
    project = await service.newProject();
    let state: ServiceState = 'up';
    const requests: string[] = [];
    const whorl = new Whorl({
      apiSecret: project.keys.live.secret,
      baseUrl: service.url,
      retries: 0,
      fetch: async (url, init) => {
        requests.push(`${init?.method} ${new URL(String(url)).pathname}`);
        return failingAnswer(state) ?? fetch(url, init);
      },
    });
    const target = await create({ whorl, whenUnavailable: 'deny', ...options });
    onTestFinished(async () => {
      await target.close();
    });
    const setService = (next: ServiceState) => {
      state = next;
    };
    return { target, whorl, requests, setService };
  }

  const failures = async (whorl: Whorl, user: string) =>
    (await whorl.legacy.accessHistory({ outcome: 'failed', user })).data;

  /** Logs in with the right and with a wrong password. */
  async function both(target: Target, login: Omit<Login, 'password'> = { fields: { fingerprint: laptop } }) {
    return [await target.logIn({ ...login, password: 'right' }), await target.logIn({ ...login, password: 'wrong' })];
  }

  test.each(Object.entries(attacks))('withstands %s', async (_, attack) => {
    const { target, whorl, setService } = await start({ whenUnavailable: 'cached' });
    await attack({
      ip,
      forged: `203.0.113.1, 203.0.113.2, ${ip}`,
      routes: target.routes,
      logIn: target.logIn,
      failures: () => failures(whorl, target.user),
      trustLaptop: () => whorl.evaluate({ action: 'signup', user: target.user, fingerprint: laptop, ip }),
      setStatus: (status) => whorl.users.update(target.user, { status }),
      setService,
      codesSent: () => service.outbox.length,
    });
  });

  test.each(Object.entries(factorAttacks))('with a factor of its own, withstands %s', async (_, attack) => {
    const { target, whorl } = await start({ challengeWith: signatureFactor });
    await attack({ target, whorl, codesSent: () => service.outbox.length });
  });

  test('with a factor beside the code, both let the user in', async () => {
    const challengeWith: typeof signatureFactor = async (about) => {
      const factor = await signatureFactor(about);
      return factor && { ...factor, offersCode: true };
    };
    const { target, whorl } = await start({ challengeWith });
    const cookies: Cookies = new Map();
    const call = async (route: string, fields: object) =>
      (await post(`${target.routes}/${route}`, fields, {}, cookies)).json();
    expect((await target.logIn({ password: 'right', cookies })).code).toBe('challenge_required');
    const opened = await call('open', {});
    expect(opened).toMatchObject({ method: 'passkey', channels: ['email'] });
    await call('send', {});
    expect(await call('verify', { code: service.outbox.at(-1)?.code })).toEqual({ success: true });
    expect(await whorl.challenges.retrieve(opened.challenge)).toMatchObject({ verified_by: 'email' });
  });

  test('without a factor, the code is asked for', async () => {
    const { target } = await start({ challengeWith: () => undefined });
    const cookies: Cookies = new Map();
    await target.logIn({ password: 'right', cookies });
    const begun = await post(`${target.routes}/begin`, {}, {}, cookies);
    expect([begun.status, (await begun.json()).code]).toEqual([422, 'no_factor']);
    expect((await post(`${target.routes}/send`, {}, {}, cookies)).status).toBe(200);
  });

  test('a right and a wrong password cost the same requests to the service', async () => {
    const { target, requests } = await start();
    await target.logIn({ password: 'right', fields: { fingerprint: laptop } });
    const right = requests.splice(0);
    await target.logIn({ password: 'wrong', fields: { fingerprint: laptop } });
    expect(right).toEqual(['POST /v2/device/evaluate']);
    expect(requests).toEqual(right);
  });

  test('without an address, nothing is told about the password', async () => {
    const printed = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    onTestFinished(() => printed.mockRestore());
    const { target } = await start({ withoutAddress: 'refuse' });
    const [right, wrong] = await both(target, { headers: { 'x-forwarded-for': 'unknown' } });
    expect(right?.code).toBe('unavailable');
    expect(wrong).toEqual(right);
    expect(printed.mock.calls.flat().join()).toContain('trustedProxies');
  });

  test.each([
    ['deny', 'unreachable'],
    ['deny', '500'],
    ['allow', '429'],
    ['allow', 'user_busy'],
  ] as const)('with `%s`, a service that fails lets nobody in: %s', async (whenUnavailable, failure) => {
    const { target, setService } = await start({ whenUnavailable });
    setService(failure);
    const [right, wrong] = await both(target);
    expect(right?.code).toBe('unavailable');
    expect(wrong).toEqual(right);
  });

  test('a browser without a fingerprint gets in once after the code', async () => {
    const { target } = await start();
    const cookies: Cookies = new Map();
    const logIn = () => target.logIn({ password: 'right', cookies });
    expect((await logIn()).code).toBe('challenge_required');
    expect((await post(`${target.routes}/send`, {}, {}, cookies)).status).toBe(200);
    const { code } = service.outbox.at(-1) ?? {};
    const verified = await post(`${target.routes}/verify`, { code }, {}, cookies);
    expect(await verified.json()).toEqual({ success: true });
    expect((await logIn()).code).toBeUndefined();
    expect((await logIn()).code).toBe('challenge_required');
  });
});
