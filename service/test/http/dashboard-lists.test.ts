import { afterAll, beforeAll, expect, test } from 'vitest';
import { memberAt } from '../support/admin.js';
import { home, laptop } from '../support/customer.js';
import { type DashboardShop, openDashboardShop } from '../support/dashboard-shop.js';
import { describeDatabases } from '../support/databases.js';
import { formsOf } from '../support/forms.js';

describeDatabases('the lists of the dashboard', (kind) => {
  let shop: DashboardShop;
  beforeAll(async () => {
    shop = await openDashboardShop(kind);
  });
  afterAll(() => shop.close());

  const endOf = async (value: string) => {
    const { html } = await shop.shown(`/lists?value=${encodeURIComponent(value)}`);
    return /\/lists\/([\da-f-]{36})\/end/.exec(html)?.[1] ?? '';
  };

  test('add, filter and end entries, and keep them in the history', async () => {
    const note = '<script>alert(1)</script>';
    const added = await shop.post('/lists', { kind: 'address', value: '203.0.113.9/24', effect: 'block', note });
    expect(added.status).toBe(303);
    const page = await shop.shown('/lists?kind=address&effect=block');
    expect(page.text).toMatch(
      /The entry for 203\.0\.113\.0\/24 was added\..*203\.0\.113\.0\/24.*block.*ines@example\.com/,
    );
    expect(page.html).not.toContain(note);
    expect((await shop.shown('/lists?kind=user')).text).toContain('No entries found.');
    const denied = { action: 'login', user: 'ada', fingerprint: laptop, ip: '203.0.113.77' };
    expect((await shop.customer.evaluate(denied)).verdict).toBe('deny');
    await shop.post(`/lists/${await endOf('203.0.113.0/24')}/end`);
    expect((await shop.shown('/lists')).text).toContain('The entry for 203.0.113.0/24 has ended.');
    expect((await shop.shown('/lists')).text).toContain('No entries found.');
    const history = await shop.shown('/lists?history=on');
    expect(history.text).toMatch(/203\.0\.113\.0\/24.*ended .* by ines@example\.com/);
    expect((await shop.customer.evaluate(denied)).verdict).not.toBe('deny');
  });

  test('say what they hold now, with the ID of a user as it is', async () => {
    await shop.customer.ask('/v2/user/%20spaced%20/update');
    for (const [entered, held] of [
      [' spaced ', ' spaced '],
      [' unknown ', 'unknown'],
    ] as const) {
      const post = () => shop.post('/lists', { kind: 'user', value: entered, effect: 'review' });
      await post();
      expect((await shop.shown('/lists')).html).toContain(`The entry for ${held} was added.`);
      await post();
      expect((await shop.shown('/lists')).html).toContain(`The lists hold this entry for ${held} already.`);
      const form = formsOf((await shop.shown('/lists?kind=user')).html).find(({ action }) => action.endsWith('/end'));
      await shop.visitor.post(form?.action ?? '', form?.fields);
    }
  });

  test('stay at the filter and the page whose entry was ended, and at the last page', async () => {
    const csv = `kind,value,effect\n${Array.from({ length: 51 }, (_, index) => `asn,${64500 + index},review`).join('\n')}`;
    await shop.post('/lists/import', { csv });
    const last = await shop.shown('/lists?kind=asn&page=2');
    const end = formsOf(last.html).find(({ action }) => action.endsWith('/end'));
    const { headers } = await shop.visitor.post(end?.action ?? '', end?.fields);
    expect(headers.get('Location')).toBe(`${shop.base}/lists?page=2&kind=asn`);
    const after = await shop.shown('/lists?page=2&kind=asn');
    expect(after.text).toMatch(/ has ended\. .* 50 entries, at/);
    expect(after.html.match(/\/end"/g)).toHaveLength(50);
    for (const { action, fields } of formsOf(after.html).filter(({ action }) => action.endsWith('/end')))
      await shop.visitor.post(action, fields);
  });

  test('show what is wrong next to the value that was entered', async () => {
    const refused = await shop.post('/lists', { kind: 'country', value: 'Germany', effect: 'review', note: 'kept' });
    expect(refused.status).toBe(422);
    expect(refused.html).toContain('The value must be a country code such as DE (ISO 3166-1 alpha-2).');
    expect(refused.html).toMatch(/value="Germany"/);
    const past = { kind: 'country', value: 'DE', effect: 'review', expires_at: '2020-01-01' };
    expect((await shop.post('/lists', past)).html).toContain('The expiry must be in the future.');
  });

  test('import and export comma-separated values, all or nothing', async () => {
    const header = 'kind,value,effect,note,expires_at';
    const wrong = await shop.post('/lists/import', { csv: `${header}\nuser,eve,block,,\nasn,x,block,,\n` });
    expect(wrong.status).toBe(422);
    expect(wrong.html).toContain('Line 3: value must be the number of an autonomous system, such as 64496');
    expect((await shop.shown('/lists?kind=user')).text).toContain('No entries found.');
    for (const expiry of ['+200000-01-01T00:00:00Z', '10000-01-01', '31 January 2999', '2999-02-30']) {
      const refused = await shop.post('/lists/import', { csv: `${header}\nuser,eve,block,,${expiry}\n` });
      expect(refused.status, expiry).toBe(422);
      expect(refused.html).toContain('Line 2: expires_at must be a date (2026-01-31) or a timestamp with a time zone');
    }
    await shop.post('/lists/import', { csv: `${header}\nuser,=eve,block,,\nasn,AS64496,review,"a, b",\n` });
    expect((await shop.shown('/lists')).text).toContain('2 entries were read: 2 added, 0 unchanged.');
    const file = await shop.post('/lists/export');
    expect(file.headers.get('Content-Type')).toBe('text/csv; charset=utf-8');
    expect(file.html).toBe(`${header}\nasn,64496,review,"a, b",\nuser,'=eve,block,,\n`);
  });

  test('contain what an evaluation blocked', async () => {
    const { evaluation_id } = await shop.customer.evaluate({
      action: 'login',
      user: 'bad',
      fingerprint: laptop,
      ip: home,
    });
    await shop.post(`/evaluations/${evaluation_id}/block-address`);
    expect((await shop.shown('/lists?kind=address')).text).toContain(home);
    await shop.post(`/lists/${await endOf(home)}/end`);
  });

  test('are changed by analysts, and only read by viewers', async () => {
    const as = async (role: 'analyst' | 'viewer') => {
      const email = `${role}-lists@example.com`;
      const projectId = shop.project.project.id;
      const visitor = await memberAt(shop.app.url, shop.service.service, { email, role, projectId });
      const page = await visitor.get(`${shop.base}/lists`);
      const csrf = visitor.fields().get('csrf') ?? '';
      const fields = { csrf, kind: 'user', value: `listed by ${role}`, effect: 'allow' };
      const exported = await visitor.post(`${shop.base}/lists/export`, { csrf });
      return { page, added: await visitor.post(`${shop.base}/lists`, fields), exported };
    };
    const [analyst, viewer] = [await as('analyst'), await as('viewer')];
    expect([analyst.page.status, analyst.added.status, analyst.exported.status]).toEqual([200, 303, 200]);
    expect(analyst.page.text).toContain('Add an entry');
    expect([viewer.page.status, viewer.added.status, viewer.exported.status]).toEqual([200, 403, 403]);
    expect((await shop.shown('/audit?kind=list_entries_exported')).text).toContain('analyst-lists@example.com');
    expect(viewer.page.text).not.toContain('Add an entry');
    expect(viewer.page.text).not.toContain('Download');
    expect((await shop.shown('/lists')).text).toMatch(/listed by analyst.*by analyst-lists@example\.com/);
  });

  test('of another project cannot be changed', async () => {
    const other = await shop.service.newProject();
    await shop.service.list(other, ['block', 'user', 'theirs']);
    const row = await shop.service.db
      .selectFrom('list_entries')
      .select('id')
      .where('value', '=', 'theirs')
      .executeTakeFirst();
    expect((await shop.post(`/lists/${row?.id}/end`)).status).toBe(404);
    expect((await shop.post('/lists/nonsense/end')).status).toBe(404);
  });
});
