import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromium } from './harness/chromium';
import { until } from './harness/until';
import { tabTo, violations } from './support/accessibility';
import { password, signIn } from './support/dashboard';
import { shows } from './support/demo';
import { type RunningService, startRealService } from './support/service';
import { inPage, inScheme } from './support/session';

describe.skipIf(!chromium.available())('the page of alerts in chromium', () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startRealService({
      alert_emails: ['fraud-team-with-a-long-name@shop.example', 'ben@shop.example'],
      alert_events: true,
      alert_quiet_hours: { from: 22, until: 7, time_zone: 'Europe/Berlin' },
    });
  });
  afterAll(() => service?.close());

  test('has no axe violations and fits a phone, in light and dark mode, and refuses a URL beside its field', async () => {
    for (const scheme of ['light', 'dark'] as const) {
      await inPage(chromium, inScheme(scheme), async (page) => {
        await page.goto(scheme === 'light' ? service.setUpUrl() : `${service.origin}/dashboard`);
        await signIn(page);
        await page.evaluate(`location.href = location.pathname.replace(/\\/overview.*/, '/alerts')`);
        await shows(page, /Receivers.*fraud-team.*Weekly summary.*Quiet hours.*22:00 to 7:00.*Slack.*Lasting alerts/s);
        for (const width of [1440, 360]) {
          await page.resize(width, 800);
          const fits = `document.documentElement.scrollWidth <= ${width} || undefined`;
          await until(`A page that is no wider than ${width} px`, () => page.evaluate(fits));
          expect(await violations(page), `${scheme}, ${width} px`).toEqual([]);
        }
        await tabTo(page, 'url');
        await page.press(...'https://10.0.0.1/x');
        // Asked for unless it was entered within the last minutes.
        if (await page.evaluate(`document.querySelector('#password') !== null`)) await page.press('Tab', ...password);
        await page.press('Enter');
        await shows(page, /10\.0\.0\.1 has an address that is not public/);
        expect(await page.evaluate(`document.querySelector('#url').getAttribute('aria-invalid')`)).toBe('true');
        expect(await violations(page)).toEqual([]);
        // Chromium reports the refused form.
        const messages = (await page.messages()).filter(({ text }) => !text.includes('422'));
        expect(messages).toEqual([]);
      });
    }
  });
});
