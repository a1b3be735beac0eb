import { afterAll, beforeAll, expect, test } from 'vitest';
import { memberAt } from '../support/admin.js';
import { type DashboardShop, openDashboardShop } from '../support/dashboard-shop.js';
import { describeDatabases } from '../support/databases.js';
import { fingerprintOf } from '../support/fingerprints.js';
import { openManyRows } from '../support/many-rows.js';

/** A failed attempt, which belongs to no user. */
const attempt = { action: 'login', outcome: 'failed', fingerprint: fingerprintOf({ seed: 'ghost' }) };

async function openWorld(shop: DashboardShop, users: readonly string[]) {
  const world = await openManyRows(shop, users);
  return {
    ...world,
    labelOf: async (id: string) => (await world.customer.get(`/v2/evaluations/${id}`)).body.feedback,
    label: (id: string, label: string, note?: string) =>
      world.customer.ask(`/v2/evaluations/${id}/feedback`, { label, ...(note !== undefined && { note }) }),
    /** Evaluates a sign-up that is restricted, and therefore waits for a review. Returns its ID. */
    async restrict(user: string): Promise<string> {
      const fingerprint = fingerprintOf({ seed: user });
      const request = { action: 'signup', user, fingerprint, email: `${user}@mailinator.com` };
      return (await world.customer.evaluate(request)).evaluation_id;
    },
    /** Signs a viewer in. Returns their form. */
    async viewer() {
      const projectId = world.project.project.id;
      const email = `viewer-${projectId}@example.com`;
      const member = await memberAt(shop.app.url, shop.service.service, { email, role: 'viewer', projectId });
      await member.get(`${world.base}/users`);
      const csrf = member.fields().get('csrf') ?? '';
      return (path: string, fields: Record<string, string>) => member.post(world.base + path, { csrf, ...fields });
    },
  };
}

