import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { describeEngines } from './harness/engines';
import type { TestPage } from './harness/types';
import { until } from './harness/until';
import { tabThrough, tabTo, violations } from './support/accessibility';
import { type DemoServer, startDemo } from './support/demo';
import { openPage } from './support/session';

const pages = ['/', '/script-tag.html'];

describeEngines('the demo, by keyboard and screen reader', (engine) => {
  describe.each(['light', 'dark'] as const)('%s', (colorScheme) => {
    let demo: DemoServer;
    let page: TestPage;

    beforeAll(async () => {
      const opened = await openPage(engine, startDemo, { colorScheme });
      demo = opened.server;
      page = opened.page;
      return opened.close;
    });

    async function arrive(path: string): Promise<void> {
      await page.goto(demo.url(path));
      await shows(/w1\.d/);
    }

    /** Waits until the page has loaded and says so: before, Tab does not find all that will be there. */
    async function shows(pattern: RegExp): Promise<void> {
      await until(`A page that shows ${pattern}`, async () => {
        const text = await page.evaluate("document.readyState === 'complete' && document.body.innerText");
        return pattern.test(String(text)) || undefined;
      });
    }

    test.each(pages)('axe finds nothing wrong in %s', async (path) => {
      await arrive(path);
      expect(await violations(page)).toEqual([]);
    });

    test.each(pages)('Tab reaches all that can be operated in %s, and one sees where it is', async (path) => {
      await arrive(path);
      const { all, reached, unseen } = await tabThrough(page);
      expect(all.length).toBeGreaterThanOrEqual(3);
      expect(reached).toEqual(all);
      expect(unseen).toEqual([]);
    });

    describe('everything works by keyboard:', () => {
      beforeEach(() => arrive('/'));

      test('the way to the other page and back', async () => {
        await tabTo(page, 'a Script tag');
        await page.press('Enter');
        await shows(/With a script tag/);
        await tabTo(page, 'a Single-page app');
        await page.press('Enter');
        await shows(/The fingerprint of this browser/);
      });

      test('copying the fingerprint, or having it selected to copy', async () => {
        await tabTo(page, 'button Copy');
        await page.press('Enter');
        await until('A word about it', () =>
          page.evaluate(() => {
            const said = [...document.querySelectorAll('[role="status"]')].map(({ textContent }) => textContent);
            return said.some((text) => /Copied|It is selected/.test(text ?? '')) || undefined;
          }),
        );
      });

      test('reading again, and forgetting', async () => {
        await tabTo(page, 'button Read again');
        await page.press(' ');
        await until('The end of the reading', () =>
          page.evaluate("!document.querySelector('[aria-busy=true]') || undefined"),
        );
        await shows(/last seen/);
        await tabTo(page, 'button Forget this browser');
        await page.press(' ');
        await shows(/First visit/);
      });

      test('comparing with another fingerprint', async () => {
        const own = await page.evaluate<string>("document.querySelector('#own-fingerprint').textContent");
        await tabTo(page, 'textarea other');
        await page.press(...own);
        await tabTo(page, 'button Compare');
        await page.press('Enter');
        await shows(/Almost certainly the same browser/);
        expect(await page.evaluate("document.querySelector('[aria-live]').innerText")).toContain('the same browser');
        expect(await violations(page)).toEqual([]);
      });

      test('what is wrong with a text that is no fingerprint', async () => {
        await tabTo(page, 'textarea other');
        await page.press('x', 'Tab', 'Enter');
        await shows(/This cannot be compared/);
        expect(await violations(page)).toEqual([]);
      });

      test('unfolding a long value', async () => {
        await tabTo(page, 'summary');
        await page.press('Enter');
        expect(await page.evaluate('document.activeElement.parentElement.open')).toBe(true);
        await page.press('Tab');
        expect(await page.evaluate('document.activeElement.ariaLabel')).toMatch(/in full$/);
      });
    });
  });
});
