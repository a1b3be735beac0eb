import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromium } from './harness/chromium';
import { until } from './harness/until';
import { tabTo, violations } from './support/accessibility';
import { signIn } from './support/dashboard';
import { shows } from './support/demo';
import { type RunningService, startRealService } from './support/service';
import { inPage } from './support/session';

/** Fingerprint of a browser that does not exist. */
const laptop = 'w1.dlc156.7Z9v0pT8aKuEwGT748W68JVnrQ7d.fuCmklxImC2ebtiRjVDCF3p-chyVrMAXdjzc.TNbCyWxtd9m8OWLtvKaE.AAAA';

describe.skipIf(!chromium.available())('the review queue in chromium', () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startRealService({});
    for (const user of ['first', 'second', 'third']) {
      const email = `${user}@mailinator.com`;
      const request = { action: 'signup', user, fingerprint: laptop, ip: '198.51.100.7', email };
      await service.post('/v2/device/evaluate', request);
    }
  });
  afterAll(() => service?.close());

  test('is emptied by keyboard, and fits a phone', async () => {
    await inPage(chromium, { colorScheme: 'light' }, async (page) => {
      await page.goto(service.setUpUrl());
      await signIn(page);
      await tabTo(page, 'a Shop');
      await page.press('Enter');
      await shows(page, /All projects/);
      await tabTo(page, 'Shop, test');
      await page.press('Enter');
      await shows(page, /Overview.*Evaluations\s+3/s);
      await page.evaluate(`location.href = location.pathname.replace('/overview', '/review')`);
      await shows(page, /Waiting\s+3.*first.*second.*third/s);
      expect(await violations(page)).toEqual([]);

      await page.press('n');
      await shows(page, /Review: signup.*first.*It is yours until/s);
      expect(await violations(page)).toEqual([]);
      await page.resize(360, 800);
      const fits = 'document.documentElement.scrollWidth <= 360 || undefined';
      await until('A page that is no wider than 360 px', () => page.evaluate(fits));
      // Keys are text while somebody types.
      await tabTo(page, 'textarea');
      await page.press(...'false flag');
      expect(await page.evaluate('document.activeElement.value')).toBe('false flag');
      await page.press('Escape', 'l');
      await shows(page, /labelled as legitimate.*Review: signup.*second/s);

      // They can be switched off, which lasts.
      await page.evaluate(`document.querySelector('[data-shortcuts]').click()`);
      await page.reload();
      await page.press('f');
      expect(await page.evaluate(`document.querySelector('[data-shortcuts]').checked`)).toBe(false);
      await page.evaluate(`document.querySelector('[data-shortcuts]').click()`);
      await page.press('f');
      await shows(page, /labelled as fraud.*Review: signup.*third/s);
      await page.press('s');
      await shows(page, /set aside\. Nothing else waits.*Waiting\s+0/s);
      expect(await violations(page)).toEqual([]);
      expect(await page.messages()).toEqual([]);
    });
  });
});
