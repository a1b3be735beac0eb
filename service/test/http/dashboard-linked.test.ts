import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dayMs, worldOf } from '../../src/testing.js';
import { home } from '../support/customer.js';
import { type DashboardShop, openDashboardShop } from '../support/dashboard-shop.js';
import { describeDatabases } from '../support/databases.js';
import { fingerprintOf } from '../support/fingerprints.js';

describeDatabases('linked accounts', (kind) => {
  let shop: DashboardShop;
  let addresses = 0;
  beforeAll(async () => {
    shop = await openDashboardShop(kind);
  });
  afterAll(() => shop.close());

  const newAddress = () => `192.0.2.${++addresses}`;
  const deviceOf = (seed: string) => fingerprintOf({ seed });
  /** Attaches a device of a user, by default at an address of its own. */
  const attach = (user: string, device: string, more: object = {}) =>
    shop.attach(user, { fingerprint: deviceOf(device), ip: newAddress(), ...more });
  const linkedTo = async (user: string) => shop.shown(`/users/${await shop.userIdOf(user)}/linked`);
  const accountsOn = (html: string) =>
    [...html.matchAll(/<td[^>]*data-label="User"><a[^>]*><span[^>]*>([^<]*)</g)].map(([, name]) => name);

  test('are found through devices and contacts, in steps', async () => {
    await attach('ann', 'ring-1');
    await attach('ben', 'ring-1');
    await attach('ben', 'ring-2');
    await attach('cas', 'ring-2');
    await shop.customer.ask('/v2/user/cas/update', { email: 'cas@example.com' });
    await shop.customer.ask('/v2/user/dan/update', { email: 'cas@example.com' });
    await attach('eve', 'alone');
    const page = await linkedTo('ann');
    expect(accountsOn(page.html)[0]).toBe('ann');
    expect(accountsOn(page.html).sort()).toEqual(['ann', 'ben', 'cas', 'dan']);
    expect(page.text).toMatch(/dan active contact email address/);
    expect(page.text).toMatch(/ben active fingerprint device/);
    // The picture has the same accounts, as links.
    expect(page.html.match(/<circle/g)).toHaveLength(4);
    expect(page.html.match(/<rect/g)).toHaveLength(3);
    expect(page.html).toContain(`/users/${await shop.userIdOf('dan')}"`);
    expect((await linkedTo('eve')).text).toContain('No other account shares');
  });

  test('are shown but not followed if they share only an IP address', async () => {
    const [first, second] = [newAddress(), newAddress()];
    await attach('fay', 'fay', { ip: first });
    await attach('gil', 'gil', { ip: first });
    await attach('gil', 'gil', { ip: second });
    await attach('hal', 'hal', { ip: second });
    const page = await linkedTo('fay');
    expect(accountsOn(page.html).sort()).toEqual(['fay', 'gil']);
    expect(page.text).toMatch(/gil active weak IP address/);
    expect(page.text).toContain('1 other account shares something with this user');
  });

  test('are not found by an IP address that many people share', async () => {
    for (let index = 0; index < 21; index++) await attach(`guest ${index}`, `guest ${index}`, { ip: home });
    expect((await linkedTo('guest 0')).text).toContain('No other account shares');
  });

  test('are at most 500 accounts and shared things, and the page says that there are more', async () => {
    await attach('owner of many', 'farm');
    const worldId = await worldOf(shop.service.db, shop.project.project.id, 'live');
    await sql`
      insert into users select (jsonb_populate_record(u, jsonb_build_object('id', gen_random_uuid(), 'external_id', 'farmed ' || n))).*
      from users u, generate_series(1, 300) n
      where u.world_id = ${worldId} and u.external_id = 'owner of many'`.execute(shop.service.db);
    await sql`
      insert into devices select (jsonb_populate_record(d, jsonb_build_object('id', gen_random_uuid(), 'user_id', u.id))).*
      from users o join devices d on d.world_id = o.world_id and d.user_id = o.id
        join users u on u.world_id = o.world_id
      where o.world_id = ${worldId} and o.external_id = 'owner of many' and u.external_id like 'farmed %'`.execute(
      shop.service.db,
    );
    const page = await linkedTo('owner of many');
    expect(accountsOn(page.html)).toHaveLength(201);
    expect(page.text).toContain('There are more: at most 500');
    expect(page.text).toMatch(/over 201/);
  });

  test('can be suspended together after a preview, without those that are only weakly linked', async () => {
    const address = newAddress();
    await attach('jo', 'jo', { ip: address });
    await attach('kay', 'jo');
    await attach('lou', 'lou', { ip: address });
    const path = `/users/${await shop.userIdOf('jo')}/linked`;
    expect((await shop.shown(path)).html).not.toContain(' checked');
    const { html } = await shop.shown(`${path}?selected=on`);
    const ids = [...html.matchAll(/name="id" value="([^"]+)"[^>]* checked/g)].map(([, id = '']) => id);
    expect(ids.sort()).toEqual([await shop.userIdOf('jo'), await shop.userIdOf('kay')].sort());
    const csrf = /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? '';
    const fields = [
      ...Object.entries({ csrf, source: 'users', action: 'suspend' }),
      ...ids.map((id) => ['id', id] as const),
    ];
    const preview = await shop.visitor.post(`${shop.base}/actions`, fields);
    const confirmed = /name="confirmed" value="([^"]+)"/.exec(preview.html)?.[1] ?? '';
    await shop.visitor.post(`${shop.base}/actions`, [...fields, ['confirmed', confirmed]]);
    const after = await shop.shown(path);
    expect(after.text).toMatch(/kay suspended fingerprint/);
    expect(after.text).toMatch(/lou active weak/);
    expect(after.html).toMatch(/class="suspended"><title>kay/);
    expect(after.html).toMatch(/class="first suspended"><title>jo/);
  });

  test('form no clusters in a project without users', async () => {
    const { project } = await shop.service.newProject();
    const page = await shop.visitor.get(`/dashboard/${project.id}/live/users/clusters`);
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('No clusters')]);
  });

  test('form clusters, by size, with the accounts that are new', async () => {
    for (const user of ['one', 'two', 'three']) await attach(`trio ${user}`, 'trio');
    for (const user of ['one', 'two']) await attach(`pair ${user}`, 'pair');
    const page = await shop.shown('/users/clusters');
    expect(page.text).toMatch(/trio (one|two|three) 3 3 0 device/);
    expect(page.text).not.toContain('pair');
    await shop.post(`/users/${await shop.userIdOf('trio one')}/suspend`);
    await shop.service.db
      .updateTable('users')
      .set({ created_at: new Date(shop.service.clock.now().getTime() - 8 * dayMs) })
      .where('external_id', 'in', ['trio one', 'trio two'])
      .execute();
    expect((await shop.shown('/users/clusters')).text).toMatch(/trio three 3 1 1 device/);
  });
});
