import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { changeSettings, hourMs } from '../../src/testing.js';
import { type Customer, customerOf, home, laptop } from '../support/customer.js';
import { type DashboardShop, openDashboardShop } from '../support/dashboard-shop.js';
import { describeDatabases } from '../support/databases.js';
import { replaysAt } from '../support/rule-replays.js';
import type { TestProject } from '../support/service.js';

const counter = 'counter("card:" + metadata.card, "24h")';
const rule = { name: 'Busy cards', when: `${counter} >= 3`, effect: 'deny', actions: ['payout'] };
/** The form of a changed rule. */
const changedTo = (when: string) => ({ ...rule, when, actions: 'payout', state: 'on', position: '1' });

describeDatabases('the replay of a rule with counters', (kind) => {
  let shop: DashboardShop;
  let project: TestProject;
  let customer: Customer;
  beforeAll(async () => {
    shop = await openDashboardShop(kind);
  });
  afterAll(() => shop.close());
  beforeEach(async () => {
    project = await shop.service.newProject();
    customer = customerOf(shop.service, project);
    // At the start of an hour, so that the windows cover the same time in every run.
    const now = shop.service.clock.now().getTime();
    shop.service.clock.advance(Math.ceil(now / hourMs) * hourMs - now);
  });

  const setRules = (...rules: readonly object[]) =>
    changeSettings(shop.service.service, { project: project.project.id, changes: { rules }, changedBy: 'test' });
  /** Evaluates and returns the ID. */
  const evaluate = async (metadata: object, more: object = {}): Promise<string> =>
    (await customer.evaluate({ action: 'payout', user: 'ada', fingerprint: laptop, ip: home, metadata, ...more }))
      .evaluation_id;
  const payouts = async (cards: readonly string[]) => {
    const ids: string[] = [];
    for (const card of cards) ids.push(await evaluate({ card }));
    return ids;
  };
  /** Replays, and returns also the IDs in the list to open, the newest first. */
  const replay = async (fields: Record<string, string>) => {
    const page = await replaysAt(shop, `/dashboard/${project.project.id}/live`).replay(fields);
    const listed = [...page.html.matchAll(/evaluations\/([0-9a-f-]{36})"/g)].map(([, id]) => id);
    return { ...page, listed };
  };

  test('names exactly the evaluations that a changed threshold changes, by the counts of then', async () => {
    await setRules(rule);
    // Counts before each: 0, 0, 1, 2, 3, 1, 4.
    const ids = await payouts(['one', 'two', 'one', 'one', 'one', 'two', 'one']);
    const stricter = await replay(changedTo(`${counter} >= 2`));
    expect(stricter).toMatchObject({
      replayed: '7',
      skipped: '0',
      matched: '3',
      failed: '0',
      changes: ['challenge → deny 1 0 0 1'],
      listed: [ids[3]],
    });
    const milder = await replay(changedTo(`${counter} >= 4`));
    expect(milder).toMatchObject({ matched: '1', changes: ['deny → challenge 1 0 0 1'], listed: [ids[4]] });
    const strictest = await replay(changedTo(`${counter} >= 1`));
    expect(strictest).toMatchObject({
      matched: '5',
      changes: ['challenge → deny 3 0 0 3'],
      listed: [ids[5], ids[3], ids[2]],
    });
    // Later evaluations do not change what was counted.
    await payouts(['one', 'one', 'two']);
    const again = await replay(changedTo(`${counter} >= 2`));
    expect(again).toMatchObject({ replayed: '10', changes: ['challenge → deny 2 0 0 2'] });
    expect(again.listed.at(-1)).toBe(ids[3]);
    expect(await replay(changedTo(rule.when))).toMatchObject({ matched: '4', changes: [] });
  });

  test('does not replay evaluations for which the counter was not stored, and says so', async () => {
    const before = await payouts(['one', 'one']);
    const login = await evaluate({ card: 'one' }, { action: 'login' });
    await setRules(rule);
    const [after] = await payouts(['one']);
    const page = await replay(changedTo(`${counter} >= 0`));
    // The rule does not apply to the login, which is therefore replayed without the counter.
    expect(page).toMatchObject({ replayed: '2', skipped: '2', matched: '1', changes: ['challenge → deny 1 0 0 1'] });
    expect(page.listed).toEqual([after]);
    for (const id of [...before, login]) expect(page.html).not.toContain(id);
    expect(page.text).toContain('those from before a saved rule named a counter');
    // Another window is another counter.
    const hour = counter.replace('24h', '1h');
    expect(await replay(changedTo(`${hour} >= 0`))).toMatchObject({ replayed: '1', skipped: '3', matched: '0' });
  });

  test('counts names that are missing as no match, and those that are not texts as failed', async () => {
    await setRules(rule);
    await evaluate({ card: 'one' });
    await evaluate({});
    await evaluate({ card: 5 });
    expect(await replay(changedTo(`${counter} >= 0`))).toMatchObject({
      replayed: '3',
      skipped: '0',
      matched: '1',
      failed: '1',
      changes: ['challenge → deny 1 0 0 1'],
    });
  });
});
