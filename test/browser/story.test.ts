import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromium } from './harness/chromium';
import { firefox } from './harness/firefox';
import type { BrowserSession, Engine, TestPage } from './harness/types';
import { until } from './harness/until';
import { webkit } from './harness/webkit';
import { click, DEMO_START_MS, type DemoServer, goToView, shows, startDemo, type } from './support/demo';

/** The whole story of a login, each engine once as the device that is known and once as the one that is new. */
const pairs: { first: Engine; second: Engine; challengedAgainOn: string }[] = [
  { first: chromium, second: firefox, challengedAgainOn: '/' },
  { first: firefox, second: webkit, challengedAgainOn: '/' },
  { first: webkit, second: chromium, challengedAgainOn: '/script-tag.html' },
];

const email = 'ann@example.com';
const password = 'correct horse';
type Flow = 'Server flow' | 'Browser flow';

for (const { first, second, challengedAgainOn } of pairs) {
  describe.skipIf(!first.available() || !second.available())(`${first.name}, then ${second.name}`, () => {
    let demo: DemoServer;
    const sessions: BrowserSession[] = [];
    let known: TestPage;
    let stranger: TestPage;

    beforeAll(async () => {
      demo = await startDemo();
      known = await open(first);
      stranger = await open(second);
    }, DEMO_START_MS);
    afterAll(async () => {
      for (const session of sessions) await session.close();
      await demo?.close();
    });

    async function open(engine: Engine): Promise<TestPage> {
      const session = await engine.launch();
      sessions.push(session);
      return session.open();
    }

    test('a login from sign-up to sign-out', { timeout: 300_000 }, async () => {
      // The first device is the one that the account is made with: it is trusted from then on.
      await known.goto(demo.url('/'));
      await signUp(known, email);
      expect(await shows(known, /You are logged in.*My devices.*this device/s)).toContain(
        'first device of the account',
      );
      await logOut(known);
      for (const flow of ['Server flow', 'Browser flow'] as const) {
        await logIn(known, flow);
        await shows(known, /This device is known, so no code was needed/);
        await logOut(known);
      }

      // The other device is challenged. Both are at one address, which the account knows: only the device is new.
      await stranger.goto(demo.url('/'));
      await logIn(stranger, 'Browser flow');
      const challenged = await shows(stranger, /A code is needed/);
      expect(challenged).toContain('new_device');
      expect(challenged).not.toContain('new_ip');
      await click(stranger, 'Send a code by e-mail');
      await shows(stranger, /sent by e-mail to a\*\*\*@e\*+\.com/);
      await click(stranger, 'Send a new code by e-mail');
      await shows(stranger, /A new code can be sent in \d+ seconds/);
      const code = await readCode(stranger, 1);
      await enterCode(stranger, wrong(code));
      await shows(stranger, /This code is wrong. 4 attempts left/);
      await enterCode(stranger, code);
      await shows(stranger, /The code was correct. This device is now trusted/);

      // It is not challenged again.
      for (const flow of ['Server flow', 'Browser flow'] as const) {
        await logOut(stranger);
        await logIn(stranger, flow);
        await shows(stranger, /This device is known, so no code was needed/);
      }

      // Both are listed. The one that is signed out there is out at once, and new again.
      await logIn(known, 'Server flow');
      await shows(known, /This device is known/);
      await shows(stranger, /My devices.*Block/s);
      await click(stranger, await otherDevice(stranger, 'Sign out'));
      await shows(stranger, /signed out and is no longer trusted/);
      await shows(known, /signed out from another device/);
      await known.goto(demo.url(challengedAgainOn));
      await logIn(known, 'Server flow');
      await shows(known, /A code is needed.*new_device/s);
      await click(known, 'Send a code');
      await shows(known, /sent (by e-mail )?to a\*\*\*@e\*+\.com/);
      await enterCode(known, await readCode(stranger, 2));
      await shows(known, /The code was correct/);

      // A blocked one is refused, and told so.
      await stranger.goto(demo.url('/'));
      await shows(stranger, /My devices.*Block/s);
      await click(stranger, await otherDevice(stranger, 'Block'));
      await shows(stranger, /All its requests are denied/);
      await known.goto(demo.url('/'));
      await logIn(known, 'Browser flow');
      await shows(known, /Access was denied.*blocked/s);
    });

    test('a second account on one device is let in with less allowed', async () => {
      await stranger.goto(demo.url('/'));
      if (/You are logged in/.test(await shows(stranger, /You are logged in|recognises devices/)))
        await logOut(stranger);
      await signUp(stranger, 'one@example.com');
      await shows(stranger, /You are logged in/);
      await logOut(stranger);
      await signUp(stranger, 'two@example.com');
      await shows(stranger, /You are logged in.*Some actions are not available.*multiple_accounts/s);
    });
  });
}

async function signUp(page: TestPage, address: string): Promise<void> {
  await shows(page, /I am new here/);
  await click(page, 'I am new here');
  await type(page, 'email', address);
  await type(page, 'password', password);
  await click(page, 'Sign up');
}

async function logIn(page: TestPage, flow: Flow): Promise<void> {
  await shows(page, /Browser flow/);
  await click(page, flow);
  await type(page, 'email', email);
  await type(page, 'password', password);
  await click(page, 'Log in');
}

async function logOut(page: TestPage): Promise<void> {
  await click(page, 'Log out');
  await shows(page, /I am new here/);
}

async function enterCode(page: TestPage, code: string): Promise<void> {
  await type(page, 'code', code);
  await click(page, 'Enter');
}

/** The newest code, once so many mails are in the mailbox. The page is then where it was. */
async function readCode(page: TestPage, mails: number): Promise<string> {
  await goToView(page, '#mailbox');
  const code = await until(`Mail number ${mails}`, () =>
    page.evaluate((count) => {
      const codes = document.querySelectorAll('.big-code');
      return codes.length === count ? (codes[0]?.textContent ?? '') : undefined;
    }, mails),
  );
  await goToView(page, '');
  await shows(page, /A code is needed|You are logged in/);
  return code.replace(/\D/g, '');
}

function wrong(code: string): string {
  return code.replace(/.$/, (digit) => String((Number(digit) + 1) % 10));
}

/** The name of a button of the device that is not the one at hand. */
function otherDevice(page: TestPage, button: string): Promise<string> {
  return page.evaluate((name) => {
    const item = [...document.querySelectorAll('.devices li')].find(
      (each) => !each.textContent?.includes('this device'),
    );
    const label = item?.querySelector('strong')?.textContent;
    if (!label) throw new Error('There is no other device');
    return `${name} ${label}`;
  }, button);
}
