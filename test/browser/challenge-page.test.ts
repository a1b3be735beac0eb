import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromium } from './harness/chromium';
import { describeEngines } from './harness/engines';
import { firefox } from './harness/firefox';
import { startServer, type TestServer } from './harness/server';
import type { TestPage } from './harness/types';
import { until } from './harness/until';
import { tabThrough, tabTo, violations } from './support/accessibility';
import { shows } from './support/demo';
import { type RunningService, startRealService } from './support/service';
import { inPage, inScheme } from './support/session';
import { startTextProvider, type TextProvider } from './support/texts';
import { visit } from './support/whorl';

/** Fingerprints of browsers that do not exist. */
const laptop = 'w1.dlc156.7Z9v0pT8aKuEwGT748W68JVnrQ7d.fuCmklxImC2ebtiRjVDCF3p-chyVrMAXdjzc.TNbCyWxtd9m8OWLtvKaE.AAAA';
const other = 'w1.mac156.QdL4x0aRk2Pz9vTn3cYw7uHbrQ7d.Ge5sWm1oVq8jXt6yKf2rZp0dNl4hBiCaTu9E.JwSv3nRb7xQm5gYk1eDo.AAAA';

let texts: TextProvider;
let service: RunningService;
/** The shop, where the browser is read before it goes to the managed page. */
let shop: TestServer;
beforeAll(async () => {
  shop = await startServer();
  texts = await startTextProvider();
  const name = 'The little shop';
  service = await startRealService(
    {
      managed_challenge_page: true,
      challenge_page: { name, return_addresses: [texts.url] },
      device_limit: { overall: 1 },
    },
    texts.environment,
  );
  await service.post('/v2/device/fingerprint', { fingerprint: laptop });
});
afterAll(async () => {
  await service?.close();
  await texts?.close();
  await shop?.close();
});

let users = 0;

/** Creates a user with one device over the limit. Returns the link to the page, and the number that receives the codes. */
async function challenge(fingerprint = other): Promise<{ link: string; phone: string }> {
  const number = ++users;
  const user = `ann${number}`;
  const phone = `+49170123${String(number).padStart(4, '0')}`;
  await service.post('/v2/device/attach', { user, fingerprint: laptop, ip: '198.51.100.7', phone });
  const request = { action: 'login', user, fingerprint, ip: '127.0.0.1' };
  const { body } = await service.post('/v2/device/evaluate', request);
  const { pathname, search } = new URL(body.challenge_url);
  return { link: `${service.origin}${pathname}${search}`, phone };
}

/** Begins a challenge in a browser, which is read on the shop's page. */
async function challengeIn(page: TestPage) {
  const [fingerprint] = await visit(page, shop.url('/blank.html'));
  return challenge(fingerprint);
}

const isWaiting = (page: TestPage) =>
  page.evaluate<boolean>("document.querySelector('form[action$=send] button').disabled");
/** Types into the field that has autofocus, which takes effect with the first frame. */
async function enter(page: TestPage, code: string): Promise<void> {
  await until('The focus in the field', () => page.evaluate("document.activeElement?.id === 'code' || undefined"));
  await page.press(...code, 'Enter');
}

const otherThan = (code: string) => (code === '000000' ? '111111' : '000000');

describeEngines('the managed challenge page', (engine) => {
  // Dark mode does not affect behaviour, so one scheme covers all engines.
  const schemes = engine.name === 'chromium' ? (['light', 'dark'] as const) : (['light'] as const);
  test.each(schemes)('works by keyboard, without axe violations: %s', (colorScheme) =>
    inPage(engine, inScheme(colorScheme), async (page) => {
      const { link, phone } = await challengeIn(page);
      await page.goto(link);
      await shows(page, /Confirm it is you.*more devices than allowed/s);
      expect(await page.evaluate('location.search')).toBe('');
      expect(await violations(page)).toEqual([]);
      await page.reload();
      const { all, reached, unseen } = await tabThrough(page);
      expect(all.length).toBeGreaterThanOrEqual(2);
      expect([reached, unseen]).toEqual([all, []]);

      await page.reload();
      await tabTo(page, 'Send code by text message');
      await page.press('Enter');
      await shows(page, /Enter the code.*You have 5 attempts left/s);
      expect(await isWaiting(page)).toBe(true);
      const code = await texts.code(phone);
      await enter(page, otherThan(code));
      await shows(page, /This code is wrong.*You have 4 attempts left/s);
      expect(await violations(page)).toEqual([]);

      await page.reload();
      await enter(page, code);
      await shows(page, /Your devices.*last seen/s);
      expect(await violations(page)).toEqual([]);
      await tabTo(page, 'Sign out');
      await page.press('Enter');
      await shows(page, /The device was signed out/);
      await tabTo(page, 'Continue');
      await page.press('Enter');
      await shows(page, /Thank you/);
      expect(await violations(page)).toEqual([]);
      expect(await page.messages()).toEqual([]);
    }),
  );
});

describe.skipIf(!chromium.available())('the managed challenge page in chromium', () => {
  test('fits the width of a phone', () =>
    inPage(chromium, undefined, async (page) => {
      await page.goto((await challengeIn(page)).link);
      await shows(page, /Confirm it is you/);
      await page.resize(360, 640);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
    }));

  test('works without JavaScript, and returns to the site', () => {
    const preferences = { 'profile.default_content_setting_values.javascript': 2 };
    return inPage(chromium, { preferences, drawnInSoftware: true }, async (page) => {
      const { link, phone } = await challenge();
      await page.goto(`${link}&return_url=${encodeURIComponent(texts.url)}`);
      await shows(page, /Checking your browser/);
      await tabTo(page, 'Continue');
      await page.press('Enter');
      await shows(page, /Is this you\?.*If you opened a link that somebody sent you, this is not you/s);
      await tabTo(page, 'Yes, this is me');
      await page.press('Enter');
      await shows(page, /Confirm it is you/);
      await tabTo(page, 'Send code');
      await page.press('Enter');
      await shows(page, /Enter the code/);
      expect(await isWaiting(page)).toBe(false);
      await enter(page, await texts.code(phone));
      await shows(page, /Your devices/);
      await tabTo(page, 'Sign out');
      await page.press('Enter');
      await shows(page, /signed out/);
      await tabTo(page, 'Continue');
      await page.press('Enter');
      await shows(page, /You are back/);
    });
  });
});

describe.skipIf(!chromium.available() || !firefox.available())('two browsers', () => {
  test("a victim who follows an attacker's link is told so, and gets no code", () =>
    inPage(chromium, undefined, (attacker) =>
      inPage(firefox, undefined, async (victim) => {
        const { link, phone } = await challengeIn(attacker);
        await victim.goto(link);
        await shows(victim, /Open this page where you started.*Did somebody send you this link\?/s);
        expect(await violations(victim)).toEqual([]);
        expect(await victim.evaluate("document.querySelector('form') === null")).toBe(true);
        // Neither the used link nor the address without it lets anybody else in.
        await attacker.goto(link);
        await shows(attacker, /This link is no longer valid/);
        expect(texts.count(phone)).toBe(0);
      }),
    ));

  test('a page that the attacker has opened shows nothing to the victim', () =>
    inPage(chromium, undefined, (attacker) =>
      inPage(firefox, undefined, async (victim) => {
        const { link } = await challengeIn(attacker);
        await attacker.goto(link);
        await shows(attacker, /Confirm it is you.*Device.*Chromium/s);
        await victim.goto(await attacker.evaluate<string>('location.href'));
        await shows(victim, /This link is no longer valid/);
      }),
    ));
});
