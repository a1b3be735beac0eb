import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { customerOf, laptop } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { formsOf } from '../support/forms.js';
import { openSearchedEvaluations, type SearchedEvaluations } from '../support/searched-evaluations.js';
import { tokyo } from '../support/two-places.js';

describeDatabases('searching evaluations', (kind) => {
  let shop: SearchedEvaluations['shop'];
  let ids: SearchedEvaluations['ids'];
  let facts: SearchedEvaluations['facts'];
  let cases: SearchedEvaluations['cases'];
  let copyEvaluation: SearchedEvaluations['copyEvaluation'];
  beforeAll(async () => {
    ({ shop, ids, facts, cases, copyEvaluation } = await openSearchedEvaluations(kind));
  });
  afterAll(() => shop.close());

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

    test('keeps the time of day of a period, which the fields do not show, until another date is chosen', async () => {
      const period = { start_date: '2026-01-01T06:30:00.000Z', end_date: '2089-12-31T23:00:00+02:00' };
      const { html, text } = await shop.shown(`/evaluations?${new URLSearchParams(period)}`);
      expect(text).toMatch(/Created from: 1 Jan 2026, 06:30 UTC .*Created to: 31 Dec 2089, 21:00 UTC/);
      const form = formsOf(html).find(({ action }) => action.endsWith('/evaluations/filter'));
      /** Returns the filters after the form was sent with other values in its visible fields. */
      const filtered = async (changes: Readonly<Record<string, string>>) => {
        const names = [...(form?.fields.keys() ?? [])];
        const pairs = [...(form?.fields ?? [])].map(
          ([name, value], at) => [name, names.indexOf(name) === at ? (changes[name] ?? value) : value] as const,
        );
        const { headers } = await shop.visitor.post(form?.action ?? '', pairs);
        return Object.fromEntries(new URL(headers.get('Location') ?? '', shop.app.url).searchParams);
      };
      expect(await filtered({ verdict: 'allow' })).toEqual({ verdict: 'allow', ...period });
      expect(await filtered({ start_date: '2026-01-02', end_date: '' })).toEqual({ start_date: '2026-01-02' });
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
});
