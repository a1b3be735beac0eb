import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Whorl } from 'whorl/server';
import { customerOf } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { openSearchedUsers, type SearchedUsers } from '../support/searched-users.js';

describeDatabases('searching users', (kind) => {
  let shop: SearchedUsers['shop'];
  let ids: SearchedUsers['ids'];
  let cases: SearchedUsers['cases'];
  beforeAll(async () => {
    ({ shop, ids, cases } = await openSearchedUsers(kind));
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

    test('finds a user by the exact ID, with the spaces around it', async () => {
      const customer = customerOf(shop.service, await shop.service.newProject());
      for (const user of ['ada', 'ada%20']) await customer.ask(`/v2/user/${user}/update`, {});
      const found = async (user: string) => {
        const { body } = await customer.get(`/v2/users?${new URLSearchParams({ user })}`);
        return body.data.map(({ external_id }: { external_id: string }) => external_id);
      };
      expect([await found('ada '), await found('ada')]).toEqual([['ada '], ['ada']]);
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