describeDatabases('labels of many evaluations', (kind) => {
  let shop: DashboardShop;
  beforeAll(async () => {
    shop = await openDashboardShop(kind);
  });
  afterAll(() => shop.close());

  test('are given after a preview, end the wait for a review, and are taken back', async () => {
    const world = await openWorld(shop, ['ann', 'bob', 'cleo']);
    const [plain, legitimate, fraud] = world.people.map(({ evaluation }) => evaluation);
    const waiting = await world.restrict('eve');
    await world.label(legitimate, 'legitimate', 'A call by phone');
    await world.label(fraud, 'fraud', 'A chargeback');
    const ids = [plain, legitimate, fraud, waiting];
    const shown = await world.preview('evaluations', 'label_fraud', ids);
    expect(shown.text).toMatch(/4 evaluations : signup of ann, signup of bob, signup of cleo, signup of eve\./);
    expect(shown.text).toContain('You can undo this for 10 minutes.');
    expect(await world.labelOf(plain)).toBeUndefined();

    const page = await world.act('evaluations', 'label_fraud', ids);
    // Cleo's was labelled as fraud before.
    expect((await world.open(page)).text).toMatch(/Changed 3 evaluations.*by ines@example\.com.*Undo/);
    expect(await Promise.all(ids.map(world.labelOf))).toEqual([
      { label: 'fraud' },
      { label: 'fraud', note: 'A call by phone' },
      { label: 'fraud', note: 'A chargeback' },
      { label: 'fraud' },
    ]);
    expect((await world.open('/review')).text).toContain('Nothing waits for a review.');

    await world.undo(page);
    expect((await world.open(page)).text).toContain('It was undone.');
    expect(await Promise.all(ids.map(world.labelOf))).toEqual([
      undefined,
      { label: 'legitimate', note: 'A call by phone' },
      { label: 'fraud', note: 'A chargeback' },
      undefined,
    ]);
    expect((await world.open('/review')).html).toContain(waiting);
    const { text } = await world.open('/audit');
    expect(text).toMatch(/rows: 3/);
    expect(text).toContain('Action on many rows undone');
    const timeline = (await world.open(`/users/${world.people[0]?.id}`)).text;
    expect(timeline).toMatch(/Removed the label of an evaluation.*Labelled an evaluation as fraud/);
  });

  test('that somebody changed meanwhile are not taken back, and their reviews stay decided', async () => {
    const world = await openWorld(shop, []);
    const [changed, other] = [await world.restrict('eve'), await world.restrict('mallory')];
    const page = await world.act('evaluations', 'label_legitimate', [changed, other]);
    await world.label(changed, 'fraud', 'Seen again');
    await world.undo(page);
    expect(await world.labelOf(changed)).toEqual({ label: 'fraud', note: 'Seen again' });
    expect(await world.labelOf(other)).toBeUndefined();
    const queue = (await world.open('/review')).html;
    expect(queue).not.toContain(changed);
    expect(queue).toContain(other);
  });

  test('that somebody gave again meanwhile are not taken back', async () => {
    const world = await openWorld(shop, ['ann', 'bob', 'cleo']);
    const [ann, bob, cleo] = world.people.map(({ evaluation }) => evaluation ?? '');
    const { evaluation_id: ghost } = await world.customer.evaluate({ ...attempt, user: 'ghost' });
    const page = await world.act('evaluations', 'label_fraud', [ann, bob, cleo, ghost]);
    await world.label(ann ?? '', 'legitimate');
    await world.label(ann ?? '', 'fraud');
    await world.label(bob ?? '', 'fraud', 'A chargeback');
    await world.label(ghost, 'fraud', 'Seen before');
    await world.undo(page);
    expect((await world.open(page)).text).toContain('except for 3 that were changed since');
    expect((await world.open(page)).text).toContain('Left as they are: changed since 3 evaluations');
    expect(await Promise.all([ann, bob, cleo, ghost].map(world.labelOf))).toEqual([
      { label: 'fraud' },
      { label: 'fraud', note: 'A chargeback' },
      undefined,
      { label: 'fraud', note: 'Seen before' },
    ]);
  });

  test('are undone for evaluations without a user after the erasure of another user', async () => {
    const world = await openWorld(shop, ['ann']);
    const { evaluation_id: ghost } = await world.customer.evaluate({ ...attempt, user: 'ghost' });
    const page = await world.act('evaluations', 'label_fraud', [world.people[0]?.evaluation, ghost]);
    expect((await world.open(page)).text).toContain('Changed 2 evaluations');
    await world.customer.ask('/v2/user/ann/delete');
    expect((await world.open(page)).text).toContain('Changed 1 evaluation ');
    await world.undo(page);
    expect(await world.labelOf(ghost)).toBeUndefined();
  });

  test('are refused for viewers, evaluations of other projects, and rows of other lists', async () => {
    const world = await openWorld(shop, ['ann']);
    const other = await openWorld(shop, ['theirs']);
    const [own, foreign] = [world.people[0], other.people[0]];
    expect((await world.preview('evaluations', 'label_fraud', [own?.evaluation, foreign?.evaluation])).status).toBe(
      404,
    );
    expect((await world.preview('evaluations', 'label_fraud', [own?.id])).status).toBe(404);
    expect((await world.preview('users', 'label_fraud', [own?.id])).status).toBe(400);
    const post = await world.viewer();
    const fields = { source: 'evaluations', action: 'label_fraud', id: own?.evaluation ?? '' };
    expect((await post('/actions', fields)).status).toBe(403);
    expect((await post('/actions', { ...fields, confirmed: own?.id ?? '' })).status).toBe(403);
    expect(await world.labelOf(own?.evaluation)).toBeUndefined();
  });
});

