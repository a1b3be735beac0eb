import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { memberAt } from '../support/admin.js';
import { home, laptop } from '../support/customer.js';
import { type DashboardShop, openDashboardShop } from '../support/dashboard-shop.js';
import { describeDatabases } from '../support/databases.js';

describeDatabases('the views of the dashboard', (kind) => {
  let shop: DashboardShop;
  beforeAll(async () => {
    shop = await openDashboardShop(kind);
  });
  afterAll(() => shop.close());
  beforeEach(async () => {
    await shop.service.db.deleteFrom('saved_views').execute();
  });

  const save = (fields: Record<string, string>) => shop.post('/views', fields);
  const denied = { list: 'evaluations', name: 'Denied in Germany', filter: 'verdict=deny&country=DE' };
  const idOf = async (name: string) => {
    const query = shop.service.db.selectFrom('saved_views').select('id').where('name', '=', name);
    return (await query.executeTakeFirst())?.id ?? '';
  };
  const namesIn = (html: string) => {
    const [, views = ''] = /<nav class="tabs" aria-label="Views">(.*?)<\/nav>/s.exec(html) ?? [];
    return [...views.matchAll(/<a[^>]*>([^<]*)<\/a>/g)].map(([, name]) => name);
  };
  const auditOf = async () => {
    const rows = await shop.service.db.selectFrom('audit_log').selectAll().orderBy('id').execute();
    return rows.filter((row) => row.kind.startsWith('view_'));
  };

  test('show their rows, replace each other by name, are renamed and removed, each with an audit entry', async () => {
    expect((await shop.shown('/evaluations')).html).not.toContain('aria-label="Views"');
    expect((await shop.shown('/evaluations?verdict=deny')).html).toContain('Save as a view');
    const saved = await save(denied);
    const address = `${shop.base}/evaluations?verdict=deny&country=DE`;
    expect([saved.status, saved.headers.get('Location')]).toEqual([303, address]);
    const page = await shop.visitor.get(address);
    expect(page.text).toContain('The view was saved.');
    expect(page.html).toMatch(/<a href="[^"]*country=DE&amp;verdict=deny" aria-current="true">Denied in Germany<\/a>/);
    expect(page.html).not.toContain('Save as a view');
    expect(namesIn((await shop.shown('/evaluations')).html)).toEqual(['All', 'Denied in Germany', 'Manage views']);
    expect((await shop.shown('/users')).html).not.toContain('aria-label="Views"');

    const id = await idOf(denied.name);
    const other = await save({ ...denied, filter: 'verdict=restrict', replace: 'on' });
    expect([other.status, await idOf(denied.name)]).toEqual([303, id]);
    expect((await shop.shown('/views')).text).toMatch(/Denied in Germany\s+Verdict: restrict\s.*by ines@example\.com/s);
    expect((await shop.post(`/views/${id}/rename`, { list: 'evaluations', name: ' Restricted ' })).status).toBe(303);
    expect(namesIn((await shop.shown('/evaluations')).html)).toEqual(['All', 'Restricted', 'Manage views']);
    expect((await shop.post(`/views/${id}/remove`)).status).toBe(303);
    expect((await shop.shown('/views?list=evaluations')).text).toContain('No views.');

    const entries = await auditOf();
    expect(entries.map((entry) => [entry.kind, entry.details])).toEqual([
      ['view_saved', { list: 'evaluations', filter: 'verdict=deny country=DE' }],
      ['view_replaced', { list: 'evaluations', filter: 'verdict=restrict' }],
      ['view_renamed', { list: 'evaluations', filter: 'verdict=restrict' }],
      ['view_removed', { list: 'evaluations', filter: 'verdict=restrict' }],
    ]);
    expect(entries.every((entry) => entry.subject === id && entry.mode === 'live')).toBe(true);
  });

  test('belong to one list, one world and one project', async () => {
    await save({ list: 'users', name: 'Suspended', filter: 'status=suspended&seen_start_date=2026-01-01' });
    await save({ list: 'devices', name: 'Suspended', filter: 'status=blocked&trusted=false' });
    await save({ list: 'challenges', name: 'Suspended', filter: 'status=skipped&start_date=2026-01-01' });
    for (const list of ['users', 'devices', 'challenges']) {
      const { html } = await shop.shown(`/${list}`);
      expect([list, namesIn(html)]).toEqual([list, ['All', 'Suspended', 'Manage views']]);
    }
    const id = await idOf('Suspended');
    const test = shop.base.replace(/live$/, 'test');
    const other = await shop.service.newProject();
    const elsewhere = `/dashboard/${other.project.id}/live`;
    for (const base of [test, elsewhere]) {
      expect((await shop.visitor.get(`${base}/users`)).html).not.toContain('Suspended');
      await shop.visitor.get(`${base}/users`);
      expect((await shop.visitor.post(`${base}/views/${id}/rename`, { list: 'users', name: 'Mine' })).status).toBe(404);
      await shop.visitor.get(`${base}/users`);
      expect((await shop.visitor.post(`${base}/views/${id}/remove`)).status).toBe(404);
    }
    expect((await shop.post('/views/nonsense/remove')).status).toBe(404);
    expect(await idOf('Suspended')).not.toBe('');
  });

  describe('are refused', () => {
    const refusals: readonly (readonly [what: string, fields: Record<string, string>, text: string])[] = [
      ['without a name', { name: '  ' }, 'The name must not be empty.'],
      ['with a name that is too long', { name: 'x'.repeat(61) }, 'The name must have at most 60 characters.'],
      ['with a name of two lines', { name: 'a\nb' }, 'The name must be one line of text.'],
      ['without filters', { filter: '' }, 'Set at least one filter first.'],
      ['with unknown filters only', { filter: 'nonsense=1&from=2' }, 'Set at least one filter first.'],
      ['with an invalid filter', { filter: 'verdict=maybe' }, 'A filter is not valid.'],
      [
        'with a filter that is too long',
        { filter: `start_date=2026-01-01T00:00:00.${'0'.repeat(400)}Z` },
        'not valid.',
      ],
      ['with an IP address', { filter: 'verdict=deny&ip=198.51.100.7' }, 'an address: IP address or range.'],
      ['with your identifier', { filter: 'user=ada' }, 'Your user identifier.'],
      ['with an email address', { list: 'users', filter: 'email=ada@example.com' }, 'Email address.'],
      ['with a sealed one', { list: 'users', filter: 'phone=.AAAA' }, 'Phone number.'],
      ...['user_id', 'device_id', 'fingerprint_id', 'hardware_id'].map(
        (name) =>
          [`with a ${name}`, { filter: `${name}=0195e2c4-7c1a-7b3e-9f00-0123456789ab` }, 'A view cannot'] as const,
      ),
    ];

    test.each(refusals)('%s', async (_, fields, text) => {
      const refused = await save({ ...denied, ...fields });
      expect(refused.status).toBe(422);
      expect(refused.text).toContain(text);
      expect(refused.html).not.toContain('ada@example.com');
      expect(await shop.service.db.selectFrom('saved_views').select('id').execute()).toEqual([]);
    });

    test('for a list that has none', async () => {
      expect((await save({ ...denied, list: 'webhooks' })).status).toBe(400);
    });

    test('under the name of another, unless they replace it or are the same', async () => {
      await save(denied);
      const refused = await save({ ...denied, filter: 'verdict=allow' });
      expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('There is already a view')]);
      expect((await save(denied)).status).toBe(303);
      await save({ ...denied, name: 'Another', filter: 'verdict=allow' });
      const path = `/views/${await idOf('Another')}/rename`;
      const renamed = await shop.post(path, { list: 'evaluations', name: denied.name });
      expect([renamed.status, renamed.text]).toEqual([422, expect.stringContaining('There is already a view')]);
      expect(namesIn((await shop.shown('/evaluations')).html)).toEqual(['All', 'Another', denied.name, 'Manage views']);
    });

    test('after 50 of a list, also at the same moment', async () => {
      const all = Array.from({ length: 49 }, (_, at) => ({ ...denied, name: `View ${at}` }));
      for (const view of all) await save(view);
      const last = await Promise.all(['one', 'two'].map((name) => save({ ...denied, name })));
      expect(last.map(({ status }) => status).sort()).toEqual([303, 422]);
      expect((await save({ ...denied, name: 'three' })).text).toContain('A list can have at most 50 views.');
      expect((await save({ ...denied, name: 'View 7', filter: 'verdict=allow', replace: 'on' })).status).toBe(303);
      expect((await save({ ...denied, list: 'users', filter: 'status=active' })).status).toBe(303);
      const { html, text } = await shop.shown('/evaluations?verdict=allow');
      expect(namesIn(html).slice(0, 3)).toEqual(['All', 'View 7', 'View 0']);
      expect(text).toContain('42 more views');
    });
  });

  test('that this version does not understand are named, and not applied', async () => {
    await save(denied);
    for (const filter of ['{"verdict":"deny","shoe_size":"46"}', '{"verdict":"perhaps"}', '{"__proto__":"x"}']) {
      await shop.service.db.updateTable('saved_views').set({ filter }).execute();
      const { html, text } = await shop.shown('/evaluations');
      expect(text).toContain('Denied in Germany (not valid any more)');
      expect(html).not.toMatch(/evaluations\?[^"]*">Denied in Germany/);
      expect((await shop.shown('/views')).text).toContain('This version does not know all of these filters');
    }
  });

  test('are saved by analysts, and seen by viewers', async () => {
    const as = async (role: 'analyst' | 'viewer') => {
      const email = `${role}-views-${kind}@example.com`;
      const visitor = await memberAt(shop.app.url, shop.service.service, {
        email,
        role,
        projectId: shop.project.project.id,
      });
      await visitor.get(`${shop.base}/evaluations?verdict=deny`);
      const saved = await visitor.post(`${shop.base}/views`, { ...denied, name: `By ${role}` });
      return { saved, page: await visitor.get(`${shop.base}/evaluations?verdict=allow`), visitor };
    };
    const analyst = await as('analyst');
    const viewer = await as('viewer');
    expect([analyst.saved.status, viewer.saved.status]).toEqual([303, 403]);
    expect(namesIn(viewer.page.html)).toEqual(['All', 'By analyst']);
    expect(viewer.page.html).not.toContain('Save as a view');
    expect((await viewer.visitor.get(`${shop.base}/views`)).html).not.toMatch(/Rename|Remove/);
    expect((await save({ ...denied, csrf: 'AAAA' })).status).toBe(403);
  });

  test('and exports keep no ID of a user, a device or hardware in the audit log', async () => {
    const { user_id, device_id } = await shop.customer.evaluate({
      action: 'login',
      user: 'erased',
      fingerprint: laptop,
      ip: home,
    });
    await shop.post('/evaluations/export', { format: 'csv', user_id, device_id, verdict: 'deny' });
    const [entry] = await shop.service.db
      .selectFrom('audit_log')
      .selectAll()
      .where('kind', '=', 'evaluations_exported')
      .execute();
    expect(entry?.details).toEqual({ format: 'csv', filter: 'verdict=deny user_id=… device_id=…' });
  });

  test('escape their names', async () => {
    const name = `"><script>alert(1)</script>'&`;
    await save({ ...denied, name });
    for (const path of ['/evaluations', '/views']) {
      const { html, text } = await shop.shown(path);
      expect(html).not.toContain('<script>alert');
      expect(text).toContain('alert(1)');
    }
  });
});
