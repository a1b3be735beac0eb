import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromium } from './harness/chromium';
import type { TestPage } from './harness/types';
import { until } from './harness/until';
import { violations } from './support/accessibility';
import { type RunningService, startRealService } from './support/service';
import { inPage } from './support/session';
import { complaints } from './support/whorl';

/** The hosts of everything that the page has loaded. */
const hostsOf = (page: TestPage) =>
  page.evaluate<string[]>(
    "[...new Set(performance.getEntriesByType('resource').map(({ name }) => new URL(name).origin))]",
  );

/** Needs `npm run site`. */
describe.skipIf(!chromium.available())('the documentation as a website', () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startRealService({});
  }, 240_000);
  afterAll(() => service?.close());

  test.each(['light', 'dark'] as const)('is searched by keyboard, without axe violations: %s', (colorScheme) =>
    inPage(chromium, { colorScheme }, async (page) => {
      await page.goto(`${service.origin}/docs`);
      expect(await page.evaluate('location.pathname + document.title')).toBe('/docs/Documentation – Whorl');
      expect(await violations(page)).toEqual([]);
      await page.press('/', ...'learning_days');
      await until('A result', () => page.evaluate("document.querySelector('#results a') ? true : undefined"));
      expect(await page.evaluate("document.querySelector('#found').textContent")).toMatch(/^\d+ sections found$/);
      expect(await violations(page)).toEqual([]);
      expect(await hostsOf(page)).toEqual([service.origin]);
      expect(await complaints(page)).toEqual([]);
      await page.press('Tab');
      const chosen = await page.evaluate('document.activeElement.textContent');
      await page.press('Enter');
      const heading = await until('The section', () =>
        page.evaluate<string>('document.getElementById(location.hash.slice(1))?.textContent'),
      );
      expect(heading).toBe(chosen);
    }),
  );

  test('loads every page and its images from the service alone, within its policy', () =>
    inPage(chromium, {}, async (page) => {
      await page.goto(`${service.origin}/docs/`);
      const pages = await page.evaluate<string[]>("[...document.querySelectorAll('nav a')].map(({ href }) => href)");
      expect(pages.length).toBeGreaterThan(40);
      for (const url of pages) {
        await page.goto(url);
        const broken = await page.evaluate(
          '[...document.images].filter((it) => !it.naturalWidth).map(({ src }) => src)',
        );
        const hosts = await hostsOf(page);
        expect({ url, broken, hosts, said: await complaints(page) }).toEqual({
          ...{ url, broken: [], said: [] },
          hosts: [service.origin],
        });
      }
    }));

  test('has a strict policy, and no address outside of its files', async () => {
    const { headers } = await fetch(`${service.origin}/docs/index.html`);
    expect(headers.get('content-security-policy')?.split('; ').sort()).toEqual([
      "base-uri 'none'",
      "connect-src 'self'",
      "default-src 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "img-src 'self' data:",
      "script-src 'self'",
      "style-src 'self'",
    ]);
    for (const path of ['none.html', '..%2f..%2fpackage.json', 'uses%2f..%2findex.html', 'uses/none.html']) {
      expect((await fetch(`${service.origin}/docs/${path}`)).status, path).toBe(404);
    }
  });
});
