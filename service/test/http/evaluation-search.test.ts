import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Whorl } from 'whorl/server';
import { changeSettings } from '../../src/testing.js';
import { customerOf, laptop, phone } from '../support/customer.js';
import { type DashboardShop, openDashboardShop } from '../support/dashboard-shop.js';
import { describeDatabases } from '../support/databases.js';
import { berlin, tokyo, writePlaces } from '../support/two-places.js';

describeDatabases('searching evaluations', (kind) => {
  let folder: string;
  let shop: DashboardShop;
  /** IDs of evaluations: `quiet` was allowed in Berlin, `driven` was automated in Tokyo, and `failed` failed there. */
  let ids: Readonly<Record<'quiet' | 'driven' | 'failed', string>>;
  let facts: { readonly user: string; readonly device: string; readonly browser: string };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'whorl-search-'));
    const database = await writePlaces(folder);
    const vpn = join(folder, 'vpn.txt');
    await writeFile(vpn, `${tokyo}\n`);
    shop = await openDashboardShop(kind, {
      environment: { ADDRESS_DATABASES: database, ADDRESS_LISTS: `vpn=${vpn}` },
    });
    const { customer } = shop;
    const rules = [
      { name: 'Tags', when: 'user.id == "=bob"', effect: 'tag', tag: 'odd-hours' },
      { name: 'Watched', when: 'user.id == "=bob"', effect: 'deny', state: 'shadow' },
      { name: 'Broken', when: 'metadata.amount > 5', effect: 'deny' },
    ];
    await changeSettings(shop.service.service, {
      project: shop.project.project.id,
      changes: { rules },
      changedBy: 'test',
    });
    const quiet = await customer.evaluate({
      action: 'signup',
      user: 'ada@example.com',
      fingerprint: laptop,
      ip: berlin,
    });
    const metadata = { amount: 'many' };
    const driven = await customer.evaluate({ action: 'login', user: '=bob', fingerprint: phone, ip: tokyo, metadata });
    const failed = await customer.evaluate({
      action: 'login',
      user: 'nobody',
      fingerprint: phone,
      ip: tokyo,
      outcome: 'failed',
    });
    await customer.ask(`/v2/evaluations/${driven.evaluation_id}/feedback`, { label: 'fraud' });
    ids = { quiet: quiet.evaluation_id, driven: driven.evaluation_id, failed: failed.evaluation_id };
    facts = { user: quiet.user_id, device: quiet.device_id, browser: driven.fingerprint_id };
  });
  afterAll(async () => {
    await shop.close();
    await rm(folder, { recursive: true });
  });

  /** Adds newer evaluations of the same world, with the action `login`. */
  const copyEvaluation = (id: string, count: number) =>
    sql`
      insert into evaluations (id, world_id, external_user, identity_id, variant_id, action, verdict, reasons, findings,
        request, confidence, matched_by, changed, accepted, claimed, created_at)
      select gen_random_uuid(), world_id, 'later', identity_id, variant_id, 'login', verdict, reasons, findings,
        request, confidence, matched_by, changed, false, false, created_at + n * interval '1 second'
      from evaluations, generate_series(1, ${count}::int) n where id = ${id}
    `.execute(shop.service.db);

  /** Each filter, with the names of the evaluations that match. */
  const cases = (): readonly (readonly [Record<string, string>, readonly (keyof typeof ids)[]])[] => [
    [{}, ['failed', 'driven', 'quiet']],
    [{ verdict: 'allow', action: 'signup' }, ['quiet']],
    [{ reason: 'new_device', label: 'fraud' }, ['driven']],
    [{ outcome: 'failed' }, ['failed']],
    [{ user_id: facts.user }, ['quiet']],
    [{ user_id: facts.user, device_id: facts.device }, ['quiet']],
    [{ device_id: facts.device, action: 'login' }, []],
    [{ fingerprint_id: facts.browser }, ['failed', 'driven']],
    [{ ip: tokyo, outcome: 'succeeded' }, ['driven']],
    [{ ip: '126.0.0.0/16' }, ['failed', 'driven']],
    [{ ip: '2001:db8::/32' }, []],
    [{ country: 'de' }, ['quiet']],
    [{ asn: 'AS64497', address_kind: 'vpn' }, ['failed', 'driven']],
    [{ min_score: '100' }, []],
    [{ min_score: '0' }, ['driven', 'quiet']],
    [{ label: 'none' }, ['failed', 'quiet']],
    [{ challenge: 'pending' }, ['driven']],
    [{ challenge: 'none' }, ['failed', 'quiet']],
    [{ challenge: 'completed' }, []],
    [{ matched_by: 'exact' }, ['failed']],
    [{ rule: 'Large payout' }, []],
    [{ rule: 'Tags' }, ['driven']],
    [{ rule: 'Watched' }, ['driven']],
    [{ rule: 'Watched', verdict: 'allow' }, []],
    [{ rule: 'Watch' }, []],
    [{ rule: 'Broken' }, []],
    [{ tag: 'odd-hours' }, ['driven']],
    [{ tag: 'odd-hours', verdict: 'allow' }, []],
    [{ tag: 'odd' }, []],
    [{ start_date: '2090-01-01' }, []],
    [{ end_date: '2020-01-01' }, []],
  ];

  describe('on the dashboard', () => {
    const listed = async (query: Record<string, string>) => {
      const { html } = await shop.shown(`/evaluations?${new URLSearchParams(query)}`);
      return [...html.matchAll(/\/evaluations\/([0-9a-f-]{36})"/g)].map(([, id]) => id);
    };

    test('finds what matches all filters, newest first', async () => {
      for (const [query, names] of cases()) {
        expect(await listed(query), JSON.stringify(query)).toEqual(names.map((name) => ids[name]));
      }
    });

    test('names filters that are not valid, and lists nothing', async () => {
      const page = await shop.open('/evaluations?verdict=maybe&ip=300.1.1.1&country=DE');
      expect(page.status).toBe(422);
      expect(page.text).toContain('It must be one of: allow, challenge, restrict, challenge_and_restrict, deny.');
      expect(page.text).toContain('It must be an address or a range such as 198.51.100.0/24.');
      expect(page.text).toContain('A filter is not valid, so nothing is listed.');
      expect(page.html).not.toContain(ids.quiet);
      const order = await shop.open('/evaluations?start_date=2026-02-01&end_date=2026-01-01');
      expect(order.status).toBe(422);
      expect(order.text).toContain('must not be before start_date');
    });

    test('keeps your identifier of a user out of the URL', async () => {
      const found = await shop.post('/evaluations/filter', { user: 'ada@example.com', verdict: 'allow', country: '' });
      expect(found.status).toBe(303);
      const location = found.headers.get('Location') ?? '';
      expect(location).toMatch(new RegExp(`/evaluations\\?verdict=allow&user_id=${facts.user}$`));
      const unknown = await shop.post('/evaluations/filter', { user: 'nobody' });
      expect(unknown.status).toBe(422);
      expect(unknown.text).toContain('It must be that of a known user.');
      expect((await shop.post('/evaluations/filter', { csrf: 'AAAA' })).status).toBe(403);
    });

    test('links addresses, countries and networks to their evaluations', async () => {
      const { html } = await shop.shown(`/evaluations/${ids.driven}`);
      for (const subject of [`address?value=${tokyo}`, 'country?value=JP', 'asn?value=64497']) {
        expect(html).toContain(`/subjects/${subject}"`);
        const page = await shop.shown(`/subjects/${subject}`);
        const [kind = '', value = ''] = subject.split('?value=');
        expect(page.html).toContain(`/evaluations?${kind === 'address' ? 'ip' : kind}=${value}"`);
      }
      expect(html).toContain('/evaluations?address_kind=vpn"');
      expect((await shop.shown(`/devices/${facts.device}`)).html).toContain(`/evaluations?device_id=${facts.device}"`);
      expect((await shop.shown(`/users/${facts.user}`)).html).toContain(`/evaluations?user_id=${facts.user}"`);
    });

    test('shows tags in the list and on the page of an evaluation, with a link to all that have them', async () => {
      for (const path of ['/evaluations', `/evaluations/${ids.driven}`]) {
        expect((await shop.shown(path)).html).toMatch(/\/evaluations\?tag=odd-hours">odd-hours<\/a>/);
      }
      expect((await shop.shown(`/evaluations/${ids.quiet}`)).html).not.toContain('odd-hours');
    });

    test('says that a rule matched in shadow, in the list, where a device is, and on its own page', async () => {
      const { html } = await shop.shown('/evaluations?rule=Watched');
      expect(html).toMatch(/in shadow: <a href="[^"]+\/evaluations\?rule=Watched">Watched<\/a>/);
      expect((await shop.shown(`/subjects/address?value=${tokyo}`)).text).toContain('in shadow: Watched');
      expect((await shop.shown('/evaluations?action=signup')).text).not.toContain('in shadow');
      const { text } = await shop.shown(`/evaluations/${ids.driven}`);
      expect(text).toContain('Rule “ Watched ” matched, in shadow: it did not count. Its effect: deny');
      expect(text).toContain('Rule “ Broken ” did not count: its condition could not be evaluated.');
    });

    test('finds nothing of another project', async () => {
      const stranger = customerOf(shop.service, await shop.service.newProject());
      const theirs = await stranger.challenge('zoe');
      for (const [name, id] of [
        ['device_id', theirs.device_id],
        ['user_id', theirs.user_id],
        ['fingerprint_id', theirs.fingerprint_id],
      ]) {
        expect(await listed({ [name]: id })).toEqual([]);
      }
    });
  });

  describe('in exports', () => {
    test('are CSV that a spreadsheet does not run, or JSON lines', async () => {
      const csv = await shop.post('/evaluations/export', { format: 'csv', country: 'jp', label: 'fraud' });
      expect(csv.headers.get('Content-Disposition')).toMatch(/^attachment; filename="evaluations-[\d-]{10}\.csv"$/);
      const [header = '', line = '', ...others] = csv.html.trimEnd().split('\n');
      expect(others).toEqual([]);
      expect(header).toMatch(/^evaluation_id,createdAt,user,/);
      expect(line.split(',')).toEqual(
        expect.arrayContaining([ids.driven, "'=bob", 'login', tokyo, 'JP', '64497', 'vpn', 'fraud', 'odd-hours']),
      );
      const json = await shop.post('/evaluations/export', { format: 'jsonl', ip: tokyo });
      const rows = json.html
        .trimEnd()
        .split('\n')
        .map((text) => JSON.parse(text));
      expect(rows.map(({ evaluation_id }) => evaluation_id)).toEqual([ids.failed, ids.driven]);
      expect(rows[1]).toMatchObject({
        user: '=bob',
        verdict: 'challenge',
        country: 'JP',
        asn: 64497,
        tags: ['odd-hours'],
        shadow_rules: ['Watched'],
      });
      expect(rows[0]).not.toHaveProperty('user');
    });

    test('are recorded, without the address or the user', async () => {
      const filter = { ip: '203.0.113.77', user: 'ada@example.com', verdict: 'allow' };
      expect((await shop.post('/evaluations/export', { format: 'csv', ...filter })).status).toBe(200);
      const { text } = await shop.shown('/audit?kind=evaluations_exported');
      expect(text).toContain('verdict: allow, user: …, ip: …');
      expect(text).not.toMatch(/203\.0\.113\.77|ada@example/);
    });

    test('are refused for a filter or a format that is not valid', async () => {
      expect((await shop.post('/evaluations/export', { format: 'csv', ip: 'x' })).status).toBe(422);
      expect((await shop.post('/evaluations/export', { format: 'xml' })).status).toBe(400);
      expect((await shop.post('/evaluations/export', { format: 'csv', csrf: 'AAAA' })).status).toBe(403);
    });

    test('contain every evaluation once', async () => {
      const project = await shop.service.newProject();
      const { evaluation_id } = await customerOf(shop.service, project).evaluate({
        action: 'signup',
        user: 'first',
        fingerprint: laptop,
      });
      await copyEvaluation(evaluation_id, 2500);
      const path = `/dashboard/${project.project.id}/live/evaluations`;
      await shop.visitor.get(path);
      const all = (await shop.visitor.post(`${path}/export`, { format: 'jsonl' })).html.trimEnd().split('\n');
      expect(new Set(all.map((text) => JSON.parse(text).evaluation_id)).size).toBe(2501);
      expect(all).toHaveLength(2501);
      await shop.visitor.get(path);
      const some = await shop.visitor.post(`${path}/export`, { format: 'jsonl', action: 'signup' });
      expect(JSON.parse(some.html).evaluation_id).toBe(evaluation_id);
    });
  });

  describe('over the API', () => {
    const get = (query: Record<string, string> | string) =>
      shop.customer.get(`/v2/evaluations?${new URLSearchParams(query)}`);
    const idsOf = (body: { data: { evaluation_id: string }[] }) => body.data.map((each) => each.evaluation_id);

    test('returns what matches all filters, newest first, as when it is retrieved', async () => {
      for (const [query, names] of cases()) {
        const { status, body } = await get(query);
        expect(status, JSON.stringify(query)).toBe(200);
        expect(idsOf(body), JSON.stringify(query)).toEqual(names.map((name) => ids[name]));
        expect(body).not.toHaveProperty('next_cursor');
      }
      const { body } = await get({ label: 'fraud' });
      expect(body.data[0]).toEqual((await shop.customer.get(`/v2/evaluations/${ids.driven}`)).body);
    });

    test('finds the failed attempts of a name that no user has', async () => {
      expect(idsOf((await get({ user: 'nobody' })).body)).toEqual([ids.failed]);
      expect(idsOf((await get({ user: 'ada@example.com' })).body)).toEqual([ids.quiet]);
      expect(idsOf((await get({ user: 'nobody else' })).body)).toEqual([]);
      expect(idsOf((await get({ user: '=bob', user_id: facts.user })).body)).toEqual([]);
    });

    test('continues at a cursor, in the server client as well', async () => {
      const first = (await get({ limit: '2' })).body;
      expect(idsOf(first)).toEqual([ids.failed, ids.driven]);
      const second = (await get({ limit: '2', cursor: first.next_cursor })).body;
      expect(idsOf(second)).toEqual([ids.quiet]);
      expect(second).not.toHaveProperty('next_cursor');
      const whorl = new Whorl({ apiSecret: shop.project.keys.live.secret, baseUrl: shop.service.url });
      const all: string[] = [];
      for await (const { evaluation_id } of whorl.evaluations.list({ limit: 1 })) all.push(evaluation_id);
      expect(all).toEqual([ids.failed, ids.driven, ids.quiet]);
      expect(idsOf(await whorl.evaluations.list({ country: 'JP', label: 'fraud' }))).toEqual([ids.driven]);
    });

    test('names each parameter that is not valid', async () => {
      const wrong = {
        ...{
          verdict: 'maybe',
          ip: '1.2.3',
          asn: 'x',
          country: 'Germany',
          min_score: '101',
          user_id: 'x',
          limit: '101',
        },
        ...{
          label: 'unknown',
          cursor: 'x',
          user: 'x'.repeat(257),
          start_date: 'now',
          address_kind: 'office',
          tag: '=A1',
        },
      };
      const { status, body } = await get(wrong);
      expect(status).toBe(400);
      expect(body.code).toBe('invalid_request');
      const paths = body.errors.map(({ path }: { path: string }) => path);
      expect(paths.sort()).toEqual(Object.keys(wrong).sort());
      expect((await get({ start_date: '2026-02-01', end_date: '2026-01-01' })).body.errors).toEqual([
        { path: 'end_date', message: 'must not be before start_date' },
      ]);
    });

    test('returns nothing of another project, whatever the filter or the cursor', async () => {
      const stranger = customerOf(shop.service, await shop.service.newProject());
      const { next_cursor: cursor } = (await get({ limit: '1' })).body;
      for (const query of [{}, { cursor }, ...cases().map(([each]) => each), { user: '=bob' }]) {
        const answer = await stranger.get(`/v2/evaluations?${new URLSearchParams(query)}`);
        expect(answer.body, JSON.stringify(query)).toEqual({ data: [] });
      }
      const test = customerOf(shop.service, shop.project, 'test');
      expect((await test.get('/v2/evaluations')).body).toEqual({ data: [] });
    });

    test('stops a search that finds little, and continues where it stopped', async () => {
      const project = await shop.service.newProject();
      const customer = customerOf(shop.service, project);
      const { evaluation_id } = await customer.evaluate({ action: 'signup', user: 'first', fingerprint: laptop });
      await copyEvaluation(evaluation_id, 5001);
      const first = (await customer.get('/v2/evaluations?action=signup')).body;
      expect(first.data).toEqual([]);
      const second = (await customer.get(`/v2/evaluations?action=signup&cursor=${first.next_cursor}`)).body;
      expect(idsOf(second)).toEqual([evaluation_id]);
    });
  });
});
