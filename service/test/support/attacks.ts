import { expect } from 'vitest';
import { fingerprintOf } from './fingerprints.js';
import { malformedFields } from './malformed-fields.js';
import { type Cookies, type Login, post, type Seen } from './sign-in-shops.js';

export const laptop = fingerprintOf({ seed: 'laptop' });

/** A login that is attacked: of an adapter, a plugin or an example. Its user has an account, and no device yet. */
export interface Attacked {
  /** The visitor's address, as the application must see it. */
  readonly ip: string;
  /** The address that an attacker writes into `X-Forwarded-For`, before what a proxy adds. */
  readonly forged: string;
  /** Where Whorl's routes are. */
  readonly routes: string;
  /** Routes about a challenge. Default: `open`, `send`, `begin`, `verify`. */
  readonly challengeRoutes?: readonly string[];
  logIn(login: Login): Promise<Seen>;
  /** Returns the failed attempts that the service knows, the newest first. */
  failures(): Promise<readonly { readonly ip?: string }[]>;
  /** Makes the laptop the user's device, at the visitor's address. */
  trustLaptop(): Promise<unknown>;
  setStatus(status: 'active' | 'suspended'): Promise<unknown>;
  /** What the service answers from now on. `up`: it answers itself. */
  setService(state: ServiceState): void;
  /** Returns how many codes were sent. */
  codesSent(): number | Promise<number>;
}

export type ServiceState = 'up' | 'unreachable' | '500' | '429' | 'user_busy';

const problem = { 'content-type': 'application/problem+json' };

/** Returns the answer of a service that fails, or undefined if it answers itself. Throws if it cannot be reached. */
export function failingAnswer(state: ServiceState): Response | undefined {
  if (state === 'up') return undefined;
  if (state === 'unreachable') throw new TypeError('The service cannot be reached');
  if (state !== 'user_busy') return new Response('', { status: Number(state) });
  return Response.json({ status: 503, code: 'user_busy', title: 'Busy' }, { status: 503, headers: problem });
}

type Result = 'let in' | 'asked for a code' | 'refused';

function resultOf({ status, code }: Seen): Result {
  if (code === 'challenge_required') return 'asked for a code';
  return status < 400 && code === undefined ? 'let in' : 'refused';
}

/** Logs in with the right and the wrong password. */
async function both({ logIn }: Attacked, login: Omit<Login, 'password'>): Promise<{ right: Seen; wrong: Seen }> {
  return { right: await logIn({ ...login, password: 'right' }), wrong: await logIn({ ...login, password: 'wrong' }) };
}

/** Expects that nobody gets in, and that nothing tells whether the password was right. */
async function expectBothRefused(attacked: Attacked, login: Omit<Login, 'password'>): Promise<void> {
  const { right, wrong } = await both(attacked, login);
  expect(resultOf(right)).toBe('refused');
  expect(wrong).toEqual(right);
}

const fields = { fingerprint: laptop };

/** Sends fields that the service would refuse: every failure is counted, and a person with the password can get a code. */
async function sendUnreadable(attacked: Attacked, sent: object): Promise<void> {
  const before = (await attacked.failures()).length;
  const { right, wrong } = await both(attacked, { fields: sent });
  expect(resultOf(right)).toBe('asked for a code');
  expect([resultOf(wrong), wrong.status < 500]).toEqual(['refused', true]);
  const failures = await attacked.failures();
  expect(failures).toHaveLength(before + 1);
  expect(failures[0]?.ip).toBe(attacked.ip);
}

/** The attacks that each login must withstand. */
export const attacks: Readonly<Record<string, (attacked: Attacked) => Promise<void>>> = {
  ...Object.fromEntries(
    Object.entries(malformedFields).map(([name, sent]) => [
      name,
      (attacked: Attacked) => sendUnreadable(attacked, sent),
    ]),
  ),

  async 'a long user agent'(attacked) {
    const before = (await attacked.failures()).length;
    const { right } = await both(attacked, { headers: { 'user-agent': 'x'.repeat(4000) } });
    expect(resultOf(right)).toBe('asked for a code');
    expect(await attacked.failures()).toHaveLength(before + 1);
  },

  async 'a forged address'(attacked) {
    await attacked.logIn({ password: 'wrong', fields, headers: { 'x-forwarded-for': attacked.forged } });
    expect((await attacked.failures())[0]?.ip).toBe(attacked.ip);
  },

  async 'the challenge of another browser'(attacked) {
    const { routes, challengeRoutes = ['open', 'send', 'begin', 'verify'] } = attacked;
    const attacker: Cookies = new Map();
    expect(resultOf(await attacked.logIn({ password: 'right', cookies: attacker }))).toBe('asked for a code');
    const victim: Cookies = new Map();
    const { challenge } = await (await post(`${routes}/open`, {}, {}, attacker)).json();
    const sent = await attacked.codesSent();
    for (const route of challengeRoutes) {
      for (const named of [{}, { challenge }, { challenge_id: challenge }]) {
        const url = `${routes}/${route}?challenge_id=${challenge}`;
        const response = await post(url, { ...named, code: '000000' }, {}, victim);
        expect([response.status, (await response.json()).code]).toEqual([403, 'challenge_of_another_browser']);
      }
    }
    expect(await attacked.codesSent()).toBe(sent);
  },

  async 'a cached denial'(attacked) {
    await attacked.trustLaptop();
    expect(resultOf(await attacked.logIn({ password: 'right', fields }))).toBe('let in');
    await attacked.setStatus('suspended');
    await expectBothRefused(attacked, { fields });
    attacked.setService('500');
    await expectBothRefused(attacked, { fields });
    attacked.setService('up');
    await attacked.setStatus('active');
  },

  async 'a service that is down'(attacked) {
    for (const state of ['unreachable', '500'] as const) {
      attacked.setService(state);
      await expectBothRefused(attacked, { fields: { fingerprint: fingerprintOf({ seed: state }) } });
    }
    attacked.setService('up');
  },

  async 'a service that is busy'(attacked) {
    for (const state of ['429', 'user_busy'] as const) {
      attacked.setService(state);
      await expectBothRefused(attacked, { fields: { fingerprint: fingerprintOf({ seed: state }) } });
    }
    attacked.setService('up');
  },

  async 'a foreign origin'(attacked) {
    const before = (await attacked.failures()).length;
    const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site', cookie: 'a=b' };
    await expectBothRefused(attacked, { fields, headers });
    expect(await attacked.failures()).toHaveLength(before);
  },
};
