import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { describeEngines, engines } from './harness/engines';
import { openSession } from './harness/shared-browsers';
import type { BrowserSession, Engine, TestPage } from './harness/types';
import { until } from './harness/until';
import { tabThrough, tabTo, violations } from './support/accessibility';
import {
  askForCodeElsewhere,
  click,
  type DemoServer,
  goToView,
  newestCode,
  shows,
  signUpElsewhere,
  startDemo,
  type,
} from './support/demo';

/** The views, each with a text that it shows once it is complete. The number of messages arrives last. */
const views: [name: string, path: string, hash: string, shown: RegExp][] = [
  ['the login', '/', '', /Mailbox\s\d.*Docs.*recognises devices/s],
  ['the fingerprint', '/', '#fingerprint', /Mailbox\s\d.*Docs.*w1\.d/s],
  ['the playground', '/playground', '#playground', /Mailbox\s\d.*Docs.*Afterwards, invented.*in common/s],
  ['the mailbox', '/', '#mailbox', /Docs.*\d+ messages?\./s],
  ['the page with a script tag', '/script-tag.html', '', /w1\.d/],
];
const password = 'correct horse';

// One demo for all tests, each with its own account.
let demo: DemoServer;
beforeAll(async () => {
  demo = await startDemo();
  await signUpElsewhere(demo, 'reader@example.com', password);
  await askForCodeElsewhere(demo, 'reader@example.com', password);
});
afterAll(() => demo?.close());

let accounts = 0;
const newEmail = () => `visitor${++accounts}@example.com`;

// WebKit has different tab stops. Firefox behaves like Chromium, and story.test.ts runs in all three.
const testedEngines = engines.filter(({ name }) => name !== 'firefox');

describeEngines('the demo, by keyboard and screen reader', describeDemo, testedEngines);

describeEngines(
  "the service's challenge page, chosen in the demo,",
  (engine) => {
    test('returns to the demo and completes the login, in both flows', async () => {
      const session = await openSession(engine);
      const page = await session.open();
      for (const [flow, inside] of [
        ['Server flow', /You are logged in.*The code was correct/s],
        ['Browser flow', /You are logged in.*This device is known/s],
      ] as const) {
        const email = newEmail();
        await signUpElsewhere(demo, email, password);
        await page.goto(demo.url('/'));
        await shows(page, /Options/);
        await click(page, 'Options');
        await click(page, flow);
        await click(page, "Service's page");
        await type(page, 'email', email);
        await type(page, 'password', password);
        await click(page, 'Log in');
        await shows(page, /Confirm it is you/);
        expect(await page.evaluate('location.origin')).toBe(new URL(demo.serviceUrl).origin);
        await click(page, 'Send code');
        await shows(page, /You have 5 attempts left/);
        await type(page, 'code', await newestCode(demo, email));
        await click(page, 'Continue');
        await shows(page, inside);
        expect(await page.evaluate('location.href')).toBe(demo.url('/'));
        await click(page, 'Log out');
        await shows(page, /recognises devices/);
      }
      await session.close();
    });
  },
  engines.filter(({ name }) => name === 'chromium'),
);

describeEngines(
  'the email with a code',
  (engine) => {
    test('fits a phone, in spite of its long link', async () => {
      const session = await openSession(engine);
      const page = await session.open();
      await page.goto(demo.url('/#mailbox'));
      await page.resize(360, 640);
      await shows(page, /The email as HTML/);
      await page.goto(String(await page.evaluate("document.querySelector('article a').href")));
      await shows(page, /Your code for demo is.*cancel the attempt: http/s);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
      await session.close();
    });
  },
  engines.filter(({ name }) => name === 'chromium'),
);

