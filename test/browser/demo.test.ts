import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeEngines, engines } from './harness/engines';
import { openSession } from './harness/shared-browsers';
import type { BrowserSession, Engine, TestPage } from './harness/types';
import { tabThrough, violations } from './support/accessibility';
import {
  askForCodeElsewhere,
  click,
  type DemoServer,
  newestCode,
  openLoggedOut,
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
  'the browser flow',
  (engine) => {
    test.each(['/', '/script-tag.html'])('says that the service is unreachable: %s', async (path) => {
      const email = newEmail();
      await signUpElsewhere(demo, email, password);
      const session = await openSession(engine);
      const page = await session.open();
      await openLoggedOut(demo, page, path, '', /Options|Browser flow/);
      // As if the page could not reach it. The demo's server still can.
      await page.evaluate(`(() => {
        const { fetch } = window;
        window.fetch = (url, init) =>
          String(url).startsWith('${demo.serviceUrl}') ? Promise.reject(new TypeError()) : fetch(url, init);
      })()`);
      if (path === '/') await click(page, 'Options');
      await click(page, 'Browser flow');
      await type(page, 'email', email);
      await type(page, 'password', password);
      await click(page, 'Log in');
      await shows(page, /The service that evaluates logins is unreachable/);
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
      await shows(page, /Your code for Whorl demo is.*Cancel the attempt: http/s);
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

    const arrive = (path: string, hash: string, shown: RegExp) => openLoggedOut(demo, page, path, hash, shown);
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
  });
}
