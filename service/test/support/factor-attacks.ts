import { createHash, randomUUID } from 'node:crypto';
import { expect, onTestFinished, vi } from 'vitest';
import type { ChallengeWith } from 'whorl/express';
import type { Whorl } from 'whorl/server';
import { type Cookies, post, type Target } from './sign-in-shops.js';

/** Stands for the signature of a user's passkey. */
export function sign(user: string, nonce: string): string {
  return createHash('sha256').update(`${user}:${nonce}`).digest('hex');
}

/** Factor whose response must be signed by the challenge's user, over what `begin` sent. */
export const signatureFactor: ChallengeWith = ({ user }) => ({
  method: 'passkey',
  begin() {
    const nonce = randomUUID();
    return { options: { nonce }, state: nonce };
  },
  verify(response, state = '') {
    const signature: unknown = Reflect.get(Object(response), 'signature');
    // As libraries do for what they cannot read.
    if (typeof signature !== 'string') throw new TypeError('Not a response');
    return signature === sign(user, state);
  },
});

interface Attacked {
  readonly target: Target;
  readonly whorl: Whorl;
  codesSent(): number;
}

/** A browser with a login that waits for the factor. */
class Browser {
  readonly cookies: Cookies = new Map();
  private readonly target: Target;

  constructor(target: Target) {
    this.target = target;
  }

  /** Logs in with the right password. Returns the code of the answer. */
  async logIn(fields: object = {}): Promise<string | undefined> {
    return (await this.target.logIn({ password: 'right', cookies: this.cookies, fields })).code;
  }

  async call(route: string, fields: object = {}, headers: Record<string, string> = {}) {
    const response = await post(`${this.target.routes}/${route}`, fields, headers, this.cookies);
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : {} };
  }

  /** Starts a login, and returns its challenge and what the page needs for the factor. */
  async begin(fields: object = {}): Promise<{ readonly challenge: string; readonly nonce: string }> {
    expect(await this.logIn(fields)).toBe('challenge_required');
    const { challenge } = (await this.call('open')).body;
    const { status, body } = await this.call('begin', { challenge });
    expect([status, body.method]).toEqual([200, 'passkey']);
    return { challenge, nonce: body.options.nonce };
  }

  prove(response: unknown, fields: object = {}) {
    return this.call('verify', { ...fields, response });
  }
}

const refusedElsewhere = { status: 403, body: { code: 'challenge_of_another_browser' } };
const wrong = { status: 200, body: { success: false, code: 'wrong_factor' } };
const signed = (user: string, nonce: string) => ({ signature: sign(user, nonce) });