function describeDemo(engine: Engine): void {
  // Colours are the same in all engines, so dark mode is tested in one of them.
  const schemes: readonly ('light' | 'dark')[] = engine.name === 'chromium' ? ['light', 'dark'] : ['light'];
  describe.each(schemes)('%s', (colorScheme) => {
    let session: BrowserSession;
    let page: TestPage;

    beforeAll(async () => {
      session =
        colorScheme === 'light'
          ? await openSession(engine)
          : await engine.launch({ colorScheme, drawnInSoftware: true });
      page = await session.open();
    });
    afterAll(() => session?.close());

    /** Opens a view in a state without a login. */
    async function arrive(path: string, hash: string, shown: RegExp): Promise<void> {
      await page.goto(demo.url(path));
      await page.evaluate(async () => {
        await fetch('/api/log-out', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' });
      });
      await goToView(page, hash);
      await page.reload();
      await shows(page, shown);
    }

    const arriveAtLogin = () => arrive('/', '', /recognises devices/);

    // axe checks the document, which is the same in all engines, so one of them is enough.
    const hasAxe = engine.name === 'chromium';
    if (hasAxe) {
      test.each(views)('axe finds no violations in %s', async (_name, path, hash, shown) => {
        await arrive(path, hash, shown);
        expect(await violations(page)).toEqual([]);
      });
    }

    test.each(views)('Tab reaches all operable elements in %s, with visible focus', async (...view) => {
      const [, ...place] = view;
      await arrive(...place);
      const { all, reached, unseen } = await tabThrough(page);
      expect(all.length).toBeGreaterThanOrEqual(3);
      expect(reached).toEqual(all);
      expect(unseen).toEqual([]);
    });

    if (hasAxe)
      describe('axe finds no violations in the login:', () => {
        test('the sign-up form, and the page after it', async () => {
          await arriveAtLogin();
          await click(page, 'I am new here');
          await shows(page, /Phone number/);
          expect(await violations(page)).toEqual([]);
          await type(page, 'email', newEmail());
          await type(page, 'password', password);
          await click(page, 'Sign up');
          await shows(page, /My devices.*this device/s);
          expect(await violations(page)).toEqual([]);
        });

        test('a wrong password, a challenge, and a wrong code', async () => {
          const email = newEmail();
          await signUpElsewhere(demo, email, password);
          await arriveAtLogin();
          await type(page, 'email', email);
          await type(page, 'password', 'another horse');
          await click(page, 'Log in');
          await shows(page, /The email address or the password is wrong/);
          expect(await violations(page)).toEqual([]);
          await type(page, 'password', password);
          await click(page, 'Log in');
          await shows(page, /A code is needed/);
          await click(page, 'Send a code by email');
          await shows(page, /Six digits/);
          await type(page, 'code', 'none');
          await click(page, 'Enter');
          await shows(page, /This code is wrong/);
          expect(await violations(page)).toEqual([]);
        });

        test('the page with a script tag', async () => {
          const email = newEmail();
          await signUpElsewhere(demo, email, password);
          await arrive('/script-tag.html', '', /Browser flow/);
          await type(page, 'email', email);
          await type(page, 'password', password);
          await click(page, 'Log in');
          await shows(page, /A code is needed/);
          expect(await violations(page)).toEqual([]);
        });
      });

    // Dark mode and the engine do not affect keyboard operation.
    if (colorScheme === 'dark' || engine.name !== 'chromium') return;

    describe('everything works by keyboard:', () => {
      test('navigating to the other pages and back', async () => {
        await arriveAtLogin();
        for (const [link, shown] of [
          ['a Script tag', /With a script tag/],
          ['a Mailbox', /deleted when the demo stops/],
          ['a Fingerprint', /w1\.d/],
          ['a Playground', /Afterwards, invented/],
          ['a Log in', /recognises devices/],
        ] as const) {
          await tabTo(page, link);
          await page.press('Enter');
          await shows(page, shown);
          // Moves the focus from the heading back to the top.
          await page.reload();
          await shows(page, shown);
        }
      });

      test('signing up and logging out, with the focus on each new heading', async () => {
        await arriveAtLogin();
        await tabTo(page, 'button I am new here');
        await page.press('Enter');
        await shows(page, /Phone number/);
        await tabTo(page, 'input email');
        await page.press(...newEmail(), 'Tab', ...password, 'Enter');
        await shows(page, /You are logged in/);
        expect(await focused(page)).toBe('You are logged in');
        await tabTo(page, 'button Log out');
        await page.press(' ');
        await shows(page, /recognises devices/);
        expect(await focused(page)).toBe('A login that recognises devices');
      });

      test('a code, and the device list', async () => {
        const email = newEmail();
        await signUpElsewhere(demo, email, password);
        await arriveAtLogin();
        await tabTo(page, 'input email');
        await page.press(...email, 'Tab', ...password, 'Enter');
        await shows(page, /A code is needed/);
        expect(await focused(page)).toBe('A code is needed');
        await tabTo(page, 'button Send a code by email');
        await page.press('Enter');
        await shows(page, /Six digits/);
        const code = await newestCode(demo, email);
        // The field has the focus.
        await page.press(...code, 'Enter');
        await shows(page, /You are logged in.*My devices.*Block/s);
        await tabTo(page, 'button Block');
        await page.press('Enter');
        await shows(page, /All its requests are denied/);
      });

      test('choosing in the playground what happens, and comparing two fingerprints', async () => {
        await arrive('/playground', '#playground', /Afterwards, invented/);
        await shows(page, /Almost certainly the same browser.*surface/s);
        await tabTo(page, 'select scenario');
        await page.press('A', 'n', 'o', 't', 'h', 'e', 'r', ' ', 'c');
        await shows(page, /another browser or device.*Changed hardware/s);
        expect(await violations(page)).toEqual([]);
        const own = await page.evaluate<string>("document.querySelector('textarea').value");
        await page.evaluate("document.querySelector('textarea[name=second]').focus()");
        await page.press(...own, 'Tab', 'Enter');
        await shows(page, /in common.*Almost certainly the same browser.*First.*Second/s);
      });

      describe('in the fingerprint view', () => {
        beforeEach(() => arrive('/', '#fingerprint', /w1\.d/));

        test('copying it, or selecting it if copying is denied', async () => {
          await tabTo(page, 'button Copy');
          await page.press('Enter');
          await until('A word about it', () =>
            page.evaluate(() => {
              const statuses = [...document.querySelectorAll('[role="status"]')].map(({ textContent }) => textContent);
              return statuses.some((text) => /Copied|It is selected/.test(text ?? '')) || undefined;
            }),
          );
        });

        test('reading again, and deleting the saved data', async () => {
          await tabTo(page, 'button Read again');
          await page.press(' ');
          await until('The end of the reading', () =>
            page.evaluate("!document.querySelector('[aria-busy=true]') || undefined"),
          );
          await shows(page, /last seen/);
          await tabTo(page, 'button Forget this browser');
          await page.press(' ');
          await shows(page, /first visit/);
        });

        test('comparing it with another fingerprint', async () => {
          const own = await page.evaluate<string>("document.querySelector('#own-fingerprint').textContent");
          await tabTo(page, 'textarea other');
          await page.press(...own);
          await tabTo(page, 'button Compare');
          await page.press('Enter');
          await shows(page, /Almost certainly the same browser/);
          expect(await page.evaluate("document.querySelector('[aria-live]').innerText")).toContain('the same browser');
          expect(await violations(page)).toEqual([]);
        });

        test('the error for an invalid fingerprint', async () => {
          await tabTo(page, 'textarea other');
          await page.press('x', 'Tab', 'Enter');
          await shows(page, /could not be compared/);
          expect(await violations(page)).toEqual([]);
        });

        test('expanding a long value', async () => {
          await tabTo(page, 'summary');
          await page.press('Enter');
          expect(await page.evaluate('document.activeElement.parentElement.open')).toBe(true);
          await page.press('Tab');
          expect(await page.evaluate('document.activeElement.ariaLabel')).toMatch(/in full$/);
        });
      });
    });
  });
}

function focused(page: TestPage): Promise<string> {
  return page.evaluate('document.activeElement.textContent');
}
