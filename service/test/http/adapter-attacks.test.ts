import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Whorl } from 'whorl/server';
import { serverAdapters } from '../../../scripts/adapters.mjs';
import { fingerprintOf } from '../support/fingerprints.js';
import { malformedFields } from '../support/malformed-fields.js';
import { startService, type TestProject, type TestService } from '../support/service.js';
import type { ShopOptions } from '../support/shops.js';
import { type Cookies, type Login, post, type Target, targets } from '../support/sign-in-shops.js';

const laptop = fingerprintOf({ seed: 'laptop' });
const ip = '198.51.100.7';

const problem = { 'content-type': 'application/problem+json' };

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
    const state: { answer: (() => Response) | undefined } = { answer: undefined };
    const whorl = new Whorl({
      apiSecret: project.keys.live.secret,
      baseUrl: service.url,
      retries: 0,
      fetch: async (url, init) => state.answer?.() ?? fetch(url, init),
    });
    const target = await create({ whorl, whenUnavailable: 'deny', ...options });
    onTestFinished(async () => {
      await target.close();
    });
    return { target, whorl, state };
  }

  const failures = async (whorl: Whorl, user: string) =>
    (await whorl.legacy.accessHistory({ outcome: 'failed', user })).data;

  /** Logs in with the right and with a wrong password. */
  async function both(target: Target, login: Omit<Login, 'password'> = { fields: { fingerprint: laptop } }) {
    return [await target.logIn({ ...login, password: 'right' }), await target.logIn({ ...login, password: 'wrong' })];
  }

  test.each(Object.entries(malformedFields))(
    '%s: a wrong password is counted, and a right one needs a code',
    async (_, fields) => {
      const { target, whorl } = await start();
      const [right, wrong] = await both(target, { fields });
      expect(right?.code).toBe('challenge_required');
      expect(wrong?.code).not.toBe('challenge_required');
      expect(wrong?.status).toBeLessThan(500);
      expect(await failures(whorl, target.user)).toMatchObject([{ ip }]);
    },
  );

  test('a long user agent hides nothing', async () => {
    const { target, whorl } = await start();
    const [right] = await both(target, { headers: { 'user-agent': 'x'.repeat(4000) } });
    expect(right?.code).toBe('challenge_required');
    expect(await failures(whorl, target.user)).toHaveLength(1);
  });

  test('a forged address is not the one that is judged', async () => {
    const { target, whorl } = await start();
    await target.logIn({ password: 'wrong', headers: { 'x-forwarded-for': `203.0.113.1, 203.0.113.2, ${ip}` } });
    expect(await failures(whorl, target.user)).toMatchObject([{ ip }]);
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
    [
      'it cannot be reached',
      () => {
        throw new TypeError('The service is down');
      },
    ],
    ['it returns 500', () => new Response('', { status: 500 })],
  ])('while the service is down, nothing is told about the password: %s', async (_, answer) => {
    for (const whenUnavailable of ['deny', 'cached'] as const) {
      const { target, state } = await start({ whenUnavailable });
      state.answer = answer;
      const [right, wrong] = await both(target);
      expect(right?.code).toBe('unavailable');
      expect(wrong).toEqual(right);
    }
  });

  const busy = {
    429: () => new Response('', { status: 429 }),
    user_busy: () =>
      Response.json({ status: 503, code: 'user_busy', title: 'Busy' }, { status: 503, headers: problem }),
  };

  test.each(['429', 'user_busy'] as const)('a busy service lets nobody in: %s', async (answer) => {
    for (const whenUnavailable of ['allow', 'cached'] as const) {
      const { target, state } = await start({ whenUnavailable });
      state.answer = busy[answer];
      const [right, wrong] = await both(target);
      expect(right?.code).toBe('unavailable');
      expect(wrong).toEqual(right);
    }
  });

  test('a denial replaces what is cached', async () => {
    const { target, whorl, state } = await start({ whenUnavailable: 'cached' });
    const login = { password: 'right', fields: { fingerprint: laptop } } as const;
    await whorl.evaluate({ action: 'signup', user: target.user, fingerprint: laptop, ip });
    expect((await target.logIn(login)).code).toBeUndefined();
    await whorl.users.update(target.user, { status: 'suspended' });
    const [right, wrong] = await both(target);
    // Auth.js and pages name it.
    expect(right?.code).toBe('denied');
    expect(wrong).toEqual(right);
    state.answer = () => new Response('', { status: 503 });
    expect((await target.logIn(login)).code).toBe('unavailable');
  });

  test('the challenge of another browser is refused, and no code is sent', async () => {
    const { target } = await start();
    const attacker: Cookies = new Map();
    const victim: Cookies = new Map();
    await target.logIn({ password: 'right', fields: { fingerprint: laptop }, cookies: attacker });
    const { challenge } = await (await post(`${target.routes}/open`, {}, {}, attacker)).json();
    expect(challenge).toBeDefined();
    const sent = service.outbox.length;
    for (const route of ['open', 'send', 'verify']) {
      for (const named of [{}, { challenge }, { challenge_id: challenge }]) {
        const url = `${target.routes}/${route}?challenge_id=${challenge}`;
        const response = await post(url, { ...named, code: '000000' }, {}, victim);
        expect([response.status, (await response.json()).code]).toEqual([403, 'challenge_of_another_browser']);
      }
    }
    expect(service.outbox).toHaveLength(sent);
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

  test('a foreign origin is refused, not counted', async () => {
    const { target, whorl } = await start();
    const [right, wrong] = await both(target, { headers: { origin: 'https://evil.example', cookie: 'a=b' } });
    expect(right?.code).toMatch(/origin|csrf/i);
    expect(wrong).toEqual(right);
    expect(await failures(whorl, target.user)).toHaveLength(0);
  });
});
