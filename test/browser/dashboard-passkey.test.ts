import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromium } from './harness/chromium';
import { freePort } from './harness/free-port';
import type { TestPage } from './harness/types';
import { tabTo, violations } from './support/accessibility';
import { password } from './support/dashboard';
import { shows } from './support/demo';
import { type RunningService, startRealService } from './support/service';
import { inPage } from './support/session';

const email = 'ada@example.com';

describe.skipIf(!chromium.available())('a passkey for the dashboard in chromium', () => {
  let service: RunningService;
  let origin: string;
  beforeAll(async () => {
    // A passkey belongs to a host name. An address has none.
    const port = await freePort();
    origin = `http://localhost:${port}`;
    service = await startRealService({}, { PORT: String(port), PUBLIC_URL: origin });
  });
  afterAll(() => service?.close());

  /** Presses the button of the form whose action ends with `ending`. */
  const pressIn = (page: TestPage, ending: string) =>
    page.evaluate((end: string) => {
      const form = document.querySelector(`form[action$="${end}"]`);
      form?.querySelector('button')?.click();
    }, ending);
  const type = async (page: TestPage, field: string, text: string) => {
    await tabTo(page, field);
    await page.press(...text);
  };

  test('is added after the password is confirmed, and used to sign in', async () => {
    await inPage(chromium, { colorScheme: 'light' }, async (page) => {
      await page.addAuthenticator?.();
      await page.goto(service.setUpUrl().replace(service.origin, origin));
      await type(page, 'email', email);
      await page.press('Tab', ...password, 'Enter');
      await shows(page, /Waiting for your first evaluation/);
      await page.goto(`${origin}/dashboard/account/second-factor`);
      await type(page, 'confirm-passkey', password);
      await page.press('Enter');
      await shows(page, /Add a passkey/);
      expect(await violations(page)).toEqual([]);
      await type(page, 'name', 'Laptop');
      await page.press('Enter');
      await shows(page, /Your recovery codes.*Each works once/s);
      expect(await violations(page)).toEqual([]);
      await page.goto(`${origin}/dashboard/account/second-factor`);
      await shows(page, /Laptop.*10 of 10 codes are left/s);
      expect(await violations(page)).toEqual([]);

      await tabTo(page, 'Sign out');
      await page.press('Enter');
      await shows(page, /Sign in/);
      await type(page, 'email', email);
      await page.press('Tab', ...password, 'Enter');
      await shows(page, /Second factor.*Signing in as ada@example.com/s);
      expect(await violations(page)).toEqual([]);
      await pressIn(page, '/dashboard/second-factor');
      await shows(page, /Waiting for your first evaluation/);
      await page.goto(`${origin}/dashboard/audit?kind=signed_in`);
      await shows(page, /second factor: passkey/);
      expect(await page.messages()).toEqual([]);
    });
  });
});
