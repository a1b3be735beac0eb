import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { elsewhere, laptop, phone, tablet } from '../support/customer.js';
import { type DashboardShop, openDashboardShop } from '../support/dashboard-shop.js';
import { describeDatabases } from '../support/databases.js';
import { fingerprintOf } from '../support/fingerprints.js';
import type { SeenPage } from '../support/visitor.js';

describeDatabases('users and devices on the dashboard', (kind) => {
  let shop: DashboardShop;
  beforeAll(async () => {
    shop = await openDashboardShop(kind);
  });
  afterAll(() => shop.close());

  describe('users', () => {
    let userId: string;
    beforeAll(async () => {
      await shop.attach('ann', { email: 'ann.walker@example.com', phone: '+491701234567' });
      await shop.customer.ask('/v2/user/ann/update', { metadata: { plan: 'family' } });
      const { id, code } = await shop.customer.sendCode('ann', { fingerprint: phone, ip: elsewhere });
      await shop.customer.ask(`/v2/challenges/${id}/verify`, { code });
      await shop.customer.ask(`/v2/challenges/${id}/complete`);
      userId = await shop.userIdOf('ann');
    });

    test("show a user's devices, addresses, challenges and timeline", async () => {
      const { text, html } = await shop.shown(`/users/${userId}`);
      expect(text).toContain('a***@e******.com');
      expect(text).toContain('+**********67');
      expect(text).toContain('plan family');
      expect(text).toContain('Chromium 156 on Linux attached');
      expect(text).toContain('WebKit 18 on Android attached trusted');
      expect(text).toMatch(new RegExp(`${elsewhere} .{1,30} UTC until`));
      expect(text).toContain('Evaluation: login challenge');
      expect(text).toContain('Challenge: login completed New device, New IP address');
      for (const event of ['Code sent', 'Challenge completed']) expect(text).toContain(event);
      for (const contact of ['walker', '1701234567']) expect(html).not.toContain(contact);
    });

    test.each([
      ['mail address', 'Ann.Walker@Example.com'],
      ['phone number', '0049 170 1234567'],
      ['identifier', 'ann'],
    ])('are found by their %s, which appears in no URL or log', async (_, text) => {
      const answer = await shop.post('/users/search', { q: text });
      expect(answer.status).toBe(303);
      expect(answer.headers.get('Location')).toBe(`${shop.base}/users/${userId}`);
      expect(shop.app.log()).toContain('/users/search');
      expect(shop.app.log()).not.toMatch(/walker|1701234567|170 123/i);
    });

    test('are found by their ID, a device ID, and an IP address', async () => {
      const { device_id } = await shop.attach('ann');
      for (const q of [userId, device_id]) {
        expect((await shop.post('/users/search', { q })).headers.get('Location')).toBe(`${shop.base}/users/${userId}`);
      }
      expect((await shop.post('/users/search', { q: elsewhere })).text).toMatch(
        /Seen at this IP address .* ann a\*\*\*/,
      );
      for (const q of ['192.0.2.250', 'nobody', 'nobody@example.com', '%', '\u0000', '\\', "'"]) {
        expect((await shop.post('/users/search', { q })).text, q).not.toContain('a***@');
      }
    });

    test('are found by the prefix of their external ID, in pages', async () => {
      const names = Array.from({ length: 27 }, (_, index) => `team-${String(index).padStart(2, '0')}`);
      await sql`
        insert into users (id, world_id, external_id, metadata, status, created_at, updated_at)
        select overlay(id::text placing lpad((n + base)::text, 4, '0') from 25)::uuid, world_id,
          'team-' || lpad(n::text, 2, '0'), '{}', 'active', created_at, created_at
        from users, generate_series(0, 26) n,
          -- Not the ID of the user who is copied.
          lateral (select case when substr(id::text, 25, 4) < '0100' then 100 else 10 end as base) own
        where users.id = ${userId}
      `.execute(shop.service.db);
      const first = await shop.post('/users/search', { q: 'team-' });
      expect(namesIn(first)).toEqual(names.slice(0, 25));
      const after = /name="after" value="([^"]+)"/.exec(first.html)?.[1] ?? '';
      const second = await shop.post('/users/search', { q: 'team-', after });
      expect(namesIn(second)).toEqual(names.slice(25));
      const listed = await shop.walk('/users', 'from', namesIn);
      expect(listed.filter((name) => name.startsWith('team-'))).toEqual(names.toReversed());
      expect(new Set(listed).size).toBe(listed.length);
      expect(listed).toContain('ann');
    });

    const namesIn = ({ html }: SeenPage) => [...html.matchAll(/title="([\w-]+)">\1</g)].map(([, name = '']) => name);

    test('can be suspended and reactivated, with the administrator recorded', async () => {
      await shop.attach('sue');
      const id = await shop.userIdOf('sue');
      const { text } = await shop.shown(`/users/${id}`);
      expect(text).toContain('Denies every evaluation of this user');
      expect((await shop.post(`/users/${id}/suspend`)).status).toBe(303);
      const suspended = (await shop.shown(`/users/${id}`)).text;
      expect(suspended).toContain('The user is suspended.');
      expect(suspended).toContain('Suspended the user by ines@example.com');
      expect((await shop.customer.evaluate({ action: 'login', user: 'sue', fingerprint: laptop })).verdict).toBe(
        'deny',
      );
      await shop.post(`/users/${id}/activate`);
      expect((await shop.shown(`/users/${id}`)).text).toContain('Reactivated the user');
      expect((await shop.customer.evaluate({ action: 'login', user: 'sue', fingerprint: laptop })).verdict).not.toBe(
        'deny',
      );
    });

    test('have a complete timeline in order, even if busy', async () => {
      await shop.attach('busy');
      // Two entries with the same time.
      await sql`
        insert into evaluations (id, world_id, user_id, external_user, identity_id, variant_id, action, verdict, reasons,
          findings, request, confidence, matched_by, changed, accepted, claimed, created_at)
        select gen_random_uuid(), world_id, user_id, external_user, identity_id, variant_id, 'visit_' || n, verdict,
          reasons, findings, request, confidence, matched_by, changed, accepted, claimed, created_at - interval '1 second' * (n / 2)
        from evaluations, generate_series(0, 59) n where external_user = 'busy'
      `.execute(shop.service.db);
      const seen = await shop.walk(`/users/${await shop.userIdOf('busy')}`, 'timeline', ({ text }) =>
        [...text.matchAll(/Evaluation: visit (\d+)/g)].map(([, count]) => Number(count)),
      );
      expect(seen.toSorted((one, other) => one - other)).toEqual(Array.from({ length: 60 }, (_, index) => index));
      const moments = seen.map((count) => Math.floor(count / 2));
      expect(moments).toEqual(moments.toSorted((one, other) => one - other));
    });
  });

  describe('devices', () => {
    test('are listed by status, with their users', async () => {
      await shop.attach('lisa', { fingerprint: tablet });
      const { device_id } = await shop.attach('lisa', { fingerprint: 'a text of her own' });
      await shop.customer.ask(`/v2/device/${device_id}/update`, { status: 'blocked' });
      const [attached, blocked] = ['WebKit 18 on Android lisa attached', 'Unknown device lisa blocked'];
      const listed = async (status: string) => (await shop.shown(`/devices?status=${status}`)).text;
      expect((await shop.shown('/devices')).text).toContain(attached);
      expect(await listed('attached')).not.toContain('Unknown device lisa');
      expect(await listed('blocked')).toContain(blocked);
      expect(await listed('blocked')).not.toContain('WebKit 18 on Android lisa');
      expect(await listed('detached')).not.toContain('lisa');
      const { project: other } = await shop.service.newProject();
      const none = await shop.visitor.get(`/dashboard/${other.id}/live/devices?status=detached`);
      expect(none.text).toContain('No devices found.');
    });

    test('show the fingerprint history, its changes, and other users', async () => {
      const before = fingerprintOf({ seed: 'shared' });
      const after = fingerprintOf({ seed: 'shared', descriptor: 'dlc157', changed: ['gl', 'surface'] });
      const { device_id, fingerprint_id } = await shop.attach('max', { fingerprint: before });
      await shop.attach('moritz', { fingerprint: before });
      await shop.attach('max', { fingerprint: after, last_fingerprint: before });
      const { text, html } = await shop.shown(`/devices/${device_id}`);
      expect(text).toContain('Chromium 156 → Chromium 157 software: WebGL, CSS properties');
      expect(text).toContain('WebGL (software) usually changes with: graphics driver update; browser update, rarely');
      expect(text).toMatch(/Other users of this browser .* moritz device attached/);
      expect(text).toContain('saved fingerprint, 100%');
      expect(html).toMatch(/<svg [^>]*aria-label="Fingerprint of a Chromium browser on Linux; changed: gl, surface"/);
      expect(html).not.toMatch(/<[^>]* style=/);
      for (const q of [before, after, fingerprint_id]) {
        const location = (await shop.post('/devices/search', { q })).headers.get('Location') ?? '';
        expect(location).toBe(`${shop.base}/devices?fingerprint_id=${fingerprint_id}`);
        expect((await shop.visitor.get(location)).text).toMatch(/moritz .*max |max .*moritz /);
      }
      const byId = await shop.post('/devices/search', { q: device_id });
      expect(byId.headers.get('Location')).toBe(`${shop.base}/devices/${device_id}`);
      expect((await shop.post('/devices/search', { q: 'none such' })).text).toContain('No device with this ID');
    });

    test('are signed out as by the API: event, end of trust, and audit entry', async () => {
      const { device_id } = await shop.attach('dora');
      const page = await shop.shown(`/devices/${device_id}`);
      expect(page.text).toContain('Detaches the device, removes its trust');
      const answer = await shop.post(`/devices/${device_id}/detach`, { from: 'user' });
      const id = await shop.userIdOf('dora');
      expect(answer.headers.get('Location')).toBe(`${shop.base}/users/${id}`);
      const { text } = await shop.shown(`/users/${id}`);
      expect(text).toContain('The device is signed out.');
      expect(text).toContain('Device signed out by the project');
      expect(text).toContain('Signed out a device by ines@example.com');
      const told = (await shop.service.events(shop.project)).filter(({ data }) => data.device?._id === device_id);
      expect(told).toMatchObject([
        { type: 'device.detached', data: { cause: 'detach', device: { status: 'detached' } } },
      ]);
      // Repeating it changes nothing, emits nothing and records nothing.
      await shop.post(`/devices/${device_id}/detach`);
      expect((await shop.shown(`/users/${id}`)).text.match(/Signed out a device/g)).toHaveLength(1);
    });

    test('can be blocked, unblocked and trusted, and outdated forms have no effect', async () => {
      const { device_id } = await shop.attach('bob');
      const state = async () => (await shop.customer.get('/v2/user/bob/devices')).body.data[0];
      const act = async (name: string) => {
        await shop.post(`/devices/${device_id}/${name}`);
        return (await shop.shown(`/devices/${device_id}`)).text;
      };
      /** Posts a form from a page that was opened earlier. */
      const actTooLate = async (...names: string[]) => {
        const before = await state();
        for (const name of names) expect(await act(name), name).toContain('Nothing was changed');
        expect(await state()).toEqual(before);
      };
      await actTooLate('unblock', 'distrust');
      expect(await act('block')).toMatch(/The device is blocked.*Unblock…/);
      expect(await state()).toMatchObject({ status: 'blocked', trusted: false });
      await actTooLate('block', 'trust', 'detach');
      await act('unblock');
      expect(await act('trust')).toContain('The device is permanently trusted.');
      expect(await state()).toMatchObject({ status: 'attached', whitelisted: true });
      await actTooLate('trust');
      await act('distrust');
      expect(await state()).toMatchObject({ status: 'attached', whitelisted: false });
      await act('detach');
      await actTooLate('unblock', 'detach');
      const history = (await shop.shown(`/users/${await shop.userIdOf('bob')}`)).text;
      for (const done of ['Blocked a', 'Unblocked a', 'Marked a', 'Removed permanent trust from a', 'Signed out a']) {
        expect(history.split(`${done} device`), done).toHaveLength(2);
      }
    });
  });
});
