import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dayMs, hourMs, worldOf } from '../../src/testing.js';
import { elsewhere, laptop, phone } from '../support/customer.js';
import { type DashboardShop, openDashboardShop } from '../support/dashboard-shop.js';
import { describeDatabases } from '../support/databases.js';

describeDatabases('the figures of the overview', (kind) => {
  let shop: DashboardShop;
  beforeAll(async () => {
    shop = await openDashboardShop(kind);
    const { customer, service } = shop;
    service.clock.advance(-2 * dayMs);
    await customer.challenge('ann', { fingerprint: phone, ip: elsewhere });
    service.clock.advance(2 * dayMs);
    const { challenge_id: id } = await customer.challenge('bob', { fingerprint: phone, ip: elsewhere });
    await customer.ask(`/v2/challenges/${id}/complete`);
    const { challenge_id: skipped } = await customer.challenge('cyd', { fingerprint: phone, ip: elsewhere });
    await customer.ask(`/v2/challenges/${skipped}/skip`);
    await customer.evaluate({ action: 'login', user: 'bob', fingerprint: laptop, ip: elsewhere, outcome: 'failed' });
  });
  afterAll(() => shop.close());

  /** Returns how many rows the list behind a link has. */
  const rowsAt = async (href = '') => {
    const { status, html } = await shop.visitor.get(href.replaceAll('&amp;', '&'));
    expect([href, status]).toEqual([href, 200]);
    return new Set([...html.matchAll(/href="[^"]*\/(?:evaluations|challenges)\/([0-9a-f-]{36})"/g)].map(([, id]) => id))
      .size;
  };

  test('lead to the evaluations and challenges that they count', async () => {
    const { html } = await shop.shown('/overview');
    const tiles = [...html.matchAll(/<dt>([^<]+)<\/dt><dd><a href="([^"]+)">([^<]+)</g)];
    const found = await Promise.all(tiles.map(async ([, title, href, value]) => [title, value, await rowsAt(href)]));
    expect(found).toEqual([
      ['Evaluations', '2', 2],
      ['Allowed', '0%', 0],
      ['Failed attempts', '1', 1],
      ['Challenges', '2', 2],
      ['Completion rate', '50%', 1],
    ]);
    const reasons = [...html.matchAll(/<a href="([^"]+reason=[^"]+)">[^<]+<\/a><\/td><td[^>]*>(\d+)<\/td>/g)];
    expect(reasons.length).toBeGreaterThan(1);
    for (const [, href, count] of reasons) expect([href, await rowsAt(href)]).toEqual([href, Number(count)]);
  });

  test('lead from a campaign to its evaluations of the last 24 hours', async () => {
    const worldId = await worldOf(shop.service.db, shop.project.project.id, 'live');
    /** Stores evaluations that belong to a campaign, as copies of others. */
    const store = (outcome: 'succeeded' | 'failed', hoursAgo: number) =>
      sql`
        insert into evaluations select (jsonb_populate_record(e, jsonb_build_object('id', gen_random_uuid(), 'reasons',
          jsonb_build_array('credential_stuffing'), 'created_at', ${shop.service.clock.now()}::timestamptz - ${hoursAgo * hourMs} * interval '1 ms'))).*
        from evaluations e where world_id = ${worldId} and outcome = ${outcome}
      `.execute(shop.service.db);
    await store('failed', 1);
    await store('succeeded', 36);
    await store('succeeded', 1);
    const { html } = await shop.shown('/overview');
    const [, count, href] = /(\d+) evaluations of the last 24 hours belong to <a href="([^"]+)">/.exec(html) ?? [];
    expect(Number(count)).toBeGreaterThan(1);
    expect(await rowsAt(href)).toBe(Number(count));
  });
});
