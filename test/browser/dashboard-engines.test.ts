import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeEngines } from './harness/engines';
import type { Engine, TestPage } from './harness/types';
import { until } from './harness/until';
import { tabTo, violations } from './support/accessibility';
import { password, signIn, submit } from './support/dashboard';
import { shows } from './support/demo';
import { type RunningService, startRealService } from './support/service';
import { inPage, inScheme } from './support/session';

let service: RunningService;
beforeAll(async () => {
  service = await startRealService({
    alert_emails: ['fraud-team-with-a-long-name@shop.example', 'ben@shop.example'],
    alert_events: true,
    alert_quiet_hours: { from: 22, until: 7, time_zone: 'Europe/Berlin' },
    rules: [{ name: 'Payouts', when: 'metadata.amount > 500', effect: 'deny', actions: ['payout'], state: 'shadow' }],
  });
  const payout = { action: 'payout', user: 'ann', metadata: { amount: 600 }, ip: '198.51.100.7' };
  await service.post('/v2/device/evaluate', payout);
});
afterAll(() => service?.close());

/** Signs in. The first time, the link of the set-up is used. */
let isSetUp = false;
async function enter(page: TestPage): Promise<string> {
  await page.goto(isSetUp ? `${service.origin}/dashboard` : service.setUpUrl());
  await signIn(page);
  isSetUp = true;
  const project = String(await page.evaluate("location.pathname.split('/')[2]"));
  return `${service.origin}/dashboard/${project}/test`;
}

/** Looks at the page as on a phone, and in Chromium also as on a desktop. */
async function look(page: TestPage, engine: Engine, what: RegExp): Promise<void> {
  await shows(page, what);
  if (engine.name === 'webkit') {
    // The toolbar of WebKit's window is wider than a phone.
    expect(await widthInFrame(page, 360), `${what}`).toBeLessThanOrEqual(360);
    expect(await violations(page), `${what}`).toEqual([]);
    return;
  }
  for (const width of engine.name === 'chromium' ? [1440, 360] : [360]) {
    await page.resize(width, 800);
    const fits = `document.documentElement.scrollWidth <= ${width} || undefined`;
    await until(`A page that is no wider than ${width} px`, () => page.evaluate(fits));
    expect(await violations(page), `${what}, ${width} px`).toEqual([]);
  }
}

/** Returns how wide the page is in a frame of a width, which its style sheet takes for a window of that width. */
function widthInFrame(page: TestPage, width: number): Promise<number> {
  return page.evaluate(async (frameWidth) => {
    const frame = document.createElement('iframe');
    frame.width = String(frameWidth);
    frame.height = '800';
    frame.srcdoc = document.documentElement.outerHTML;
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
    document.body.append(frame);
    await loaded;
    const view = frame.contentDocument?.documentElement;
    const heading = view?.querySelector('h1')?.textContent;
    const width = view?.scrollWidth;
    frame.remove();
    if (width === undefined || heading !== document.querySelector('h1')?.textContent) throw new Error('It is empty');
    return width;
  }, width);
}

describeEngines('pages of alerts and rules', (engine) => {
  test
    .skipIf(!engine.available())
    .each(engine.name === 'chromium' ? (['light', 'dark'] as const) : (['light'] as const))(
    'have no axe violations and fit a phone, and say what is wrong beside a field: %s',
    async (scheme) => {
      await inPage(engine, inScheme(scheme), async (page) => {
        const base = await enter(page);
        await page.goto(`${base}/alerts`);
        await look(
          page,
          engine,
          /Receivers.*fraud-team.*Weekly summary.*Quiet hours.*22:00 to 7:00.*Slack.*Open alerts/s,
        );
        await tabTo(page, 'url');
        await page.press(...'https://10.0.0.1/x');
        // Asked for unless it was entered within the last minutes.
        if (await page.evaluate(`document.querySelector('#password') !== null`)) await page.press('Tab', ...password);
        await page.press('Enter');
        await shows(page, /10\.0\.0\.1 has an address that is not public/);
        expect(await page.evaluate(`document.querySelector('#url').getAttribute('aria-invalid')`)).toBe('true');
        expect(await violations(page)).toEqual([]);
        // Browsers report the refused form.
        expect((await page.messages()).filter(({ text }) => !text.includes('422'))).toEqual([]);

        await page.goto(`${base}/rules`);
        await look(page, engine, /Payouts.*shadow.*Matched counts the newest 1 evaluations.*Examples/is);
        await page.goto(`${base}/rules/finder`);
        await look(page, engine, /Find a rule/);
        await page.goto(`${base}/rules/1`);
        await look(page, engine, /Condition.*Facts/s);
        expect(await page.messages()).toEqual([]);
        await submit(page, '/rules/1', { when: 'metadata.amount >' });
        await shows(page, /The condition cannot be read/);
        expect(await violations(page)).toEqual([]);
        await page.goto(`${base}/rules/1`);
        await submit(page, '/rules/1', {}, 'try');
        await look(page, engine, /Replay: Payouts.*The rule matched\s+1/s);
        await page.goto(`${base}/evaluations?rule=Payouts`);
        await look(page, engine, /in shadow: Payouts/);
        expect(await page.messages()).toEqual([]);
      });
    },
  );

  test.skipIf(!engine.available())('suggest facts when asked, by keyboard and by mouse', async () => {
    await inPage(engine, {}, async (page) => {
      const base = await enter(page);
      await page.goto(`${base}/rules/new`);
      await shows(page, /Add a rule.*Condition/s);
      const options = () =>
        page.evaluate(
          `document.querySelector('#when-options').hidden ? [] : [...document.querySelectorAll('#when-options code')].map((name) => name.textContent)`,
        );
      const field = () =>
        page.evaluate(
          `[document.querySelector('#when').value, document.activeElement === document.querySelector('#when')]`,
        );
      await page.click('#when');
      expect(await options()).toEqual([]);
      await page.press('Control+ ');
      expect(await options()).toEqual(expect.arrayContaining(['action', 'metadata']));
      await page.press('Escape', ...'device.is');
      expect(await options()).toEqual(['device.is_new', 'device.is_trusted', 'device.is_proven']);
      await page.click('#when-options li:nth-child(2)');
      expect([await field(), await options()]).toEqual([['device.is_trusted', true], []]);
      await page.press(...' && address.kind == "t', 'ArrowDown', 'Enter');
      expect([await field(), await options()]).toEqual([['device.is_trusted && address.kind == "tor"', true], []]);
      await page.press(...' && device.is');
      await page.click('#when');
      expect(await options()).toEqual([]);
      expect(await page.messages()).toEqual([]);
    });
  });
});
