import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { customerOf, laptop, phone } from '../support/customer.js';
import { type DashboardShop, openDashboardShop } from '../support/dashboard-shop.js';
import { describeDatabases } from '../support/databases.js';
import { writeMmdb } from '../support/mmdb.js';

const berlin = '81.2.69.142';
const tokyo = '126.0.0.7';
const place = (country: string, asn: number) => ({
  country: { iso_code: country },
  autonomous_system_number: asn,
  autonomous_system_organization: `Network ${country}`,
});

describeDatabases('searching evaluations', (kind) => {
  let folder: string;
  let shop: DashboardShop;
  /** IDs of evaluations: `quiet` was allowed in Berlin, `driven` was automated in Tokyo, and `failed` failed there. */
  let ids: Readonly<Record<'quiet' | 'driven' | 'failed', string>>;
  let facts: { readonly user: string; readonly device: string; readonly browser: string };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'whorl-search-'));
    const database = join(folder, 'places.mmdb');
    const vpn = join(folder, 'vpn.txt');
    const networks = [
      ['81.2.69.0/24', place('DE', 64496)],
      ['126.0.0.0/16', place('JP', 64497)],
    ] as const;
    await writeFile(database, writeMmdb(networks, { type: 'Test-City' }));
    await writeFile(vpn, `${tokyo}\n`);
    shop = await openDashboardShop(kind, {
      environment: { ADDRESS_DATABASES: database, ADDRESS_LISTS: `vpn=${vpn}` },
    });
    const { customer } = shop;
    const quiet = await customer.evaluate({
      action: 'signup',
      user: 'ada@example.com',
      fingerprint: laptop,
      ip: berlin,
    });
    const driven = await customer.evaluate({ action: 'login', user: '=bob', fingerprint: phone, ip: tokyo });
    const failed = await customer.evaluate({
      ...{ action: 'login', user: 'nobody', fingerprint: phone, ip: tokyo, outcome: 'failed' },
    });
    await customer.ask(`/v2/evaluations/${driven.evaluation_id}/feedback`, { label: 'fraud' });
    ids = { quiet: quiet.evaluation_id, driven: driven.evaluation_id, failed: failed.evaluation_id };
    facts = { user: quiet.user_id, device: quiet.device_id, browser: driven.fingerprint_id };
  });
  afterAll(async () => {
    await shop.close();
    await rm(folder, { recursive: true });
  });

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
      for (const query of [`ip=${tokyo}`, 'country=JP', 'asn=64497', 'address_kind=vpn']) {
        expect(html).toContain(`/evaluations?${query}"`);
      }
      expect((await shop.shown(`/devices/${facts.device}`)).html).toContain(`/evaluations?device_id=${facts.device}"`);
      expect((await shop.shown(`/users/${facts.user}`)).html).toContain(`/evaluations?user_id=${facts.user}"`);
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
});
