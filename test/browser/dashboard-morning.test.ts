import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fingerprintOf } from '../../service/test/support/fingerprints';
import { chromium } from './harness/chromium';
import type { TestPage } from './harness/types';
import { until } from './harness/until';
import { violations } from './support/accessibility';
import { signIn, submit } from './support/dashboard';
import { shows } from './support/demo';
import { type RunningService, startRealService } from './support/service';
import { inPage, inScheme } from './support/session';

// The rule finder needs so many labels to show that a rule holds for people whom it has not seen.
const ring = 40;
const honest = 220;
const ofRing = { fingerprint: fingerprintOf({ seed: 'ring' }), ip: '203.0.113.7' };
/** Folder for a picture of each step, to look at. */
const pictures = process.env.WHORL_TEST_PICTURES;

/** An analyst's morning on one project: from a wave of new accounts to a rule that is switched on. */
describe.skipIf(!chromium.available())("an analyst's morning in chromium", () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startRealService({});
    await makeTraffic(service);
  });
  afterAll(() => service?.close());

  test('finds a ring, suspends it and undoes that, and switches a rule on after trying it', async () => {
    await inPage(chromium, inScheme('light'), async (page) => {
      const open = (path: string) => page.goto(`${service.origin}${base}/${path}`);
      let base = '';
      let step = 0;
      let late = 0;
      const look = async (name: string, pattern: RegExp) => {
        const text = await shows(page, pattern);
        if (pictures) await page.screenshot(join(pictures, `${String(++step).padStart(2, '0')}-${name}.png`));
        expect(await violations(page), name).toEqual([]);
        return text;
      };

      await page.goto(service.setUpUrl());
      await signIn(page);
      await page.resize(1440, 900);
      base = String(await page.evaluate(`location.pathname`)).replace(/\/(test|live)\/overview$/, '/live');

      // The wave.
      await open('overview');
      await look('overview', /Evaluations\s+260/);
      await open('evaluations?reason=multiple_accounts');
      await look('wave', /ring-39/);

      // The cluster, suspended and reactivated.
      await open('users/clusters');
      await look('clusters', /40/);
      await follow(page, '/linked');
      await look('linked', /39 other accounts share something.*Graph.*Accounts/s);
      await page.evaluate(`location.search = '?selected=on'`);
      await shows(page, /Linked accounts of ring/);
      await until('Selected rows', () =>
        page.evaluate(`document.querySelector('[name="id"]:checked') !== null || undefined`),
      );
      await submit(page, '/actions', { action: 'suspend' });
      await look('preview', /40 users: .*You can undo this for 10 minutes/s);
      await submit(page, '/actions', {});
      await look('suspended', /Changed\s+40 users/);
      await submit(page, '/undo', {});
      await look('undone', /Undone/);

      // A rule, from the labels.
      await open('rules/finder');
      await submit(page, '/rules/finder', { caught: '70', honest: '5' });
      await look('found', /the rule reaches the target/);
      await follow(page, 'search=');
      await shows(page, /Add a rule/);
      await submit(page, '/rules/new', { name: 'Shared devices', effect: 'deny', state: 'shadow' }, 'try');
      await look('replay', /Replayed evaluations\s+260.*The rule matched\s+(3\d|40)/s);
      await follow(page, '?replay=');
      await shows(page, /Shared devices|Add a rule/);
      await submit(page, '/rules/new', { state: 'shadow' });
      await look('shadow', /Shared devices.*shadow/is);
      // Rules apply within a second.
      const shadowed = await until('A match in shadow', async () => {
        const { evaluation_id, decided_by } = await pay(service, `late-${++late}`, 900, ofRing);
        return JSON.stringify(decided_by.excused).includes('Shared devices') ? String(evaluation_id) : undefined;
      });
      await open('rules');
      await look('counted', /Shared devices\s.*\sshadow\s+1\s/s);
      await follow(page, '/evaluations?rule=');
      await look('matched', /in shadow: Shared devices/);
      await follow(page, shadowed);
      await look('shadowed', /Rule “Shared devices” matched, in shadow: it did not count\. Its effect: deny/i);
      await open('rules/1');
      await submit(page, '/rules/1', { state: 'on' });
      await shows(page, /Shared devices/);
      await until(
        'A match that counts',
        async () => (await pay(service, `late-${++late}`, 900, ofRing)).verdict === 'deny' || undefined,
      );
      await pay(service, 'last', 900, ofRing);

      // The address of the ring, and what still waits for a person.
      await open('lists');
      await submit(page, '/lists', { kind: 'address', value: '203.0.113.0/24', effect: 'block', note: 'Ring of 40' });
      await look('lists', /203\.0\.113\.0\/24.*Ring of 40/s);
      await open('review');
      await look('waiting', /Waiting\s+2/);
      await page.press('n');
      await shows(page, /It is yours until/);
      let reviewed = '';
      for (;;) {
        const loaded = `document.readyState === 'complete' && location.pathname !== '${reviewed}'`;
        reviewed = await until('Another page', () => page.evaluate(`${loaded} ? location.pathname : undefined`));
        if (reviewed.endsWith('/review')) break;
        await page.press('f');
      }
      await shows(page, /labelled as fraud.*Nothing else waits/s);
      await look('queue', /Waiting\s+0/);
      expect(await page.messages()).toEqual([]);

      // The evaluations of the wave, for somebody without an account.
      await open('evaluations?reason=multiple_accounts');
      // In a tab of its own, because a download that has not begun ends when the page changes.
      await page.evaluate(() => {
        const button = document.querySelector<HTMLButtonElement>('[action$="/evaluations/export"] [value=csv]');
        if (!button?.form) throw new Error('There is no button for a download');
        button.form.target = '_blank';
        button.click();
      });
      await until('An entry of the download', async () => {
        await open('audit?kind=evaluations_exported');
        await shows(page, /Audit log/);
        return page.evaluate<string | undefined>(`document.querySelector('main tbody tr')?.innerText`);
      });
    });
  });
});

