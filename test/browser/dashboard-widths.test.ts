import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fingerprintOf } from '../../service/test/support/fingerprints';
import { chromium } from './harness/chromium';
import { signIn, submit } from './support/dashboard';
import { shows } from './support/demo';
import { type RunningService, startRealService } from './support/service';
import { inPage, inScheme } from './support/session';

/** Widths in pixels: a phone, tablets, of which the second one is the first with tables, laptops and a screen. */
const widths = [360, 768, 961, 1024, 1280, 1440];

/** Every evaluation waits for a review, and so has many columns. */
const rules = [{ name: 'All', when: 'true', effect: 'review', actions: [], state: 'on' }];

describe.skipIf(!chromium.available())('lists of the dashboard in chromium', () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startRealService({ rules });
    const ip = '2001:db8:85a3:8d3:1319:8a2e:370:7348';
    for (const user of ['A'.repeat(256), 'ann']) {
      const evaluate = (action: string, seed: string) =>
        service.post('/v2/device/evaluate', { action, user, ip, fingerprint: fingerprintOf({ seed }) });
      await evaluate('a_payout_with_a_name_that_is_as_long_as_the_names_of_actions', user);
      await evaluate('login', `${user}'s phone`);
    }
  });
  afterAll(() => service?.close());

  test('are no wider than the window, also with long names and addresses', async () => {
    await inPage(chromium, inScheme('light'), async (page) => {
      await page.goto(service.setUpUrl());
      await signIn(page);
      const base = String(await page.evaluate("location.pathname.replace(/live.overview$/, 'test')"));
      const open = async (path: string) => {
        await page.goto(service.origin + path);
        await shows(page, /Sign out/);
      };
      const linkTo = (section: string) =>
        page.evaluate<string>(
          `[...document.links].map((link) => link.pathname).find((path) => /\\/${section}\\/[0-9a-f-]{36}$/.test(path))`,
        );
      await open(`${base}/users`);
      const user = await linkTo('users');
      await open(`${base}/devices`);
      const device = await linkTo('devices');
      await open(`${base}/lists`);
      await submit(page, '/lists', { kind: 'user', value: 'A'.repeat(256), effect: 'review' });
      await shows(page, /The entry for A+ was added/);
      const lists = ['lists', 'users', 'devices', 'challenges', 'evaluations', 'review', 'review?order=score', 'rules'];
      for (const path of [...lists.map((list) => `${base}/${list}`), user, device]) {
        await open(path);
        const found: [width: number, scrolled: unknown][] = [];
        for (const width of widths) {
          await page.resize(width, 800);
          found.push([width, await page.evaluate('Math.max(innerWidth, document.documentElement.scrollWidth)')]);
        }
        expect({ path, found }).toEqual({ path, found: widths.map((width) => [width, width]) });
      }
    });
  });
});
