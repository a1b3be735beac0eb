import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { customerOf } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { names, openSearchedUsers, type SearchedUsers } from '../support/searched-users.js';

describeDatabases('searching users', (kind) => {
  let shop: SearchedUsers['shop'];
  let ids: SearchedUsers['ids'];
  let cases: SearchedUsers['cases'];
  beforeAll(async () => {
    ({ shop, ids, cases } = await openSearchedUsers(kind));
  });

  afterAll(() => shop.close());

  describe('on the dashboard', () => {
    const listed = ({ html }: { html: string }) => [...html.matchAll(/\/users\/([0-9a-f-]{36})"/g)].map(([, id]) => id);
    const filtered = async (filter: Record<string, string>) => {
      const { status, headers } = await shop.post('/users/filter', filter);
      expect(status, JSON.stringify(filter)).toBe(303);
      return headers.get('Location') ?? '';
    };

    test('finds what matches all filters, newest first', async () => {
      for (const [query, found] of cases()) {
        if (query.user === 'nobody') continue;
        const page = await shop.visitor.get(await filtered(query));
        expect(listed(page), JSON.stringify(query)).toEqual(found.map((name) => ids[name]));
      }
    });

    test('keeps contacts and your identifier out of the URL, and masks them on the page', async () => {
      const location = await filtered({ email: 'ada@example.com', phone: '+491701234567', user: 'ada' });
      expect(location).toMatch(new RegExp(`/users\\?email=\\.[\\w-]+&phone=\\.[\\w-]+&user_id=${ids.ada}$`));
      const page = await shop.visitor.get(location);
      expect(page.text).toMatch(/Email address: a\*\*\*@e\*{6}\.com/);
      expect(page.html).not.toMatch(/ada@example|491701234567/);
      // The form keeps the sealed value until another contact is typed.
      const kept = Object.fromEntries(new URL(location, 'https://fraud.example').searchParams);
      expect(listed(await shop.visitor.get(await filtered({ ...kept, status: 'active' })))).toEqual([ids.ada]);
      expect(shop.app.log()).not.toMatch(/ada@example|491701234567|ada%40/);
    });

    test('does not open a contact that was sealed for another world, or changed', async () => {
      const location = await filtered({ email: 'ada@example.com' });
      const elsewhere = await shop.visitor.get(location.replace('/live/', '/test/'));
      expect(elsewhere.status).toBe(422);
      expect(elsewhere.text).toContain('It must be an email address.');
      expect(elsewhere.html).not.toContain('a***@');
      for (const value of ['.', '.AAAA', `.${'A'.repeat(3000)}`, 'x'.repeat(400)]) {
        expect((await shop.open(`/users?email=${value}`)).status, value.slice(0, 9)).toBe(422);
      }
    });

    test('names filters that are not valid, and lists nothing', async () => {
      const page = await shop.open('/users?status=gone&min_devices=101&max_devices=-1&seen_start_date=soon');
      expect(page.status).toBe(422);
      expect(page.text).toContain('It must be one of: active, suspended.');
      expect(page.text).toContain('It must be a whole number from 0 to 100.');
      expect(listed(page)).toEqual([]);
      const order = await shop.open('/users?seen_start_date=2026-02-01&seen_end_date=2026-01-01');
      expect(order.text).toContain('must not be before seen_start_date');
      const typed = await shop.post('/users/filter', { email: 'ada(at)example.com' });
      expect(typed.status).toBe(422);
      expect(typed.html).toContain('value="ada(at)example.com"');
      expect((await shop.post('/users/filter', { user: 'nobody' })).text).toContain('It must be that of a known user.');
      expect((await shop.post('/users/filter', { csrf: 'AAAA' })).status).toBe(403);
    });

    test('finds nobody of another project', async () => {
      const stranger = customerOf(shop.service, await shop.service.newProject());
      const theirs = await stranger.ask('/v2/user/zoe/update', { email: 'zoe@example.com' });
      expect(listed(await shop.shown(`/users?user_id=${theirs._id}`))).toEqual([]);
      expect(listed(await shop.visitor.get(await filtered({ email: 'zoe@example.com' })))).toEqual([]);
    });
  });

  describe('in exports', () => {
    test('are CSV that a spreadsheet does not run, or JSON lines, with masked contacts', async () => {
      const csv = await shop.post('/users/export', { format: 'csv', status: 'suspended' });
      expect(csv.headers.get('Content-Disposition')).toMatch(/^attachment; filename="users-[\d-]{10}\.csv"$/);
      const [header = '', line = '', ...others] = csv.html.trimEnd().split('\n');
      expect(others).toEqual([]);
      expect(header).toMatch(/^user_id,user,createdAt,status,email,/);
      expect(line.split(',')).toEqual(expect.arrayContaining([ids.bob, "'=bob", 'suspended', 'b***@e******.com']));
      const json = await shop.post('/users/export', { format: 'jsonl' });
      const rows = json.html
        .trimEnd()
        .split('\n')
        .map((text) => JSON.parse(text));
      expect(rows.map(({ user_id }) => user_id)).toEqual(names.map((name) => ids[name]));
      expect(rows[0]).not.toHaveProperty('email');
      expect(Date.parse(rows[0].disowned_at)).toBeGreaterThan(0);
    });

    test('are recorded, without contacts', async () => {
      const filter = { email: 'ada@example.com', status: 'active', min_devices: '1' };
      expect((await shop.post('/users/export', { format: 'csv', ...filter })).status).toBe(200);
      const { text } = await shop.shown('/audit?kind=users_exported');
      expect(text).toContain('status: active, email: …, min devices: 1');
      expect(text).not.toMatch(/ada@example/);
    });

    test('are refused for a filter or a format that is not valid', async () => {
      expect((await shop.post('/users/export', { format: 'csv', phone: 'x' })).status).toBe(422);
      expect((await shop.post('/users/export', { format: 'xml' })).status).toBe(400);
      expect((await shop.post('/users/export', { format: 'csv', csrf: 'AAAA' })).status).toBe(403);
    });
  });
});
