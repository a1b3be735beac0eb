import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromium } from './harness/chromium';
import type { BrowserSession, Passkey, TestPage } from './harness/types';
import { click, type DemoServer, newestCode, shows } from './support/demo';
import { type OpenedExample, openExample } from './support/examples';
import { fillIn } from './support/forms';
import { type Relay, relayVariants, startRelay } from './support/relay';

const victims = 10;
const password = 'correct horse';

interface Victim {
  readonly email: string;
  readonly passkeys: Passkey[];
}

describe.skipIf(!chromium.available())('an application with passkeys (examples/passkey)', () => {
  let example: OpenedExample;
  let demo: DemoServer;
  let session: BrowserSession;
  let shop: string;
  beforeAll(async () => {
    example = await openExample('passkey');
    ({ demo, session, shop } = example);
  });
  afterAll(() => example?.close());

  /** Creates an account, without a fingerprint, and adds a passkey on the shop's page. */
  async function createVictim(page: TestPage, name: string): Promise<string> {
    const email = `${name}-${randomUUID()}@example.com`;
    await page.goto(`${shop}/`);
    const status = await page.evaluate(
      async (fields) => {
        const headers = { 'content-type': 'application/json' };
        return (await fetch('/sign-up', { method: 'POST', headers, body: JSON.stringify(fields) })).status;
      },
      { email, password },
    );
    expect(status).toBe(200);
    await page.evaluate("document.getElementById('add').click()");
    await shows(page, /The passkey was added/);
    return email;
  }

  test('on another device, the passkey confirms the login, and no code is sent', async () => {
    const first = await session.open();
    const authenticator = await first.addAuthenticator?.();
    const email = await createVictim(first, 'ann');
    const passkeys = (await authenticator?.passkeys()) ?? [];
    expect(passkeys).toHaveLength(1);

    const others = await session.separate?.();
    const second = await others?.open(`${shop}/`);
    if (!others || !second) throw new Error('There is no second browser.');
    await second.addAuthenticator?.(passkeys);
    const logIn = async () => {
      await shows(second, /Sign up/);
      await fillIn(second, '#entry', { email, password });
      await click(second, 'Log in');
    };
    await logIn();
    await shows(second, /Confirm with your passkey/);
    expect(await second.evaluate("document.getElementById('challenge').hidden")).toBe(true);
    await click(second, 'Confirm with your passkey');
    await shows(second, new RegExp(`Hello, ${email}`));
    await click(second, 'Log out');
    await logIn();
    await shows(second, new RegExp(`Hello, ${email}`));
    await others.close();
    await first.close();
  });

  describe('a page on another origin that relays the login', () => {
    let relay: Relay;
    beforeAll(async () => {
      relay = await startRelay(shop);
    });
    afterAll(() => relay?.close());

    test('with a passkey: 0 of 100 logins', async () => {
      const page = await session.open();
      const authenticator = await page.addAuthenticator?.();
      const accounts: Victim[] = [];
      for (let count = 0; count < victims; count++) {
        const email = await createVictim(page, 'victim');
        accounts.push({ email, passkeys: (await authenticator?.passkeys()) ?? [] });
      }
      // The victim's browser has all passkeys, and asks nobody.
      const answers: string[] = [];
      for (const { email } of accounts) {
        for (const variant of [...relayVariants, ...relayVariants]) {
          answers.push(`${variant}: ${await relay.attack(page, variant, { email, password })}`);
        }
      }
      await page.close();
      expect(answers).toHaveLength(100);
      expect(answers.filter((answer) => answer.endsWith(': in'))).toEqual([]);
      const kinds = new Map(answers.map((answer) => [answer, answers.filter((each) => each === answer).length]));
      expect(Object.fromEntries(kinds)).toEqual({
        'the options as they are: refused by the browser': 20,
        'the options for its own domain: refused by the browser': 20,
        'another port of the same host: wrong_factor': 20,
        'a signature of its own: wrong_factor': 20,
        'the code in place of the passkey: own_factor_required': 20,
      });
    });

    test('with a mailed code, it is in (docs/threat-model.md)', async () => {
      const email = `coded-${randomUUID()}@example.com`;
      const answer = await relay.signUp({ email, password });
      expect(answer).toBe(200);
      const begun = await relay.logIn({ email, password });
      expect(await begun.call('send', {})).toMatchObject({ sent_to: expect.any(String) });
      // The victim reads the code in the mailbox, and enters it on the page that looks like the shop.
      const code = await newestCode(demo, email);
      expect(await begun.call('verify', { code })).toEqual({ success: true });
      expect(await begun.isIn()).toBe(true);
    });
  });
});
