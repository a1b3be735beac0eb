import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Whorl } from 'whorl/server';
import { customerOf, phone, tablet } from '../support/customer.js';
import { type DashboardShop, openDashboardShop } from '../support/dashboard-shop.js';
import { describeDatabases } from '../support/databases.js';

describeDatabases('searching users', (kind) => {
  let shop: DashboardShop;
  /** IDs of users: `ada` has contacts and two devices, `bob` is suspended and has one, and `cora` disowned hers. */
  let ids: Readonly<Record<'ada' | 'bob' | 'cora', string>>;
  const names = ['cora', 'bob', 'ada'] as const;

  beforeAll(async () => {
    shop = await openDashboardShop(kind);
    const { customer } = shop;
    const ada = await customer.ask('/v2/user/ada/update', { email: 'Ada@example.com', phone: '+491701234567' });
    const bob = await customer.ask('/v2/user/=bob/update', { email: 'bob@example.com' });
    const cora = await customer.ask('/v2/user/cora/update');
    await shop.attach('ada');
    await shop.attach('ada', { fingerprint: phone });
    await shop.attach('=bob', { fingerprint: tablet });
    await customer.ask('/v2/user/=bob/update', { status: 'suspended' });
    const { device_id } = await shop.attach('cora');
    await customer.ask(`/v2/device/${device_id}/disown`, {});
    ids = { ada: ada._id, bob: bob._id, cora: cora._id };
  });
  afterAll(() => shop.close());

  /** Adds newer users of a user's world, with its contacts. */
  const copyUser = (id: string, count: number) =>
    sql`
      insert into users (id, world_id, external_id, email, email_mark, metadata, status, created_at, updated_at)
      select (lpad(to_hex(extract(epoch from created_at)::bigint * 1000 + 60000 + n), 12, '0')
          || '7000a000' || substr(md5(n::text), 1, 12))::uuid,
        world_id, 'later-' || n, email, email_mark, metadata, 'active', created_at + interval '1 minute', updated_at
      from users, generate_series(1, ${count}::int) n where id = ${id}
    `.execute(shop.service.db);

  /** Each filter, with the users who match. */
  const cases = (): readonly (readonly [Record<string, string>, readonly (keyof typeof ids)[]])[] => [
    [{}, names],
    [{ status: 'active' }, ['cora', 'ada']],
    [{ status: 'suspended', contact: 'email' }, ['bob']],
    [{ email: 'ADA@example.com' }, ['ada']],
    [{ email: 'nobody@example.com' }, []],
    [{ phone: '0049 170 1234567' }, ['ada']],
    [{ email: 'ada@example.com', phone: '+491701234568' }, []],
    [{ email: 'ada@example.com', status: 'suspended' }, []],
    [{ user: 'cora' }, ['cora']],
    [{ user: 'nobody' }, []],
    [{ user_id: ids.bob }, ['bob']],
    [{ user_id: ids.bob, email: 'ada@example.com' }, []],
    [{ contact: 'both' }, ['ada']],
    [{ contact: 'none' }, ['cora']],
    [{ contact: 'phone' }, []],
    [{ disowned: 'true' }, ['cora']],
    [{ disowned: 'false' }, ['bob', 'ada']],
    [{ min_devices: '2' }, ['ada']],
    [{ min_devices: '0' }, names],
    [{ max_devices: '1', min_devices: '1' }, ['bob']],
    [{ max_devices: '0' }, ['cora']],
    [{ seen_start_date: '2090-01-01' }, []],
    [{ seen_start_date: '2020-01-01', seen_end_date: '2090-01-01' }, names],
    [{ seen_end_date: '2020-01-01' }, []],
    [{ start_date: '2020-01-01', end_date: '2090-01-01' }, names],
    [{ start_date: '2090-01-01' }, []],
    [{ end_date: '2020-01-01' }, []],
  ];

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

  describe('over the API', () => {
    const get = (query: Record<string, string>) => shop.customer.get(`/v2/users?${new URLSearchParams(query)}`);
    const search = (body: object) => shop.customer.post('/v2/users/search', body);
    const isContact = (name: string) => name === 'email' || name === 'phone';
    const byContact = () => cases().filter(([query]) => Object.keys(query).some(isContact));
    const withoutContact = () => cases().filter(([query]) => !Object.keys(query).some(isContact));
    const idsOf = (body: { data: { _id: string }[] }) => body.data.map(({ _id }) => _id);

    test('returns what matches all filters, newest first, with masked contacts', async () => {
      for (const [query, found] of withoutContact()) {
        const { status, body } = await get(query);
        expect(status, JSON.stringify(query)).toBe(200);
        expect(idsOf(body), JSON.stringify(query)).toEqual(found.map((name) => ids[name]));
        expect(body).not.toHaveProperty('next_cursor');
      }
      const { body } = await get({ user: 'ada' });
      expect(body.data[0]).toMatchObject({ external_id: 'ada', email: 'A***@e******.com', status: 'active' });
    });

    test('finds users by contacts in the body, also with a key that only reads', async () => {
      const onlyContacts = byContact().filter(([query]) => Object.keys(query).every(isContact));
      expect(onlyContacts.length).toBeGreaterThan(3);
      for (const [query, found] of onlyContacts) {
        const { status, body } = await search(query);
        expect(status, JSON.stringify(query)).toBe(200);
        expect(idsOf(body), JSON.stringify(query)).toEqual(found.map((name) => ids[name]));
      }
      const { body } = await search({ phone: '+49 170 1234567', limit: 1 });
      expect(body.data).toMatchObject([
        { external_id: 'ada', email: 'A***@e******.com', phone: expect.stringContaining('*') },
      ]);
      const whorl = new Whorl({ apiSecret: shop.project.keys.live.secret, baseUrl: shop.service.url });
      expect(idsOf(await whorl.users.search({ email: 'ada@example.com' }))).toEqual([ids.ada]);
    });

    test('does not search without a contact, or by one that is not readable', async () => {
      const errorsOf = async (body: object) => {
        const response = await search(body);
        expect(response.status).toBe(400);
        return response.body.errors;
      };
      const required = [{ path: 'email', message: 'is required, unless there is a `phone`' }];
      expect(await errorsOf({})).toEqual(required);
      expect(await errorsOf({ email: '', phone: null })).toEqual(required);
      expect(await errorsOf({ email: 'ada' })).toEqual([{ path: 'email', message: 'must be an email address' }]);
      expect(await errorsOf({ phone: '1', limit: 101 })).toMatchObject([{ path: 'phone' }, { path: 'limit' }]);
      expect(await errorsOf({ email: ['ada@example.com'], cursor: 'x' })).toMatchObject([
        { path: 'email' },
        { path: 'cursor' },
      ]);
    });

    test('refuses a filter that is not known, instead of returning everybody', async () => {
      expect((await get({ email: 'ada@example.com', stauts: 'active' })).body.errors).toEqual([
        { path: 'email', message: 'is not a known parameter' },
        { path: 'stauts', message: 'is not a known parameter; did you mean `status`?' },
      ]);
      expect((await shop.customer.get('/v2/evaluations?user_ip=192.0.2.1')).body.errors).toMatchObject([
        { path: 'user_ip' },
      ]);
    });

    test('writes no contact to the log', async () => {
      const headers = { Authorization: `Bearer ${shop.project.keys.live.secret}` };
      for (const query of ['email=ada%40example.com', 'phone=%2B491701234567', 'email=ada%40example']) {
        await fetch(`${shop.app.url}/v2/users?${query}`, { headers });
      }
      for (const body of ['{"email":"ada@example.com"}', '{"phone":"ada@example"}', '{"email":"ada@example.com"']) {
        const json = { ...headers, 'Content-Type': 'application/json' };
        await fetch(`${shop.app.url}/v2/users/search`, { method: 'POST', headers: json, body });
      }
      expect(shop.app.log()).toContain('/v2/users');
      expect(shop.app.log()).toContain('/v2/users/search');
      expect(shop.app.log()).not.toMatch(/ada(@|%40)example|1701234567/);
    });

    test('continues at a cursor, in the server client as well', async () => {
      const first = (await get({ limit: '2' })).body;
      expect(idsOf(first)).toEqual([ids.cora, ids.bob]);
      const second = (await get({ limit: '2', cursor: first.next_cursor })).body;
      expect(idsOf(second)).toEqual([ids.ada]);
      expect(second).not.toHaveProperty('next_cursor');
      const whorl = new Whorl({ apiSecret: shop.project.keys.live.secret, baseUrl: shop.service.url });
      const all: string[] = [];
      for await (const { _id } of whorl.users.list({ limit: 1 })) all.push(_id);
      expect(all).toEqual([ids.cora, ids.bob, ids.ada]);
      expect(idsOf(await whorl.users.list({ min_devices: 1, disowned: false }))).toEqual([ids.bob, ids.ada]);
    });

    test('names each parameter that is not valid', async () => {
      const wrong = {
        ...{
          status: 'gone',
          user: 'x'.repeat(257),
          user_id: 'x',
          contact: 'fax',
          limit: '101',
        },
        disowned: 'maybe',
        min_devices: '1.5',
        max_devices: '101',
        seen_start_date: 'now',
        seen_end_date: '1',
        cursor: 'x',
        start_date: '2026-13-01',
        end_date: 'x',
      };
      const { status, body } = await get(wrong);
      expect(status).toBe(400);
      const paths = body.errors.map(({ path }: { path: string }) => path);
      expect(paths.sort()).toEqual(Object.keys(wrong).sort());
      expect((await get({ seen_start_date: '2026-02-01', seen_end_date: '2026-01-01' })).body.errors).toEqual([
        { path: 'seen_end_date', message: 'must not be before seen_start_date' },
      ]);
    });

    test('returns nobody of another project, whatever the filter or the cursor', async () => {
      const stranger = customerOf(shop.service, await shop.service.newProject());
      const { next_cursor: cursor } = (await get({ limit: '1' })).body;
      for (const query of [{}, { cursor }, ...withoutContact().map(([each]) => each)]) {
        const answer = await stranger.get(`/v2/users?${new URLSearchParams(query)}`);
        expect(answer.body, JSON.stringify(query)).toEqual({ data: [] });
      }
      const { body } = await stranger.post('/v2/users/search', { email: 'ada@example.com' });
      expect(body).toEqual({ data: [] });
      const test = customerOf(shop.service, shop.project, 'test');
      expect((await test.get('/v2/users')).body).toEqual({ data: [] });
    });

    test('pages through very many users of one email address, each once', async () => {
      const customer = customerOf(shop.service, await shop.service.newProject());
      const first = await customer.ask('/v2/user/first/update', { email: 'ring@example.com', status: 'suspended' });
      await copyUser(first._id, 250);
      const found: string[] = [];
      for (let cursor = ''; ; ) {
        const { body } = await customer.post('/v2/users/search', { email: 'ring@example.com', limit: 100, cursor });
        found.push(...idsOf(body));
        if (body.next_cursor === undefined) break;
        cursor = body.next_cursor;
      }
      expect(found).toHaveLength(251);
      expect(new Set(found).size).toBe(251);
      expect(found.at(-1)).toBe(first._id);
    });

    test('stops a search that finds little, and continues where it stopped', async () => {
      const customer = customerOf(shop.service, await shop.service.newProject());
      const { _id } = await customer.ask('/v2/user/first/update', { status: 'suspended' });
      await copyUser(_id, 5001);
      const first = (await customer.get('/v2/users?status=suspended')).body;
      expect(first.data).toEqual([]);
      const second = (await customer.get(`/v2/users?status=suspended&cursor=${first.next_cursor}`)).body;
      expect(idsOf(second)).toEqual([_id]);
    });
  });

  test('reads a cursor of a user who was erased since', async () => {
    const customer = customerOf(shop.service, await shop.service.newProject());
    for (const name of ['one', 'two', 'three']) await customer.ask(`/v2/user/${name}/update`);
    const { next_cursor } = (await customer.get('/v2/users?limit=2')).body;
    await customer.ask('/v2/user/two/delete');
    const { data } = (await customer.get(`/v2/users?limit=2&cursor=${next_cursor}`)).body;
    expect(data.map(({ external_id }: { external_id: string }) => external_id)).toEqual(['one']);
  });
});
