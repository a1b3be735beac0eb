import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { customerOf, laptop, phone, tablet } from '../support/customer.js';
import { type DashboardShop, openDashboardShop } from '../support/dashboard-shop.js';
import { describeDatabases } from '../support/databases.js';
import { berlin, tokyo, writePlaces } from '../support/two-places.js';
import type { SeenPage } from '../support/visitor.js';

describeDatabases('filters of devices and challenges', (kind) => {
  let folder: string;
  let shop: DashboardShop;
  /** IDs of devices, in the order in which they were seen, the newest first. */
  let devices: Readonly<Record<'disowned' | 'blocked' | 'laptop' | 'phone', string>>;
  let facts: { readonly user: string; readonly browser: string };
  /** IDs of challenges: `skipped` was created before `pending`, and `completed` first. */
  let challenges: Readonly<Record<'pending' | 'skipped' | 'completed', string>>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'whorl-filters-'));
    const database = await writePlaces(folder);
    shop = await openDashboardShop(kind, { environment: { ADDRESS_DATABASES: database } });
    const { customer } = shop;
    const onPhone = await shop.attach('ada', { fingerprint: phone, ip: tokyo });
    const onLaptop = await shop.attach('ada', { fingerprint: laptop, ip: berlin });
    const blocked = await shop.attach('=bob', { fingerprint: tablet, ip: tokyo });
    const disowned = await shop.attach('cora', { fingerprint: 'a text of her own', ip: berlin });
    await customer.ask(`/v2/device/${onLaptop.device_id}/update`, { whitelisted: true });
    await customer.ask(`/v2/device/${blocked.device_id}/update`, { status: 'blocked' });
    await customer.ask(`/v2/device/${disowned.device_id}/disown`, {});
    devices = {
      phone: onPhone.device_id,
      laptop: onLaptop.device_id,
      blocked: blocked.device_id,
      disowned: disowned.device_id,
    };
    facts = { user: await shop.userIdOf('ada'), browser: onLaptop.fingerprint_id };
  });
  afterAll(async () => {
    await shop.close();
    await rm(folder, { recursive: true });
  });

  const idsIn = (list: string, { html }: SeenPage) => [
    ...new Set([...html.matchAll(new RegExp(`/${list}/([0-9a-f-]{36})"`, 'g'))].map(([, id]) => id)),
  ];
  const listed = async (list: 'devices' | 'challenges', query: Record<string, string>) =>
    idsIn(list, await shop.shown(`/${list}?${new URLSearchParams(query)}`));

  /** Adds devices of new users, on a desktop in Berlin, that were seen later than a device. */
  const copyDevice = (id: string, count: number) =>
    shop.service.db.transaction().execute(async (trx) => {
      // Without checks of foreign keys, which take seconds in the embedded database.
      await sql`set local session_replication_role = replica`.execute(trx);
      await sql`
      with more as (
        insert into users (id, world_id, external_id, metadata, status, created_at, updated_at)
        select gen_random_uuid(), u.world_id, gen_random_uuid(), '{}', 'active', u.created_at, u.updated_at
        from users u join devices d on d.world_id = u.world_id and d.user_id = u.id,
        generate_series(1, ${count}::int) where d.id = ${id} returning id, world_id
      )
      insert into devices (id, world_id, user_id, identity_id, status, kind, info, metadata, trusted, whitelisted,
        auto_detached, variant_id, last_ip, last_seen_at, created_at, updated_at)
      select gen_random_uuid(), d.world_id, more.id, d.identity_id, 'attached', 'desktop', d.info, '{}', false, false,
        false, d.variant_id, ${berlin}, d.last_seen_at + interval '1 minute', d.created_at, d.updated_at
      from devices d join more on more.world_id = d.world_id where d.id = ${id}
    `.execute(trx);
    });

  describe('devices', () => {
    const all = ['disowned', 'blocked', 'laptop', 'phone'] as const;
    const cases = (): readonly (readonly [Record<string, string>, readonly (keyof typeof devices)[]])[] => [
      [{}, all],
      [{ status: 'attached' }, ['laptop', 'phone']],
      [{ status: 'blocked', disowned: 'false' }, ['blocked']],
      [{ disowned: 'true' }, ['disowned']],
      [{ user_id: facts.user }, ['laptop', 'phone']],
      [{ user_id: facts.user, status: 'blocked' }, []],
      [{ fingerprint_id: facts.browser }, ['laptop']],
      [{ fingerprint_id: facts.browser, user_id: facts.user, status: 'attached' }, ['laptop']],
      [{ trusted: 'true', country: 'DE' }, ['laptop']],
      [{ proven: 'true' }, []],
      [{ kind: 'mobile' }, ['phone']],
      [{ os: 'android', status: 'attached' }, ['phone']],
      [{ browser: 'webkit', kind: 'tablet' }, ['blocked']],
      [{ browser: 'Netscape' }, []],
      [{ ip: tokyo }, ['blocked', 'phone']],
      [{ ip: '81.2.69.0/24' }, ['disowned', 'laptop']],
      [{ country: 'jp' }, ['blocked', 'phone']],
      [{ asn: 'AS64496', status: 'attached' }, ['laptop']],
      [{ address_kind: 'vpn' }, []],
      [{ seen_start_date: '2020-01-01', seen_end_date: '2090-01-01' }, all],
      [{ seen_start_date: '2090-01-01' }, []],
      [{ seen_end_date: '2020-01-01' }, []],
      [{ start_date: '2090-01-01' }, []],
      [{ end_date: '2020-01-01' }, []],
    ];

    test('are found by what matches all filters, most recently seen first', async () => {
      for (const [query, names] of cases()) {
        expect(await listed('devices', query), JSON.stringify(query)).toEqual(names.map((name) => devices[name]));
      }
    });

    test('are found by your identifier, which is not in the URL', async () => {
      const found = await shop.post('/devices/filter', { user: 'ada', kind: 'mobile' });
      expect(found.headers.get('Location')).toBe(`${shop.base}/devices?kind=mobile&user_id=${facts.user}`);
      expect((await shop.post('/devices/filter', { user: 'nobody' })).status).toBe(422);
    });

    test('are not listed for a filter that is not valid', async () => {
      const page = await shop.open(`/devices?status=lost&trusted=maybe&os=${'x'.repeat(65)}&hardware_id=1&ip=1.2.3`);
      expect(page.status).toBe(422);
      expect(page.text).toContain('It must be true or false.');
      expect(page.text).toContain('It must be a name of at most 64 characters.');
      expect(idsIn('devices', page)).toEqual([]);
      expect((await shop.open('/devices?seen_start_date=2026-02-01&seen_end_date=2026-01-01')).status).toBe(422);
    });

    test('are downloaded, and the download is recorded without the address', async () => {
      const csv = await shop.post('/devices/export', { format: 'csv', ip: tokyo, status: 'blocked' });
      const [header = '', line = '', ...others] = csv.html.trimEnd().split('\n');
      expect(others).toEqual([]);
      expect(header).toMatch(/^device_id,user,user_id,/);
      expect(line.split(',')).toEqual(expect.arrayContaining([devices.blocked, "'=bob", 'blocked', tokyo]));
      const json = await shop.post('/devices/export', { format: 'jsonl', country: 'DE' });
      const rows = json.html
        .trimEnd()
        .split('\n')
        .map((text) => JSON.parse(text));
      expect(rows.map(({ device_id }) => device_id)).toEqual([devices.disowned, devices.laptop]);
      expect(rows[1]).toMatchObject({ whitelisted: true, user: 'ada' });
      const { text } = await shop.shown('/audit?kind=devices_exported');
      expect(text).toContain('status: blocked, ip: …');
      expect(text).not.toContain(tokyo);
      expect((await shop.post('/devices/export', { format: 'csv', csrf: 'AAAA' })).status).toBe(403);
    });

    test('are listed and downloaded to the end, also if a user is erased meanwhile', async () => {
      const { customer, base } = await anotherShop();
      const { device_id } = await customer.ask('/v2/device/attach', { user: 'first', fingerprint: phone, ip: tokyo });
      await copyDevice(device_id, 1000);
      // The devices were read before, and their users are read afterwards. Without a trigger, the devices stay.
      await shop.service.db.transaction().execute(async (trx) => {
        await sql`set local session_replication_role = replica`.execute(trx);
        await sql`
          delete from users using (
            select world_id, user_id from devices
            where world_id = (select world_id from devices where id = ${device_id}) order by last_seen_at desc, id desc limit 2
          ) newest where users.world_id = newest.world_id and users.id = newest.user_id
        `.execute(trx);
      });
      expect((await shop.visitor.get(`${base}/devices`)).html).toContain('rel="next"');
      const csrf = shop.visitor.fields().get('csrf') ?? '';
      const csv = await shop.visitor.post(`${base}/devices/export`, { csrf, format: 'csv' });
      expect(csv.html.trimEnd().split('\n')).toHaveLength(1 + 1001 - 2);
      expect(csv.html).toContain(device_id);
    });

    test('stop a search that finds little, and continue where it stopped', async () => {
      const { customer, base } = await anotherShop();
      const { device_id } = await customer.ask('/v2/device/attach', { user: 'first', fingerprint: phone, ip: tokyo });
      await copyDevice(device_id, 5100);
      for (const query of ['kind=mobile', 'country=JP']) {
        const first = await shop.visitor.get(`${base}/devices?${query}`);
        expect(first.text, query).toContain('Older entries may also match.');
        expect(idsIn('devices', first)).toEqual([]);
        const next = /href="([^"]+)" rel="next"/.exec(first.html)?.[1]?.replaceAll('&amp;', '&') ?? '';
        expect(idsIn('devices', await shop.visitor.get(next)), query).toEqual([device_id]);
      }
    });
  });

  describe('challenges', () => {
    beforeAll(async () => {
      const { customer } = shop;
      const { id, code } = await customer.sendCode('dora', { fingerprint: phone, ip: tokyo });
      await customer.ask(`/v2/challenges/${id}/verify`, { code });
      await customer.ask(`/v2/challenges/${id}/complete`, {});
      const skipped = await customer.challenge('=emil', { ip: tokyo, action: 'payment' });
      await customer.ask(`/v2/challenges/${skipped.challenge_id}/skip`);
      const pending = await customer.challenge('fred', { ip: berlin });
      challenges = { pending: pending.challenge_id, skipped: skipped.challenge_id, completed: id };
      facts = { user: await shop.userIdOf('fred'), browser: pending.fingerprint_id };
    });
    const all = ['pending', 'skipped', 'completed'] as const;
    const cases = (): readonly (readonly [Record<string, string>, readonly (keyof typeof challenges)[]])[] => [
      [{}, all],
      [{ status: 'pending' }, ['pending']],
      [{ status: 'skipped', action: 'payment' }, ['skipped']],
      [{ status: 'expired' }, []],
      [{ action: 'login' }, ['pending', 'completed']],
      [{ reason: 'new_device' }, all],
      [{ method: 'email' }, ['completed']],
      [{ method: 'totp' }, []],
      [{ user_id: facts.user }, ['pending']],
      [{ user_id: facts.user, status: 'completed' }, []],
      [{ fingerprint_id: facts.browser }, ['pending', 'skipped']],
      [{ ip: tokyo }, ['skipped', 'completed']],
      [{ ip: '81.2.0.0/16' }, ['pending']],
      [{ start_date: '2090-01-01' }, []],
      [{ end_date: '2020-01-01' }, []],
    ];

    test('are found by what matches all filters, newest first', async () => {
      for (const [query, names] of cases()) {
        expect(await listed('challenges', query), JSON.stringify(query)).toEqual(names.map((one) => challenges[one]));
      }
    });

    test('are not listed for a filter that is not valid', async () => {
      const page = await shop.open(`/challenges?status=lost&reason=hacking&method=${'x'.repeat(65)}&device_id=1`);
      expect(page.status).toBe(422);
      expect(page.text).toContain('It must be the ID of a device.');
      expect(idsIn('challenges', page)).toEqual([]);
    });

    test('are downloaded without codes, and the download is recorded', async () => {
      const csv = await shop.post('/challenges/export', { format: 'csv', action: 'payment' });
      const [header = '', line = ''] = csv.html.trimEnd().split('\n');
      expect(header).not.toMatch(/code/);
      expect(line.split(',')).toEqual(expect.arrayContaining([challenges.skipped, "'=emil", 'payment', 'skipped']));
      const json = await shop.post('/challenges/export', { format: 'jsonl', method: 'email' });
      expect(JSON.parse(json.html)).toMatchObject({ challenge_id: challenges.completed, verified_by: 'email' });
      expect((await shop.shown('/audit?kind=challenges_exported')).text).toContain('method: email');
      expect((await shop.post('/challenges/export', { format: 'xml' })).status).toBe(400);
    });
  });

  test('find nothing of another project', async () => {
    const { customer } = await anotherShop();
    const theirs = await customer.challenge('zoe', { ip: tokyo });
    expect(await listed('devices', { fingerprint_id: theirs.fingerprint_id })).toEqual([]);
    expect(await listed('devices', { user_id: theirs.user_id })).toEqual([]);
    expect(await listed('challenges', { user_id: theirs.user_id })).toEqual([]);
    expect(await listed('challenges', { device_id: theirs.device_id })).toEqual([]);
  });

  async function anotherShop() {
    const project = await shop.service.newProject();
    return { customer: customerOf(shop.service, project), base: `/dashboard/${project.project.id}/live` };
  }
});
