import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { chromium } from './harness/chromium';
import { firefox } from './harness/firefox';
import { openSession } from './harness/shared-browsers';
import type { BrowserSession, Engine, TestPage } from './harness/types';
import { until } from './harness/until';
import { webkit } from './harness/webkit';
import { click, type DemoServer, goToView, shows, startDemo, type } from './support/demo';

/** A complete login flow. Each engine is one of the devices. */
const pairs: { first: Engine; second: Engine; challengedAgainOn: string }[] = [
  { first: chromium, second: firefox, challengedAgainOn: '/' },
  { first: webkit, second: chromium, challengedAgainOn: '/script-tag.html' },
];

/** As with live keys, but automated browsers are not challenged. */
const settings = {
  enforce_for_test_keys: true,
  policy: { signup: { automation: 'report' }, login: { automation: 'report' } },
};

const email = 'ann@example.com';
const password = 'correct horse';
type Flow = 'Server flow' | 'Browser flow';

for (const { first, second, challengedAgainOn } of pairs) {
  describe.skipIf(!first.available() || !second.available())(`${first.name}, then ${second.name}`, () => {
    let demo: DemoServer;
    let sessions: BrowserSession[];
    let firstDevice: TestPage;
    let newDevice: TestPage;

    // Before each attempt, because an account can be created only once.
    beforeEach(async () => {
      sessions = [];
      demo = await startDemo({}, settings);
      firstDevice = await open(first);
      newDevice = await open(second);
    });
    afterEach(async () => {
      for (const session of sessions) await session.close();
      await demo?.close();
    });

    async function open(engine: Engine): Promise<TestPage> {
      const session = await openSession(engine);
      sessions.push(session);
      return session.open();
    }

    test('a login from sign-up to sign-out, and a second account on one device', async () => {
      // The account is created on the first device, which becomes trusted.
      await firstDevice.goto(demo.url('/'));
      await signUp(firstDevice, email);
      expect(await shows(firstDevice, /You are logged in.*My devices.*this device/s)).toContain(
        'first device of the account',
      );
      await logOut(firstDevice);
      for (const flow of ['Server flow', 'Browser flow'] as const) {
        await logIn(firstDevice, flow);
        await shows(firstDevice, /This device is known, so no code was needed/);
        await logOut(firstDevice);
      }

      // The other device is challenged. Both have the same known address, so only the device is new.
      await newDevice.goto(demo.url('/'));
      await logIn(newDevice, 'Browser flow');
      const challenged = await shows(newDevice, /A code is needed/);
      expect(challenged).toContain('new_device');
      expect(challenged).not.toContain('new_ip');
      await click(newDevice, 'Send a code by email');
      await shows(newDevice, /sent by email to a\*\*\*@e\*+\.com/);
      await click(newDevice, 'Send a new code by email');
      await shows(newDevice, /A new code can be sent in \d+ seconds/);
      const code = await readCode(newDevice, 1);
      await enterCode(newDevice, wrong(code));
      await shows(newDevice, /This code is wrong. 4 attempts left/);
      await enterCode(newDevice, code);
      await shows(newDevice, /The code was correct. This device is now trusted/);

      // The device is not challenged again.
      for (const flow of ['Server flow', 'Browser flow'] as const) {
        await logOut(newDevice);
        await logIn(newDevice, flow);
        await shows(newDevice, /This device is known, so no code was needed/);
      }

      // Both are listed. Signing one out ends its session immediately, and makes it new again.
      await logIn(firstDevice, 'Server flow');
      await shows(firstDevice, /This device is known/);
      await shows(newDevice, /My devices.*Block/s);
      await click(newDevice, await otherDevice(newDevice, 'Sign out'));
      await shows(newDevice, /signed out and is no longer trusted/);
      await shows(firstDevice, /signed out from another device/);
      await firstDevice.goto(demo.url(challengedAgainOn));
      await logIn(firstDevice, 'Server flow');
      await shows(firstDevice, /A code is needed.*new_device/s);
      await click(firstDevice, 'Send a code');
      await shows(firstDevice, /sent (by email )?to a\*\*\*@e\*+\.com/);
      await enterCode(firstDevice, await readCode(newDevice, 2));
      await shows(firstDevice, /The code was correct/);

      // A blocked device is denied, with the reason.
      await newDevice.goto(demo.url('/'));
      await shows(newDevice, /My devices.*Block/s);
      await click(newDevice, await otherDevice(newDevice, 'Block'));
      await shows(newDevice, /All its requests are denied/);
      await firstDevice.goto(demo.url('/'));
      await logIn(firstDevice, 'Browser flow');
      await shows(firstDevice, /Access was denied.*blocked/s);

      // A second account on one device is restricted.
      await newDevice.goto(demo.url('/'));
      await shows(newDevice, /You are logged in/);
      await logOut(newDevice);
      await signUp(newDevice, 'one@example.com');
      await shows(newDevice, /You are logged in/);
      await logOut(newDevice);
      await signUp(newDevice, 'two@example.com');
      await shows(newDevice, /You are logged in.*Some actions are not available.*multiple_accounts/s);
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
  const text = await shows(page, /Options|Browser flow/);
  if (!text.includes('Browser flow')) await click(page, 'Options');
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

/** Returns the newest code, once the mailbox contains this number of emails. Then returns to the previous view. */
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

/** Returns the name of a button of the other device. */
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
