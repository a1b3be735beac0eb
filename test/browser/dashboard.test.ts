import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromium } from './harness/chromium';
import type { TestPage } from './harness/types';
import { until } from './harness/until';
import { tabTo, violations } from './support/accessibility';
import { signIn } from './support/dashboard';
import { shows } from './support/demo';
import { type RunningService, startRealService } from './support/service';
import { inPage, inScheme } from './support/session';

/** Fingerprints of browsers that do not exist. */
const laptop = 'w1.dlc156.7Z9v0pT8aKuEwGT748W68JVnrQ7d.fuCmklxImC2ebtiRjVDCF3p-chyVrMAXdjzc.TNbCyWxtd9m8OWLtvKaE.AAAA';
const other = 'w1.mac156.QdL4x0aRk2Pz9vTn3cYw7uHbrQ7d.Ge5sWm1oVq8jXt6yKf2rZp0dNl4hBiCaTu9E.JwSv3nRb7xQm5gYk1eDo.AAAA';

describe.skipIf(!chromium.available())('the dashboard in chromium', () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startRealService({});
    await service.post('/v2/device/evaluate', {
      action: 'signup',
      user: 'ann',
      fingerprint: laptop,
      ip: '198.51.100.7',
    });
    await service.post('/v2/device/evaluate', { action: 'login', user: 'ann', fingerprint: other, ip: '203.0.113.9' });
  });
  afterAll(() => service?.close());

  test('supports set-up, sign-in and all pages, in light and dark mode', async () => {
    await inPage(chromium, inScheme('light'), async (page) => {
      await page.goto(service.setUpUrl());
      await signIn(page);
      await tabTo(page, 'Sign out');
      await page.press('Enter');
      await shows(page, /Sign in/);
      expect(await violations(page)).toEqual([]);
      await page.reload();
      await signIn(page);
      await lookAround(page);
    });
    await inPage(chromium, inScheme('dark'), async (page) => {
      await page.goto(`${service.origin}/dashboard`);
      await signIn(page);
      await lookAround(page);
    });
  });
});

/** Visits the pages, from the only project's on. */
async function lookAround(page: TestPage): Promise<void> {
  await shows(page, /Waiting for your first evaluation/);
  expect(await violations(page)).toEqual([]);
  await tabTo(page, 'a Shop');
  await page.press('Enter');
  await shows(page, /All projects/);
  expect(await violations(page)).toEqual([]);
  await tabTo(page, 'Shop, test');
  await page.press('Enter');
  await shows(page, /Overview.*Evaluations\s+2/s);
  expect(await page.evaluate('document.querySelectorAll("details:not([open])").length')).toBe(3);
  const drawn = `[...document.querySelectorAll('canvas')].every((canvas) => canvas.offsetHeight > 100 && Chart.getChart(canvas))`;
  expect(await page.evaluate(drawn)).toBe(true);
  const others = {
    account: /Your sessions.*this one.*(?:now|seconds? ago|minutes? ago)/s,
    'account/second-factor': /Passkeys.*Authenticator app.*Whole installation/s,
    members: /All members.*Open invitations.*Invite a person.*Roles/s,
    audit: /Full audit log.*Signed in/s,
    components: /Components.*Words and colours.*Challenge and restrict.*Empty list/s,
  };
  for (const [place, content] of Object.entries(others)) {
    await page.evaluate(`location.href = '/dashboard/${place}'`);
    await shows(page, content);
    expect(await violations(page)).toEqual([]);
  }
  await page.evaluate('history.go(-5)');
  await shows(page, /Overview.*Evaluations\s+2/s);
  await lookAtProject(page);
  for (const width of [1440, 360]) {
    await page.resize(width, 800);
    // Charts are redrawn with a delay.
    const fits = `document.documentElement.scrollWidth <= ${width} || undefined`;
    await until(`A page that is no wider than ${width} px`, () => page.evaluate(fits));
  }
  expect(await violations(page)).toEqual([]);
  expect(await page.messages()).toEqual([]);
}

/** Visits pages of the project's world, and returns to its overview. */
async function lookAtProject(page: TestPage): Promise<void> {
  const base = String(await page.evaluate("location.pathname.replace('/overview', '')"));
  /** Returns the first link to one object of a section. */
  const linkTo = (section: string) =>
    page.evaluate(
      `[...document.links].map((link) => link.pathname).find((path) => /\\/${section}\\/[0-9a-f-]{36}$/.test(path))`,
    );
  const visit = async (path: unknown, content: RegExp) => {
    await page.evaluate(`location.href = '${path}'`);
    await shows(page, content);
    expect(await violations(page), String(path)).toEqual([]);
    await page.resize(360, 800);
    expect(await page.evaluate('document.documentElement.scrollWidth'), String(path)).toBeLessThanOrEqual(360);
    await page.resize(1280, 800);
  };
  await visit(`${base}/review`, /Review.*Waiting/s);
  await visit(`${base}/rules/new`, /Condition/);
  await visit(`${base}/settings`, /Settings/);
  await visit(`${base}/policy`, /Policy/);
  await visit(`${base}/subjects/address?value=198.51.100.7`, /IP address 198.*Newest evaluations/s);
  await visit(`${base}/subjects/email_domain?value=example.com`, /Disposable.*No users/s);
  await visit(`${base}/evaluations`, /Evaluations.*ann/s);
  const first = await linkTo('evaluations');
  await visit(`${base}/evaluations?verdict=allow`, /Save as a view/);
  await page.evaluate(`document.querySelector('[action$="/views"] [name=name]').value = 'Allowed'`);
  await page.evaluate(`document.querySelector('[action$="/views"]').requestSubmit()`);
  await shows(page, /The view was saved.*Allowed.*Manage views/s);
  expect(await violations(page)).toEqual([]);
  await visit(`${base}/views?list=evaluations`, /Allowed.*Verdict: allow.*Rename.*Remove/s);
  await page.evaluate(`document.querySelector('[action$="/remove"]').requestSubmit()`);
  await shows(page, /The view was removed.*No views/s);
  await visit(first, /Who.*Where.*Why/s);
  await visit(`${base}/users`, /Users.*ann/s);
  await visit(`${await linkTo('users')}/linked`, /Linked accounts of ann/);
  await visit(`${base}/overview`, /Overview.*Evaluations\s+2/s);
}
