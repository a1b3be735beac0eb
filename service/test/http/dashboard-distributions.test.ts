import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { dayMs, foldAllActivity, hourMs, readOverview, worldOf } from '../../src/testing.js';
import { laptop } from '../support/customer.js';
import { type DashboardShop, openDashboardShop } from '../support/dashboard-shop.js';
import { describeDatabases } from '../support/databases.js';
import { berlin, tokyo, writePlaces } from '../support/two-places.js';

describeDatabases('the distributions of the overview', (kind) => {
  let folder: string;
  let shop: DashboardShop;
  let worldId: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'whorl-distributions-'));
    shop = await openDashboardShop(kind, { environment: { ADDRESS_DATABASES: await writePlaces(folder) } });
    worldId = await worldOf(shop.service.db, shop.project.project.id, 'live');
    for (const ip of [berlin, berlin, berlin, tokyo]) {
      await shop.customer.evaluate({ action: 'login', user: 'ada', fingerprint: laptop, ip });
    }
    const failed = { action: 'login', user: 'ada', fingerprint: laptop, ip: tokyo, outcome: 'failed' };
    await shop.customer.evaluate(failed);
  });
  afterAll(async () => {
    await shop.close();
    await rm(folder, { recursive: true });
  });

  const read = async () => {
    const { countries, networks, scores, before } = await readOverview(shop.service.service, worldId, '24h');
    return { countries, networks, scores: scores.filter(({ total }) => total > 0), before: before.countries };
  };
  /** Moves the clock until the end of the running test. */
  const passTime = (ms: number) => {
    shop.service.clock.advance(ms);
    onTestFinished(() => shop.service.clock.advance(-ms));
  };

  test('are the same before and after they are added to the hourly counts', async () => {
    const live = await read();
    expect(live.countries).toEqual([
      { label: 'DE', total: 3 },
      { label: 'JP', total: 1 },
    ]);
    expect(live.networks[0]).toEqual({ label: expect.stringMatching(/^64496( |$)/), total: 3 });
    expect(live.scores.reduce((sum, { total }) => sum + total, 0)).toBe(4);
    passTime(hourMs);
    await foldAllActivity(shop.service.service);
    await foldAllActivity(shop.service.service);
    expect(await read()).toEqual(live);
    passTime(dayMs);
    expect(await read()).toMatchObject({ countries: [], before: live.countries });
  });

  test('link each bar to the evaluations that it counts', async () => {
    const { html, text } = await shop.shown('/overview');
    expect(text).toMatch(/Countries Country Evaluations Share Before Germany 3 75% –/);
    const bars = [
      ...html.matchAll(/<a href="([^"]*)" class="measured">.*?<td role="cell" class="number"[^>]*>([\d,]+)<\/td>/gs),
    ];
    expect(bars.length).toBeGreaterThan(12);
    for (const [, href = '', count = ''] of bars) {
      const page = await shop.visitor.get(href.replaceAll('&amp;', '&'));
      const rows = new Set([...page.html.matchAll(/\/evaluations\/([0-9a-f-]{36})"/g)].map(([, id]) => id));
      expect([href, page.status, rows.size]).toEqual([href, 200, Number(count)]);
    }
  });

  test('add only the most frequent networks of an hour to its counts', async () => {
    passTime(3 * hourMs);
    const at = shop.service.clock.now();
    await sql`
      insert into evaluations select (jsonb_populate_record(e, jsonb_build_object(
        'id', gen_random_uuid(), 'created_at', ${at}::timestamptz, 'address', jsonb_build_object('asn', asn)))).*
      from evaluations e, (select asn from generate_series(1, 30) asn union all select generate_series(11, 30)) each_asn
      where e.world_id = ${worldId}
        and e.id = (select id from evaluations where world_id = ${worldId} and outcome = 'succeeded' limit 1)
    `.execute(shop.service.db);
    passTime(hourMs);
    await foldAllActivity(shop.service.service);
    const counts = await shop.service.db
      .selectFrom('activity_counts')
      .select(['label', 'count'])
      .where('kind', '=', 'network')
      .where('hour', '=', new Date(Math.floor(at.getTime() / hourMs) * hourMs))
      .execute();
    expect(counts.map(({ label, count }) => `${label} ${count}`).sort()).toEqual(
      Array.from({ length: 20 }, (_, index) => `${index + 11} 2`).sort(),
    );
  });
});