describeDatabases('ending the sessions of many users', (kind) => {
  let shop: DashboardShop;
  beforeAll(async () => {
    shop = await openDashboardShop(kind);
  });
  afterAll(() => shop.close());

  test('signs out all their devices but blocked ones, and cannot be undone', async () => {
    const world = await openWorld(shop, ['ann', 'bob', 'cleo']);
    const [ann, bob, cleo] = world.people;
    const { customer } = world;
    const second = await customer.ask('/v2/device/attach', {
      user: 'ann',
      fingerprint: fingerprintOf({ seed: 'second' }),
    });
    const blocked = await customer.ask('/v2/device/attach', {
      user: 'ann',
      fingerprint: fingerprintOf({ seed: 'third' }),
    });
    await customer.ask(`/v2/device/${blocked.device_id}/update`, { status: 'blocked' });
    await customer.ask(`/v2/device/${ann?.device}/update`, { whitelisted: true });
    await customer.ask(`/v2/device/${bob?.device}/detach`);
    const eventsBefore = (await shop.service.events(world.project)).length;

    const ids = [ann?.id, bob?.id];
    const shown = await world.preview('users', 'end_sessions', ids);
    expect(shown.text).toMatch(/2 users : ann, bob\./);
    expect(shown.text).toContain('You cannot undo this.');
    const page = await world.act('users', 'end_sessions', ids);
    const done = await world.open(page);
    // Bob's device was signed out before.
    expect(done.text).toMatch(/Changed 1 user .*This cannot be undone\./);
    expect(done.html).not.toContain('/undo"');

    const devices = (await customer.get('/v2/user/ann/devices')).body.data;
    expect(
      new Map(devices.map((device: Record<string, unknown>) => [device._id, [device.status, device.trusted]])),
    ).toEqual(
      new Map([
        [ann?.device, ['detached', false]],
        [second.device_id, ['detached', false]],
        [blocked.device_id, ['blocked', false]],
      ]),
    );
    expect(await world.deviceOf('cleo')).toMatchObject({ _id: cleo?.device, status: 'attached' });
    const events = (await shop.service.events(world.project)).slice(eventsBefore);
    expect(events.map(({ type, data }) => [type, data])).toEqual(
      [ann?.device, second.device_id].map((_id) => [
        'device.detached',
        { device: expect.objectContaining({ _id, status: 'detached' }), cause: 'detach' },
      ]),
    );

    await world.undo(page);
    expect((await world.open(page)).text).toContain('This action cannot be undone. Nothing was changed.');
    expect(
      (await customer.get('/v2/user/ann/devices')).body.data.map(({ status }: { status: string }) => status),
    ).not.toContain('attached');
    const audit = (await world.open('/audit')).text;
    // The filter's choice, the device signed out by the key, and two by the action.
    expect(audit.match(/Device signed out/g)).toHaveLength(4);
    expect(audit).toMatch(/action: end sessions/);
  });

  test('signs out more devices than one transaction does', async () => {
    const world = await openWorld(shop, ['ann']);
    for (let at = 0; at < 21; at += 1) {
      const fingerprint = fingerprintOf({ seed: `device ${at}` });
      await world.customer.ask('/v2/device/attach', { user: 'ann', fingerprint });
    }
    const page = await world.act('users', 'end_sessions', [world.people[0]?.id]);
    expect((await world.open(page)).text).toContain('Changed 1 user ');
    const { total } = (await world.customer.get('/v2/user/ann/devices?status=detached')).body;
    expect(total).toBe(22);
  });

  test('is offered on the page of a user, for devices and for evaluations, and not to viewers', async () => {
    const world = await openWorld(shop, ['ann']);
    const [ann] = world.people;
    expect((await world.open(`/users/${ann?.id}`)).text).toContain('End sessions…');
    for (const [source, id] of [
      ['devices', ann?.device],
      ['evaluations', ann?.evaluation],
    ] as const) {
      expect((await world.preview(source, 'end_sessions', [id])).text).toContain('1 user : ann.');
    }
    const post = await world.viewer();
    const fields = { source: 'users', action: 'end_sessions', id: ann?.id ?? '' };
    expect((await post('/actions', { ...fields, confirmed: ann?.id ?? '' })).status).toBe(403);
    expect((await world.deviceOf('ann')).status).toBe('attached');
  });
});
