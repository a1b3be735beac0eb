import { afterAll, beforeAll, expect, test } from 'vitest';
import { minuteMs } from '../../src/testing.js';
import { memberAt } from '../support/admin.js';
import { type DashboardShop, openDashboardShop } from '../support/dashboard-shop.js';
import { describeDatabases } from '../support/databases.js';
import { fingerprintOf } from '../support/fingerprints.js';
import { confirmationIn, openManyRows as openWorld } from '../support/many-rows.js';

describeDatabases('actions on many rows of the dashboard', (kind) => {
  let shop: DashboardShop;
  beforeAll(async () => {
    shop = await openDashboardShop(kind);
  });
  afterAll(() => shop.close());

  test('suspend the selected users after a preview, and can be undone', async () => {
    const world = await openWorld(shop, ['ann', 'bob', 'cleo', 'dora']);
    const list = await world.open('/users');
    const ids = [...list.html.matchAll(/form="many" name="id" value="([^"]+)"/g)].map(([, id]) => id ?? '');
    expect(ids).toHaveLength(4);
    const chosen = world.people.slice(0, 3).map(({ id }) => id);
    await world.customer.ask('/v2/user/cleo/update', { status: 'suspended' });
    const shown = await world.preview('users', 'suspend', chosen);
    expect(shown.text).toMatch(/3 users : ann, bob, cleo\./);
    const shownIds = ids.map((id) => ['shown', id] as const);
    const all = [...world.selectionOf('users', 'suspend', []), ['all', 'on'] as const, ...shownIds];
    expect((await world.send('/actions', all)).text).toMatch(/4 users : ann, bob, cleo, dora\./);
    expect(await world.statusOf('ann')).toBe('active');
    const page = await world.act('users', 'suspend', chosen);
    const done = await world.open(page);
    // Cleo was suspended before.
    expect(done.text).toMatch(/Changed 2 users.*by ines@example\.com.*Undo/);
    expect(await Promise.all(['ann', 'bob', 'cleo', 'dora'].map(world.statusOf))).toEqual([
      'suspended',
      'suspended',
      'suspended',
      'active',
    ]);
    expect((await world.undo(page)).status).toBe(303);
    expect((await world.open(page)).text).toMatch(/It was undone\..*Undone .* by ines@example\.com/);
    expect(await Promise.all(['ann', 'bob', 'cleo'].map(world.statusOf))).toEqual(['active', 'active', 'suspended']);
    const { text } = await world.open('/audit');
    expect(text.match(/Action on many rows undone/g)).toHaveLength(2);
    expect(text).toMatch(/rows: 2/);
    expect((await world.open(`/users/${chosen[0]}`)).text).toMatch(/Reactivated the user.*Suspended the user/);
  });

  test('act once if the form is sent twice, and are undone once', async () => {
    const world = await openWorld(shop, ['ann']);
    const ids = world.people.map(({ id }) => id);
    const confirmed = confirmationIn(await world.preview('users', 'suspend', ids));
    const fields = [...world.selectionOf('users', 'suspend', ids), ['confirmed', confirmed] as const];
    const both = await Promise.all([world.send('/actions', fields), world.send('/actions', fields)]);
    expect(both.map(({ status }) => status)).toEqual([303, 303]);
    expect((await world.open(`/actions/${confirmed}`)).text).toContain('Changed 1 user ');
    await world.undo(`/actions/${confirmed}`);
    await world.customer.ask('/v2/user/ann/update', { status: 'suspended' });
    await world.undo(`/actions/${confirmed}`);
    expect((await world.open(`/actions/${confirmed}`)).text).toContain('It was undone before.');
    expect(await world.statusOf('ann')).toBe('suspended');
  });

  test('cannot be undone after 10 minutes', async () => {
    const world = await openWorld(shop, ['ann']);
    const page = await world.act('users', 'suspend', [world.people[0]?.id]);
    shop.service.clock.advance(11 * minuteMs);
    expect((await world.open(page)).html).not.toContain('/undo"');
    await world.undo(page);
    expect((await world.open(page)).text).toContain('More than 10 minutes have passed. Nothing was changed.');
    expect(await world.statusOf('ann')).toBe('suspended');
  });

  test('block devices, and lift the block without attaching what was not attached', async () => {
    const world = await openWorld(shop, ['ann', 'bob']);
    const devices = world.people.map(({ device }) => device);
    await world.customer.ask(`/v2/device/${devices[1]}/detach`);
    const page = await world.act('devices', 'block', devices);
    expect((await world.deviceOf('ann')).status).toBe('blocked');
    expect((await world.deviceOf('bob')).status).toBe('blocked');
    await world.undo(page);
    expect((await world.deviceOf('ann')).status).toBe('attached');
    expect((await world.deviceOf('bob')).status).toBe('detached');
  });

  test('add what evaluations name to a list, once, and end only these entries', async () => {
    const world = await openWorld(shop, ['ann', 'bob']);
    await shop.service.list(world.project, ['allow', 'address', '192.0.2.1']);
    const ids = world.people.map(({ evaluation }) => evaluation);
    const long = confirmationIn(await world.preview('evaluations', 'list_address', ids));
    const selection = world.selectionOf('evaluations', 'list_address', ids);
    const refused = [...selection, ['confirmed', long], ['effect', 'block'], ['note', 'x'.repeat(501)]] as const;
    expect((await world.send('/actions', refused)).status).toBe(422);
    const page = await world.act('evaluations', 'list_address', ids, { effect: 'block', note: 'Wave of May' });
    expect((await world.open(page)).text).toContain('Changed 1 entry');
    const listed = await world.open('/lists');
    expect(listed.text).toMatch(/192\.0\.2\.2 block Wave of May/);
    expect(listed.text).toMatch(/192\.0\.2\.1 allow/);
    await world.undo(page);
    const after = await world.open('/lists');
    expect(after.text).not.toContain('192.0.2.2');
    expect(after.text).toMatch(/192\.0\.2\.1 allow/);
  });

  test('replace entries that have expired', async () => {
    const world = await openWorld(shop, ['ann']);
    const expiresAt = new Date(shop.service.service.now().getTime() + minuteMs);
    await shop.service.list(world.project, ['review', 'user', 'ann', expiresAt]);
    shop.service.clock.advance(2 * minuteMs);
    const ids = world.people.map(({ id }) => id);
    const page = await world.act('users', 'list_user', ids, { effect: 'block', note: '' });
    expect((await world.open(page)).text).toContain('Changed 1 entry');
    expect((await world.customer.evaluate({ action: 'login', user: 'ann', ip: '192.0.2.1' })).verdict).toBe('deny');
  });

  test('add exactly the user that was selected to a list', async () => {
    const world = await openWorld(shop, ['dan', 'dan ']);
    const ids = world.people.filter(({ user }) => user === 'dan ').map(({ id }) => id);
    await world.act('users', 'list_user', ids, { effect: 'block', note: '' });
    const verdictOf = async (user: string) =>
      (await world.customer.evaluate({ action: 'login', user, ip: '192.0.2.1' })).verdict;
    expect(await verdictOf('dan ')).toBe('deny');
    expect(await verdictOf('dan')).not.toBe('deny');
  });

  test('are offered in the review queue, and act on the users and devices of evaluations', async () => {
    const world = await openWorld(shop, []);
    const request = {
      action: 'signup',
      user: 'eve',
      fingerprint: fingerprintOf({ seed: 'eve' }),
      email: 'eve@mailinator.com',
    };
    const evaluations = [
      (await world.customer.evaluate(request)).evaluation_id,
      (await world.customer.evaluate(request)).evaluation_id,
    ];
    const { html } = await world.open('/review');
    for (const id of evaluations) expect(html).toContain(`form="many" name="id" value="${id}"`);
    await world.act('evaluations', 'suspend', evaluations);
    expect(await world.statusOf('eve')).toBe('suspended');
    expect((await world.preview('evaluations', 'block', evaluations)).text).toContain('1 device : a device of eve.');
    expect((await world.preview('evaluations', 'list_address', evaluations)).text).toContain(
      'None of the selected rows',
    );
  });

  test('are refused for viewers, rows of other projects, too many rows, and invalid fields', async () => {
    const world = await openWorld(shop, ['ann']);
    const other = await openWorld(shop, ['theirs']);
    const [own, foreign] = [world.people[0]?.id, other.people[0]?.id];
    for (const id of [foreign, 'nonsense', '']) {
      expect((await world.preview('users', 'suspend', [own, id])).status).toBe(404);
      const fields = [...world.selectionOf('users', 'suspend', [own, id]), ['confirmed', own] as const];
      expect((await world.send('/actions', fields)).status).toBe(404);
    }
    const page = await other.act('users', 'suspend', [foreign]);
    expect((await world.open(page)).status).toBe(404);
    expect((await world.undo(page)).status).toBe(404);
    expect(await other.statusOf('theirs')).toBe('suspended');
    expect(await world.statusOf('ann')).toBe('active');
    const many = Array.from({ length: 501 }, (_, at) => `${own.slice(0, -3)}${String(at).padStart(3, '0')}`);
    expect((await world.preview('users', 'suspend', many)).status).toBe(400);
    expect((await world.preview('users', 'block', [own])).status).toBe(400);
    expect((await world.preview('people', 'suspend', [own])).status).toBe(400);
    const unknown = [...world.selectionOf('users', 'suspend', [own]), ['confirmed', 'yes'] as const];
    expect((await world.send('/actions', unknown)).status).toBe(400);
    await world.preview('users', 'suspend', []);
    expect((await world.open('/users')).text).toContain('Select at least one row first.');

    const projectId = world.project.project.id;
    const viewer = await memberAt(shop.app.url, shop.service.service, {
      email: `viewer-${projectId}@example.com`,
      role: 'viewer',
      projectId,
    });
    expect((await viewer.get(`${world.base}/users`)).html).not.toContain('form="many"');
    const csrf = viewer.fields().get('csrf') ?? '';
    const fields = { csrf, source: 'users', action: 'suspend', id: own, confirmed: own };
    expect((await viewer.post(`${world.base}/actions`, fields)).status).toBe(403);
    const acted = await world.act('users', 'suspend', [own]);
    expect((await viewer.get(world.base + acted)).status).toBe(200);
    expect((await viewer.post(`${world.base}${acted}/undo`, { csrf })).status).toBe(403);
    expect(await world.statusOf('ann')).toBe('suspended');
  });

  test('forget an erased user', async () => {
    const world = await openWorld(shop, ['ann', 'bob']);
    const page = await world.act(
      'users',
      'suspend',
      world.people.map(({ id }) => id),
    );
    await world.customer.ask('/v2/user/ann/delete');
    expect((await world.open(page)).text).toContain('Changed 1 user ');
    await world.undo(page);
    expect(await world.statusOf('bob')).toBe('active');
  });
});
