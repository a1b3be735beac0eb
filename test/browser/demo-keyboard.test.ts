import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { chromium } from './harness/chromium';
import { describeEngines } from './harness/engines';
import { openSession } from './harness/shared-browsers';
import type { BrowserSession, TestPage } from './harness/types';
import { until } from './harness/until';
import { tabTo, violations } from './support/accessibility';
import { type DemoServer, newestCode, openLoggedOut, shows, signUpElsewhere, startDemo } from './support/demo';

const password = 'correct horse';

let demo: DemoServer;
beforeAll(async () => {
  demo = await startDemo();
});
afterAll(() => demo?.close());

let accounts = 0;
const newEmail = () => `visitor${++accounts}@example.com`;

// Dark mode and the engine do not affect keyboard operation. story.test.ts runs in all engines.
describeEngines(
  'the demo, by keyboard and screen reader',
  (engine) => {
    let session: BrowserSession;
    let page: TestPage;
    beforeAll(async () => {
      session = await openSession(engine);
      page = await session.open();
    });
    afterAll(() => session?.close());

    const arrive = (path: string, hash: string, shown: RegExp) => openLoggedOut(demo, page, path, hash, shown);
    const arriveAtLogin = () => arrive('/', '', /recognises devices/);

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
  },
  [chromium],
);

function focused(page: TestPage): Promise<string> {
  return page.evaluate('document.activeElement.textContent');
}