/** The attacks on a factor of the application's own that each adapter must withstand. */
export const factorAttacks: Readonly<Record<string, (attacked: Attacked) => Promise<void>>> = {
  async 'no attack: the right factor lets the user in, without a code'({ target, whorl, codesSent }) {
    const sent = codesSent();
    const browser = new Browser(target);
    const { challenge, nonce } = await browser.begin();
    expect((await browser.call('open')).body).toMatchObject({ challenge, method: 'passkey', channels: [] });
    expect(await browser.prove(signed(target.user, nonce))).toMatchObject({ status: 200, body: { success: true } });
    expect(await whorl.challenges.retrieve(challenge)).toMatchObject({ status: 'completed', verified_by: 'passkey' });
    expect(await browser.logIn()).toBeUndefined();
    expect(codesSent()).toBe(sent);
  },

  async 'the code in place of the factor'({ target, codesSent }) {
    const sent = codesSent();
    const browser = new Browser(target);
    await browser.begin();
    const refused = { status: 422, body: { code: 'own_factor_required' } };
    for (const fields of [{}, { channel: 'email' }]) expect(await browser.call('send', fields)).toMatchObject(refused);
    expect(await browser.call('verify', { code: '000000' })).toMatchObject(refused);
    expect(codesSent()).toBe(sent);
  },

  async 'another browser'({ target }) {
    const attacker = new Browser(target);
    const { challenge, nonce } = await attacker.begin();
    for (const victim of [new Browser(target), await withChallenge(target)]) {
      const own = victim.cookies.size > 0 ? [{ challenge }] : [{}, { challenge }, { challenge_id: challenge }];
      for (const named of own) {
        expect(await victim.call('begin', named)).toMatchObject(refusedElsewhere);
        expect(await victim.prove(signed(target.user, nonce), named)).toMatchObject(refusedElsewhere);
      }
    }
    expect(await attacker.logIn()).toBe('challenge_required');
  },

  async 'a response to what another browser was sent'({ target }) {
    const [attacker, victim] = [new Browser(target), new Browser(target)];
    await attacker.begin();
    const { nonce } = await victim.begin();
    expect(await attacker.prove(signed(target.user, nonce))).toMatchObject(wrong);
    expect(await attacker.logIn()).toBe('challenge_required');
  },

  async 'a forged or foreign state'({ target }) {
    const attacker = new Browser(target);
    const { nonce } = await attacker.begin();
    const chosen = randomUUID();
    const own = [...attacker.cookies].filter(([name]) => name.endsWith('whorl-challenge'));
    expect(own).toHaveLength(1);
    for (const [name, value] of own) {
      expect(value).toContain(nonce);
      attacker.cookies.set(name, value.replace(nonce, chosen));
    }
    expect(await attacker.prove(signed(target.user, chosen))).toMatchObject(refusedElsewhere);
  },

  async 'a replay'({ target }) {
    const browser = new Browser(target);
    const { challenge, nonce } = await browser.begin();
    const response = signed(target.user, nonce);
    const before = new Map(browser.cookies);
    expect((await browser.prove(response)).body).toEqual({ success: true });
    const closed = { status: 409, body: { code: 'challenge_closed' } };
    expect(await browser.prove(response)).toMatchObject(closed);
    // The cookie from before the response, too, and what was sent cannot be requested again.
    for (const [name, value] of before) browser.cookies.set(name, value);
    expect(await browser.prove(response)).toMatchObject(closed);
    expect(await browser.call('begin', { challenge })).toMatchObject(closed);
    // Nor does it open the next challenge.
    const other = new Browser(target);
    await other.begin();
    expect(await other.prove(response)).toMatchObject(wrong);
  },

  async "another user's factor"({ target, whorl }) {
    const browser = new Browser(target);
    const { challenge, nonce } = await browser.begin();
    for (const fields of [{}, { user: 'mallory', email: 'mallory@example.com' }]) {
      expect(await browser.prove(signed('mallory', nonce), fields)).toMatchObject(wrong);
    }
    expect(await whorl.challenges.retrieve(challenge)).toMatchObject({ status: 'pending', verified_by: null });
  },

  async 'wrong, unreadable and oversized responses'({ target, whorl }) {
    const browser = new Browser(target);
    const { challenge } = await browser.begin();
    for (const response of ['', '0', [], {}, { signature: 1 }, { signature: null }]) {
      expect(await browser.prove(response)).toMatchObject(wrong);
    }
    const unreadable = { status: 400, body: { code: 'wrong_factor' } };
    for (const response of [null, 7, true, { signature: 'x'.repeat(17 * 1024) }]) {
      expect(await browser.prove(response)).toMatchObject(unreadable);
    }
    expect(await whorl.challenges.retrieve(challenge)).toMatchObject({ status: 'pending' });
  },

  async 'many responses, also at once and for new challenges'({ target }) {
    const browsers = await Promise.all(
      [0, 1].map(async () => {
        const browser = new Browser(target);
        return { browser, ...(await browser.begin()) };
      }),
    );
    const tries = browsers.flatMap(({ browser }) =>
      Array.from({ length: 8 }, () => browser.prove({ signature: 'no' })),
    );
    const answers = await Promise.all(tries);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(6);
    expect(refused[0]).toMatchObject({ body: { code: 'too_many_attempts' } });
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(3500);
    const [{ browser, nonce } = { browser: new Browser(target), nonce: '' }] = browsers;
    expect(await browser.prove(signed(target.user, nonce))).toMatchObject({ status: 429 });
  },

  async 'a late response'({ target }) {
    const browser = new Browser(target);
    const { nonce } = await browser.begin();
    const later = Date.now() + 5 * 60_000 + 1000;
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => later);
    onTestFinished(() => clock.mockRestore());
    expect(await browser.prove(signed(target.user, nonce))).toMatchObject({
      status: 410,
      body: { code: 'factor_expired' },
    });
  },

  async 'a foreign origin'({ target }) {
    const browser = new Browser(target);
    const { nonce } = await browser.begin();
    const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    expect((await browser.call('begin', {}, headers)).status).toBe(403);
    expect((await browser.call('verify', { response: signed(target.user, nonce) }, headers)).status).toBe(403);
    expect(await browser.logIn()).toBe('challenge_required');
  },
};

/** Returns a browser with a challenge of its own. */
async function withChallenge(target: Target): Promise<Browser> {
  const browser = new Browser(target);
  await browser.begin();
  return browser;
}
