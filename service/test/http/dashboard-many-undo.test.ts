import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DashboardShop, openDashboardShop } from '../support/dashboard-shop.js';
import { describeDatabases } from '../support/databases.js';
import { confirmationIn, openManyRows as openWorld } from '../support/many-rows.js';
import { openSecondApp } from '../support/second-app.js';
import { visitorOf } from '../support/visitor.js';

describeDatabases('undoing an action on many rows', (kind) => {
  let shop: DashboardShop;
  beforeAll(async () => {
    shop = await openDashboardShop(kind);
  });
  afterAll(() => shop.close());

  test('leaves users as they are whom somebody suspended again', async () => {
    const world = await openWorld(shop, ['ann', 'bob', 'cleo']);
    const page = await world.act(
      'users',
      'suspend',
      world.people.map(({ id }) => id),
    );
    for (const status of ['active', 'suspended']) await world.customer.ask('/v2/user/ann/update', { status });
    await world.customer.ask('/v2/user/bob/update', { status: 'active' });
    await world.undo(page);
    expect((await world.open(page)).text).toContain('It was undone, except for 2 that were changed since.');
    expect(await Promise.all(['ann', 'bob', 'cleo'].map(world.statusOf))).toEqual(['suspended', 'active', 'active']);
    expect((await world.open('/audit')).text).toMatch(/kept: 2/);
  });

  test('leaves the block of a device that its user did not recognise, or that somebody blocked again', async () => {
    const world = await openWorld(shop, ['ann', 'bob', 'cleo']);
    const [ann, bob, cleo] = world.people.map(({ device }) => device);
    const page = await world.act('devices', 'block', [ann, bob, cleo]);
    await world.customer.ask(`/v2/device/${ann}/disown`);
    for (const status of ['attached', 'blocked']) await world.customer.ask(`/v2/device/${bob}/update`, { status });
    await world.undo(page);
    expect((await world.open(page)).text).toContain('It was undone, except for 2 that were changed since.');
    expect((await world.deviceOf('ann')).status).toBe('blocked');
    expect((await world.deviceOf('bob')).status).toBe('blocked');
    expect((await world.deviceOf('cleo')).status).toBe('attached');
  });

  test('leaves the trust that somebody gave a device again', async () => {
    const world = await openWorld(shop, ['ann', 'bob']);
    const [ann, bob] = world.people.map(({ device }) => device);
    const page = await world.act('devices', 'trust', [ann, bob]);
    for (const whitelisted of [false, true]) await world.customer.ask(`/v2/device/${ann}/update`, { whitelisted });
    await world.undo(page);
    expect((await world.deviceOf('ann')).whitelisted).toBe(true);
    expect((await world.deviceOf('bob')).whitelisted).toBe(false);
  });

  test('leaves a device as it is that somebody unblocked and trusted, in one change for each other', async () => {
    const world = await openWorld(shop, ['ann', 'bob']);
    const [ann, bob] = world.people.map(({ device }) => device);
    for (const device of [ann, bob]) await world.customer.ask(`/v2/device/${device}/detach`);
    const page = await world.act('devices', 'block', [ann, bob]);
    await world.send(`/devices/${ann}/unblock`, []);
    await world.send(`/devices/${ann}/trust`, []);
    await world.undo(page);
    expect((await world.open(page)).text).toContain('It was undone, except for one that was changed since.');
    expect((await world.open(page)).text).toContain('Left as they are: changed since 1 device');
    expect(await world.deviceOf('ann')).toMatchObject({ status: 'attached', whitelisted: true });
    expect(await world.deviceOf('bob')).toMatchObject({ status: 'detached', whitelisted: false });
  });

  test('counts rows that somebody has reversed, or ended, since', async () => {
    const world = await openWorld(shop, ['ann', 'bob']);
    const ids = world.people.map(({ id }) => id);
    const devices = world.people.map(({ device }) => device);
    const kept = 'It was undone, except for one that was changed since.';

    const suspended = await world.act('users', 'suspend', ids);
    await world.customer.ask('/v2/user/ann/update', { status: 'active' });
    await world.undo(suspended);
    expect((await world.open(suspended)).text).toContain(kept);

    const trusted = await world.act('devices', 'trust', devices);
    await world.send(`/devices/${devices[0]}/detach`, []);
    await world.undo(trusted);
    expect((await world.open(trusted)).text).toContain(kept);
    expect((await world.deviceOf('bob')).whitelisted).toBe(false);

    const listed = await world.act('users', 'list_user', ids, { effect: 'review', note: '' });
    const { html } = await world.open('/lists');
    await world.send(/\/lists\/[^/"]+\/end/.exec(html)?.[0] ?? '', []);
    await world.undo(listed);
    expect((await world.open(listed)).text).toContain(kept);
  });

  test('is done once if it is sent twice at the same time', async () => {
    const world = await openWorld(shop, ['ann', 'bob', 'cleo']);
    const ids = world.people.map(({ id }) => id);
    const page = await world.act('users', 'suspend', ids);
    await Promise.all([world.undo(page), world.undo(page)]);
    expect((await world.open(page)).text).not.toContain('changed since');
    expect(await Promise.all(['ann', 'bob', 'cleo'].map(world.statusOf))).toEqual(['active', 'active', 'active']);
  });

  test('and the action itself may take longer than other requests', async () => {
    const world = await openWorld(shop, ['ann']);
    const ids = world.people.map(({ id }) => id);
    const confirmed = confirmationIn(await world.preview('users', 'suspend', ids));
    const impatient = await openSecondApp(shop.service.service, { timeoutMs: 1 });
    try {
      const visitor = visitorOf(impatient);
      for (const [name, value] of shop.visitor.cookies) visitor.cookies.set(name, value);
      const csrf = ['csrf', shop.visitor.fields().get('csrf') ?? ''] as const;
      const fields = [csrf, ...world.selectionOf('users', 'suspend', ids), ['confirmed', confirmed] as const];
      expect((await visitor.post(`${world.base}/actions`, fields)).status).toBe(303);
      expect(await world.statusOf('ann')).toBe('suspended');
      expect((await visitor.post(`${world.base}/actions/${confirmed}/undo`, [csrf])).status).toBe(303);
      expect(await world.statusOf('ann')).toBe('active');
    } finally {
      await impatient.close();
    }
  });
});