const bodyOf = (user: string, amount: number, more: object) => ({
  action: 'payout',
  user,
  metadata: { amount },
  fingerprint: fingerprintOf({ seed: user }),
  ip: '198.51.100.1',
  ...more,
});

async function pay(service: RunningService, user: string, amount: number, more: object = {}) {
  const { status, body } = await service.post(
    '/v2/device/evaluate',
    bodyOf(user, amount, more),
    service.liveKeys.secret,
  );
  expect(status).toBe(200);
  return body;
}

/** Honest people with devices of their own, and a ring on one device. Labels came later, from chargebacks. */
async function makeTraffic(service: RunningService): Promise<void> {
  const happen = async (user: string, amount: number, label: string, more: object) => {
    const { evaluation_id } = await pay(service, user, amount, more);
    await service.post(`/v2/evaluations/${evaluation_id}/feedback`, { label }, service.liveKeys.secret);
  };
  for (let from = 0; from < honest; from += 10) {
    const people = Array.from({ length: 10 }, (_, at) => from + at);
    await Promise.all(people.map((n) => happen(`user-${n}`, 20 + n, 'legitimate', { ip: `198.51.100.${n}` })));
  }
  for (let n = 0; n < ring; n++) await happen(`ring-${n}`, 700 + n, 'fraud', ofRing);
}

/** Clicks the first link whose address contains a text, and waits for the page that it leads to. */
async function follow(page: TestPage, part: string): Promise<void> {
  await page.evaluate((text) => {
    const link = document.querySelector<HTMLAnchorElement>(`main a[href*="${text}"]`);
    if (!link) throw new Error(`There is no link with ${text}`);
    document.documentElement.dataset.left = '';
    link.click();
  }, part);
  // What the next step looks for may be on the page that is left as well.
  const loaded = "(document.readyState === 'complete' && !('left' in document.documentElement.dataset)) || undefined";
  await until(`The page of a link with ${part}`, () => page.evaluate(loaded));
}
