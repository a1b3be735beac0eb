import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromium } from './harness/chromium';
import { until } from './harness/until';
import { tabTo, violations } from './support/accessibility';
import { shows } from './support/demo';
import { type RunningService, startRealService } from './support/service';
import { inPage, inScheme } from './support/session';

const email = 'ada@example.com';
const password = 'correct horse battery staple';

describe.skipIf(!chromium.available())('the editor of a rule in chromium', () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startRealService({});
  }, 240_000);
  afterAll(() => service?.close());

  test('suggests facts, values and functions by keyboard, in light and dark mode, and fits a phone', async () => {
    for (const scheme of ['light', 'dark'] as const) {
      await inPage(chromium, inScheme(scheme), async (page) => {
        await page.goto(scheme === 'light' ? service.setUpUrl() : `${service.origin}/dashboard`);
        await tabTo(page, 'email');
        await page.press(...email, 'Tab', ...password, 'Enter');
        await shows(page, /Sign out/);
        await page.evaluate(`location.href = location.pathname.replace(/\\/overview.*/, '/rules/new')`);
        await shows(page, /Add a rule.*Condition/s);
        await tabTo(page, 'when');
        const value = () => page.evaluate(`document.querySelector('#when').value`);
        const options = () =>
          page.evaluate(
            `document.querySelector('#when-options').hidden ? [] : [...document.querySelectorAll('#when-options code')].map((name) => name.textContent)`,
          );
        const active = () =>
          page.evaluate(`(() => {
            const id = document.querySelector('#when').getAttribute('aria-activedescendant');
            const selected = [...document.querySelectorAll('#when-options [aria-selected=true]')].map((option) => option.id);
            return id === null ? selected.length === 0 && null : selected.join() === id && document.getElementById(id).querySelector('code').textContent;
          })()`);
        const status = () => page.evaluate(`document.querySelector('#when ~ [role=status]').textContent`);

        await page.press(...'device.is');
        expect(await options()).toEqual(['device.is_new', 'device.is_trusted', 'device.is_proven']);
        expect(await active()).toBeNull();
        expect(await status()).toBe('3 suggestions. Choose with the arrow keys and Enter.');
        await page.press('ArrowDown');
        expect(await active()).toBe('device.is_new');
        await page.press('ArrowUp');
        expect(await active()).toBe('device.is_proven');
        await page.press('ArrowDown', 'ArrowDown');
        expect(await active()).toBe('device.is_trusted');
        for (const width of [1440, 360]) {
          await page.resize(width, 800);
          const fits = `document.documentElement.scrollWidth <= ${width} || undefined`;
          await until(`A page that is no wider than ${width} px`, () => page.evaluate(fits));
          expect(await violations(page), `${scheme}, ${width} px`).toEqual([]);
        }
        expect(await options()).toHaveLength(3);
        await page.press('Enter');
        expect([await value(), await options(), await active()]).toEqual(['device.is_trusted', [], null]);

        // Values of the fact that is compared, with the closing quote.
        await page.press(...' && address.kind == "t');
        expect(await options()).toEqual(['tor']);
        await page.press('ArrowDown', 'Enter', ...' && device.kind in ["mobile", "');
        expect(await options()).toEqual(['desktop', 'mobile', 'tablet', 'unknown']);
        await page.press(...'d', 'ArrowDown', 'Enter', ...'] && "new_d');
        expect(await options()).toEqual(['new_device']);
        await page.press('ArrowDown', 'Enter', ...' in reasons && user.id.starts');
        expect(await options()).toEqual(['user.id.startsWith(']);
        await page.press('ArrowDown', 'Enter', ...'"te');
        // Nothing is known about the beginning of an ID.
        expect(await options()).toEqual([]);
        await page.press(...'st") && coun');
        // A part of a name is enough.
        expect(await options()).toEqual(['user.countries_today', 'address.country', 'counter(']);
        await page.press('Escape');
        expect(await options()).toEqual([]);
        // Without a choice, Enter and the arrows do what they do in any text field.
        await page.press(...'t', 'Enter', 'ArrowUp', 'ArrowDown');
        const typed = `device.is_trusted && address.kind == "tor" && device.kind in ["mobile", "desktop"] && "new_device" in reasons && user.id.startsWith("test") && count\n`;
        expect(await value()).toBe(typed);
        await page.press('Tab');
        expect(await options()).toEqual([]);
        expect(await page.messages()).toEqual([]);
      });
    }
  }, 240_000);
});
