import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { customerOf, laptop, phone } from '../support/customer.js';
import { type DashboardShop, openDashboardShop } from '../support/dashboard-shop.js';
import { describeDatabases } from '../support/databases.js';
import { fingerprintOf } from '../support/fingerprints.js';
import { writeMmdb } from '../support/mmdb.js';
import { waitFor } from '../support/wait-for.js';

const evil = '<script>alert(1)</script>';
const berlin = {
  country: { iso_code: 'DE' },
  city: { names: { en: 'Berlin' } },
  autonomous_system_number: 3320,
  autonomous_system_organization: 'Deutsche Telekom AG',
};
const hosting = { country_code: 'US', autonomous_system_number: 24940, autonomous_system_organization: evil };

describeDatabases('pages of what evaluations have in common', (kind) => {
  let folder: string;
  let shop: DashboardShop;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'whorl-subjects-'));
    const database = join(folder, 'city.mmdb');
    const ranges = [
      ['81.2.69.0/24', berlin],
      ['2a02:2e0::/32', berlin],
      ['185.1.1.0/24', hosting],
    ] as const;
    await writeFile(
      database,
      writeMmdb(
        ranges.map(([range, facts]) => [range, facts]),
        { type: 'Test-City' },
      ),
    );
    shop = await openDashboardShop(kind, { environment: { ADDRESS_DATABASES: database } });
  });
  afterAll(async () => {
    await shop.close();
    await rm(folder, { recursive: true });
  });

  const evaluate = (user: string, ip: string, more: object = {}) =>
    shop.customer.evaluate({ action: 'signup', user, fingerprint: fingerprintOf({ seed: user }), ip, ...more });
  const page = (subject: string, value: string, query = '') =>
    shop.shown(`/subjects/${subject}?${new URLSearchParams({ value })}${query}`);
  /** Waits until the counts of the last day, which are stored in batches, are on the page. */
  const isCounted = (subject: string, value: string, words: string) =>
    waitFor(async () => (await page(subject, value)).text.includes(words), { what: words });

  test('say where an address is, who used it, and link to what they name', async () => {
    const { device_id } = await evaluate('ada', '81.2.69.142');
    await evaluate('bob', '81.2.69.142');
    await evaluate('bob', '81.2.69.142', { outcome: 'failed', action: 'login' });
    await evaluate('elsewhere', '81.2.69.143');
    await isCounted('address', '81.2.69.142', 'Last 24 hours 3 evaluations, 1 of them failed attempts, about 2 users');
    const { text, html } = await page('address', '81.2.69.142');
    expect(text).toContain('IP address 81.2.69.142');
    expect(text).toContain('City Berlin');
    expect(text).toContain('3 evaluations. Everything that is stored was searched.');
    expect(text).not.toContain('elsewhere');
    for (const link of [
      '/subjects/country?value=DE',
      '/subjects/asn?value=3320',
      `/users/${await shop.userIdOf('ada')}`,
      `/users/${await shop.userIdOf('bob')}/linked`,
      `/devices/${device_id}`,
      '/evaluations?ip=81.2.69.142',
      '/evaluations?ip=81.2.69.142&amp;verdict=allow',
    ]) {
      expect(html, link).toContain(`href="${shop.base}${link}"`);
    }
    expect((await shop.shown('/evaluations')).html).toContain(`${shop.base}/subjects/address?value=81.2.69.142"`);
  });

  test('count the addresses of an IPv6 /64 as one', async () => {
    await evaluate('cleo', '2a02:2e0:1::7');
    await evaluate('dora', '2a02:2e0:1::8');
    await evaluate('neighbour', '2a02:2e0:1:1::8');
    for (const value of ['2a02:2e0:1::8', '2a02:2e0:1::/64', ' 2A02:2E0:1:0::0009']) {
      const { text } = await page('address', value);
      expect(text).toContain('IP address 2a02:2e0:1::/64');
      expect(text).toContain('2 evaluations.');
      expect(text).toMatch(/dora .* cleo /);
      expect(text).not.toContain('neighbour');
    }
  });

  test('count a network and a country, and escape what the databases say', async () => {
    await evaluate('eve', '185.1.1.1', { fingerprint: laptop });
    await evaluate('finn', '185.1.1.2', { fingerprint: phone });
    const network = await page('asn', 'as24940');
    expect(network.text).toContain('Network AS24940');
    expect(network.text).toContain('Organisation &lt;script&gt;');
    expect(network.text).toMatch(/Users .*finn .*eve /);
    expect(network.html).not.toContain(evil);
    expect(network.html).toContain(`href="${shop.base}/subjects/country?value=US"`);
    const country = await page('country', 'us');
    expect(country.text).toContain('United States');
    expect(country.text).toContain('2 evaluations.');
    expect(country.html).toContain(`href="${shop.base}/subjects/asn?value=24940"`);
    expect(country.html).not.toContain(evil);
    expect((await page('country', 'NZ')).text).toContain('No users among the evaluations that were counted.');
  });

  test('find the users of an email domain by their sealed addresses, without showing one', async () => {
    const addresses = { gina: 'gina@Corp.example', hugo: 'hugo@eu.corp.example', ivan: 'ivan@notcorp.example' };
    for (const [user, email] of Object.entries(addresses)) await evaluate(user, '203.0.113.50', { email });
    await isCounted('email_domain', 'corp.example', 'Last 24 hours 1 evaluation, 0 of them failed attempts');
    const { text, html } = await page('email_domain', '@corp.example');
    expect(text).toContain('Email domain corp.example');
    expect(text).toContain('2 evaluations.');
    expect(text).toContain('Disposable not on the list of disposable domains');
    expect(text).toMatch(/Users .*hugo .*gina /);
    expect(text).not.toContain('ivan');
    expect(html).not.toMatch(/(gina|hugo)@/i);
    expect((await page('email_domain', 'mailinator.com')).text).toContain('Disposable yes: mailinator.com');
  });

  test('show the entries of lists that apply, and add and end them', async () => {
    await evaluate('jane', '192.0.2.77');
    await shop.post('/lists', { kind: 'address', value: '192.0.2.0/24', effect: 'review', note: 'the whole range' });
    const path = '/subjects/address?value=192.0.2.77';
    expect((await shop.shown(path)).text).toMatch(/192\.0\.2\.0\/24 review the whole range/);
    const back = { back_kind: 'address', back_value: '192.0.2.77' };
    const added = await shop.post('/lists', { kind: 'address', value: '192.0.2.77', effect: 'block', ...back });
    expect([added.status, added.headers.get('Location')]).toEqual([303, shop.base + path]);
    expect((await evaluate('jane', '192.0.2.77')).verdict).toBe('deny');
    const { html } = await shop.shown(path);
    const [, id = ''] = /\/lists\/([0-9a-f-]{36})\/end"/.exec(html) ?? [];
    const ended = await shop.post(`/lists/${id}/end`, back);
    expect(ended.headers.get('Location')).toBe(shop.base + path);
    expect((await evaluate('jane', '192.0.2.77')).verdict).not.toBe('deny');
    const elsewhere = await shop.post('/lists', {
      kind: 'country',
      value: 'KP',
      effect: 'block',
      back_kind: 'https://evil.example',
      back_value: '//evil.example',
    });
    expect(elsewhere.headers.get('Location')).toBe(`${shop.base}/lists`);
    await shop.post('/lists', { kind: 'email_domain', value: 'evil.example', effect: 'block' });
    expect((await page('email_domain', 'mail.evil.example')).text).toContain('evil.example block');
  });

  test('count a limited number of evaluations at a time, and say how far back', async () => {
    const project = await shop.service.newProject();
    const customer = customerOf(shop.service, project);
    await customer.evaluate({ action: 'signup', user: 'first', fingerprint: laptop, ip: '185.1.1.9' });
    await sql`
      insert into evaluations (id, world_id, external_user, identity_id, variant_id, action, verdict, reasons, findings,
        request, confidence, matched_by, changed, accepted, claimed, created_at)
      select gen_random_uuid(), world_id, 'many', identity_id, variant_id, 'often', 'deny', '[]', '[]', request, 1,
        'exact', '[]', false, false, created_at + interval '1 millisecond' * ((n + 1) / 2)
      from evaluations, generate_series(1, 5100) n where ip = '185.1.1.9'
    `.execute(shop.service.db);
    const { visitor } = shop;
    const base = `/dashboard/${project.project.id}/live/subjects`;
    const first = await visitor.get(`${base}/address?value=185.1.1.9`);
    expect(first.text).toContain('0 evaluations, searched back to');
    // Found by an index, however old.
    expect(first.text).toMatch(/Users .*first /);
    const next = /href="([^"]+)" rel="next">Search older/.exec(first.html)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const second = await visitor.get(next);
    expect(second.text).toContain('1 evaluation. Everything that is stored was searched, from there backwards.');
    expect(second.html).toContain(`href="${base}/address?value=185.1.1.9">Newest</a>`);
    expect((await visitor.get(`${base}/email_domain?value=example.com`)).text).toContain('at most 2,000 evaluations');
  });

  test('count the verdicts of all evaluations that were searched, also from before the chart', async () => {
    const { evaluation_id: id } = await evaluate('old', '185.1.1.30');
    await sql`
      insert into evaluations select (jsonb_populate_record(e, jsonb_build_object('id', gen_random_uuid(), 'verdict', 'deny',
        'created_at', created_at - interval '100 days'))).* from evaluations e where id = ${id}
    `.execute(shop.service.db);
    const { text } = await page('address', '185.1.1.30');
    expect(text).toMatch(/2 evaluations\. Everything.* Verdict Evaluations Allow 1 Deny 1 /i);
  });

  test('name what is wrong with a value, and show nothing for an unknown kind', async () => {
    const wrong = [
      ['address', '198.51.100.0/24'],
      ['address', '2001:db8::/48'],
      ['address', evil],
      ['asn', '4294967296'],
      ['country', 'XX1'],
      ['hardware', 'none'],
      ['email_domain', 'ann@example.com'],
      ['email_domain', 'x'.repeat(5000)],
    ] as const;
    for (const [subject, value] of wrong) {
      const { status, text } = await shop.open(`/subjects/${subject}?${new URLSearchParams({ value })}`);
      expect([subject, value, status]).toEqual([subject, value, 400]);
      expect(text).toContain('The value must be');
    }
    expect((await shop.open('/subjects/country')).status).toBe(400);
    for (const unknown of ['user', 'device', 'constructor']) {
      expect((await shop.open(`/subjects/${unknown}?value=x`)).status).toBe(404);
    }
  });

  describe('of a project with hardware_id', () => {
    test('list the devices of all users with the same hardware, and nothing of another project', async () => {
      const project = await shop.service.newProject({ hardware_id: true });
      const customer = customerOf(shop.service, project);
      const login = (user: string) =>
        customer.evaluate({ action: 'signup', user, fingerprint: laptop, ip: '81.2.69.9' });
      const { hardware_id: id, evaluation_id } = await login('kim');
      await login('lea');
      const { visitor } = shop;
      const base = `/dashboard/${project.project.id}/live`;
      const { text, html } = await visitor.get(`${base}/subjects/hardware?value=${id}`);
      expect(text).toContain('2 evaluations.');
      expect(text).toMatch(/Devices .*lea .*kim /);
      expect(html).toContain(`href="${base}/subjects/address?value=81.2.69.9"`);
      expect((await visitor.get(`${base}/evaluations/${evaluation_id}`)).html).toContain(
        `href="${base}/subjects/hardware?value=${id}"`,
      );
      const foreign = [
        await page('hardware', id),
        await page('address', '81.2.69.9'),
        await page('asn', '3320'),
        await page('country', 'DE'),
      ];
      for (const { text: shown } of foreign) expect(shown).not.toMatch(/\b(kim|lea)\b/);
    });
  });
});
