import { CompiledQuery, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hourMs } from '../../src/testing.js';
import { type Customer, customerOf, elsewhere, home, origin } from '../support/customer.js';
import { describeDatabases, describePostgresql } from '../support/databases.js';
import { fingerprintOf } from '../support/fingerprints.js';
import { startService, type TestProject, type TestService } from '../support/service.js';
import { onStatement, type RecordedStatement, recordStatements, unfilteredTables } from '../support/statements.js';

const seed = 'the shared computer';
/** Facets by which a second profile of one browser differs: another identity with the same hardware. */
const profile = ['raster', 'text', 'audio', 'fonts', 'metrics', 'media', 'surface', 'screen', 'locale'] as const;
const one = fingerprintOf({ seed });
const two = fingerprintOf({ seed, changed: profile });
const updated = fingerprintOf({ seed, descriptor: 'dlc157', changed: ['surface'] });
const unknownId = '0197a6f0-0000-5000-8000-000000000000';
const other = fingerprintOf({ seed: 'another computer' });

describeDatabases('hardware', (kind) => {
  let service: TestService;
  let project: TestProject;
  let customer: Customer;
  beforeAll(async () => {
    service = await startService({ database: kind });
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    project = await service.newProject({ hardware_id: true, allowed_origins: [origin] });
    customer = customerOf(service, project);
  });

  const login = (user: string, fingerprint: string, more: object = {}) =>
    customer.evaluate({ action: 'login', user, fingerprint, ip: home, ...more });
  const usersWith = async (id: string, query = '') =>
    (await customer.get(`/v2/devices?hardware_id=${id}${query}`)).body.data.map(
      (device: { external_user: string }) => device.external_user,
    );

  describe('hardware_id', () => {
    test('is the same for two profiles of one browser, with the number of devices', async () => {
      const [first, second, third] = [await login('ann', one), await login('bob', two), await login('eve', other)];
      expect(second.fingerprint_id).not.toBe(first.fingerprint_id);
      expect(second.hardware_id).toBe(first.hardware_id);
      expect(third.hardware_id).not.toBe(first.hardware_id);
      expect([first, second, third].map((answer) => answer.hardware_devices)).toEqual([1, 2, 1]);
      expect((await login('ann', updated)).hardware_id).toBe(first.hardware_id);
    });

    test('is in evaluations and in the lists of devices', async () => {
      const { evaluation_id, hardware_id } = await login('ann', one);
      await login('bob', two);
      const expected = { hardware_id, hardware_devices: 2 };
      const { body: record } = await customer.get(`/v2/evaluations/${evaluation_id}`);
      expect(record).toMatchObject(expected);
      expect(record).not.toHaveProperty('hardware_users_today_at_network');
      expect((await customer.get('/v2/user/ann/devices')).body.data).toMatchObject([expected]);
      const { body: consumed } = await customer.post(`/v2/evaluations/${evaluation_id}/consume`, {
        user: 'ann',
        action: 'login',
      });
      expect(consumed).toMatchObject({ ...expected, hardware_users_today_at_network: 2 });
    });

    test('is another one in another project and in the test mode', async () => {
      const stranger = customerOf(service, await service.newProject({ hardware_id: true }));
      const answers = [await login('ann', one)];
      for (const from of [stranger, customerOf(service, project, 'test')]) {
        answers.push(await from.evaluate({ action: 'login', user: 'ann', fingerprint: one, ip: home }));
      }
      const ids = answers.map(({ hardware_id }) => hardware_id);
      expect(new Set(ids).size).toBe(3);
      expect(answers.map(({ hardware_devices }) => hardware_devices)).toEqual([1, 1, 1]);
      expect((await stranger.get(`/v2/devices?hardware_id=${ids[0]}`)).body).toMatchObject({ data: [], total: 0 });
    });

    test('contains no text of the fingerprint', async () => {
      const { hardware_id } = await login('ann', one);
      expect(hardware_id).toMatch(/^[\da-f]{8}-[\da-f]{4}-5[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
      // The facets, and their bytes, in any notation.
      const [, descriptor = '', hardware = ''] = one.split('.');
      for (const part of [descriptor, ...(hardware.match(/.{4}/g) ?? [])]) {
        const bytes = Buffer.from(part, 'base64url').toString('hex');
        for (const text of [part, bytes]) expect(hardware_id.replaceAll('-', '')).not.toContain(text.toLowerCase());
      }
    });

    test('is absent for a publishable key, and present when the evaluation is consumed', async () => {
      const claim = await customer.claim('ann', { fingerprint: one });
      expect(Object.keys(claim).filter((name) => name.startsWith('hardware'))).toEqual([]);
      const answer = await customer.ask(`/v2/evaluations/${claim.evaluation_id}/consume`, {
        user: 'ann',
        action: 'login',
      });
      expect(answer).toMatchObject({ hardware_id: expect.any(String), hardware_devices: 1 });
    });

    test('is absent if the setting is off', async () => {
      const quiet = customerOf(service, await service.newProject());
      const answer = await quiet.evaluate({ action: 'login', user: 'ann', fingerprint: one, ip: home });
      const { body: record } = await quiet.get(`/v2/evaluations/${answer.evaluation_id}`);
      const [device] = (await quiet.get('/v2/user/ann/devices')).body.data;
      for (const body of [answer, record, device]) {
        expect(Object.keys(body).filter((name) => name.startsWith('hardware'))).toEqual([]);
      }
    });

    test('is absent if the hardware cannot be read', async () => {
      const hidden = fingerprintOf({ seed, missing: ['engine', 'platform', 'cpu', 'memory'] });
      for (const fingerprint of [hidden, 'opaque text']) {
        expect(await login('ann', fingerprint)).not.toHaveProperty('hardware_id');
      }
    });

    test('is found from the next evaluation on if the hardware of a recorded device has no crowd yet', async () => {
      const { hardware_id } = await login('ann', one);
      await sql`delete from crowds where hardware_key <> ''`.execute(service.db);
      expect(await usersWith(hardware_id)).toEqual([]);
      expect(await login('ann', one)).toMatchObject({ hardware_id, hardware_devices: 0 });
      expect(await usersWith(hardware_id)).toEqual(['ann']);
    });
  });

  describe('hardware_users_today_at_network', () => {
    test('counts the users of the hardware at the address within 24 hours', async () => {
      await login('ann', one);
      await login('ann', two);
      await login('bob', two);
      await login('eve', other);
      await login('far', one, { ip: elsewhere });
      const count = async (fingerprint: string, more: object = {}) =>
        (await login('dan', fingerprint, more)).hardware_users_today_at_network;
      expect(await count(one)).toBe(3);
      expect(await count(one, { ip: elsewhere })).toBe(2);
      expect(await count(one, { ip: undefined })).toBeUndefined();
      service.clock.advance(25 * hourMs);
      expect(await count(one)).toBe(1);
    });

    test('is returned for a failed attempt, which records nothing', async () => {
      await login('ann', one);
      const failed = await login('nobody', fingerprintOf({ seed, changed: profile }), { outcome: 'failed' });
      expect(failed).toMatchObject({ hardware_devices: 1, hardware_users_today_at_network: 1 });
      const unseen = await login('nobody', other, { outcome: 'failed' });
      expect(unseen).toMatchObject({ hardware_devices: 0, hardware_users_today_at_network: 0 });
      const { rows } = await sql`select from crowds where hardware_id = ${unseen.hardware_id}`.execute(service.db);
      expect(rows).toEqual([]);
    });
  });

  describe('GET /v2/devices', () => {
    test('returns the devices of all users in pages, newest first', async () => {
      const { hardware_id } = await login('ann', one);
      service.clock.advance(1000);
      await login('bob', two);
      service.clock.advance(1000);
      // Supersedes the key of the first variant, which still belongs to the device of ann.
      await login('eve', updated);
      await login('far', other);
      expect(await usersWith(hardware_id)).toEqual(['eve', 'bob', 'ann']);
      expect(await usersWith(hardware_id, '&limit=2&page=2')).toEqual(['ann']);
      const { body } = await customer.get(`/v2/devices?hardware_id=${hardware_id}&limit=1&page=9`);
      expect(body).toEqual({ data: [], page: 9, limit: 1, total: 3 });
    });

    test('can be filtered by status', async () => {
      const { hardware_id, challenge_id } = await login('ann', one);
      await login('bob', two);
      await customer.ask(`/v2/challenges/${challenge_id}/complete`);
      expect(await usersWith(hardware_id, '&status=attached')).toEqual(['ann']);
      expect(await usersWith(hardware_id, '&status=pending')).toEqual(['bob']);
    });

    test('returns an empty list for an unknown ID, and refuses a malformed or missing one', async () => {
      await login('ann', one);
      expect(await usersWith(unknownId)).toEqual([]);
      for (const query of ['?hardware_id=none', ''])
        expect((await customer.get(`/v2/devices${query}`)).status).toBe(400);
    });
  });

  describe('GET /v2/user/:id/devices?hardware_id', () => {
    test('returns only devices with this hardware', async () => {
      const { hardware_id, device_id } = await login('ann', one);
      await login('ann', other);
      await login('bob', two);
      const path = '/v2/user/ann/devices?hardware_id=';
      const { body } = await customer.get(`${path}${hardware_id}`);
      expect(body).toMatchObject({ data: [{ _id: device_id, hardware_id }], total: 1 });
      expect((await customer.get(`${path}none`)).status).toBe(400);
    });
  });
});

describePostgresql('statements for the hardware', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ database: 'postgresql' });
  });
  afterAll(() => service.close());

  test('are only executed if the setting is on, and filter by world_id', async () => {
    const texts = recordStatements();
    const counts: number[] = [];
    // Off first, because the statements are recorded for both.
    for (const hardware_id of [false, true]) {
      const customer = customerOf(service, await service.newProject({ hardware_id }));
      const request = { action: 'login', user: 'ann', fingerprint: one, ip: home };
      const answer = await customer.evaluate(request);
      await customer.get(`/v2/evaluations/${answer.evaluation_id}`);
      await customer.get('/v2/user/ann/devices');
      counts.push([...texts].filter((text) => /from crowds( c)?\s+where .*hardware_id/s.test(text)).length);
      if (!hardware_id) continue;
      await customer.get(`/v2/devices?hardware_id=${unknownId}`);
      await customer.get(`/v2/user/ann/devices?hardware_id=${unknownId}`);
    }
    expect([...texts].filter((text) => unfilteredTables(text).length > 0)).toEqual([]);
    expect(counts).toEqual([0, 2]);
  });

  test('use indexes and count exactly in a crowd of 20,000 devices with the same hardware', async () => {
    const project = await service.newProject({ hardware_id: true });
    const customer = customerOf(service, project);
    const { hardware_id } = await customer.evaluate({ action: 'login', user: 'ann', fingerprint: one, ip: home });
    await addCrowd(service, project, 20_000);
    const statements: RecordedStatement[] = [];
    onStatement((statement) => statements.push(statement));
    const answer = await customer.evaluate({ action: 'login', user: 'ann', fingerprint: one, ip: home });
    expect(answer).toMatchObject({ hardware_id, hardware_devices: 20_001, hardware_users_today_at_network: 100 });
    const { body } = await customer.get(`/v2/devices?hardware_id=${hardware_id}`);
    expect(body.total).toBe(1000);
    await customer.get(`/v2/user/ann/devices?hardware_id=${hardware_id}`);
    const read = statements.filter(({ text }) => /hardware_(id|key)/.test(text) && /^\s*(select|with)/i.test(text));
    expect(read.length).toBeGreaterThanOrEqual(4);
    for (const { text, values } of read) {
      const { rows } = await service.db.executeQuery<Record<string, string>>(
        CompiledQuery.raw(`explain ${text}`, [...values]),
      );
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan, text).not.toMatch(/Seq Scan on (variants|devices|users|user_addresses|identities)/);
    }
  });
});

/** Adds devices with the hardware of the project's only device, each of another user at its address. */
async function addCrowd({ db }: TestService, { project }: TestProject, count: number): Promise<void> {
  const from = sql`(
    select w.id as world_id, i, gen_random_uuid() as identity_id, gen_random_uuid() as variant_id, gen_random_uuid() as user_id
    from worlds w, generate_series(1, ${sql.lit(count)}) i where w.project_id = ${project.id} and w.mode = 'live'
  )`;
  await sql`create temporary table crowd as ${from}`.execute(db);
  await sql`insert into identities (id, world_id, created_at) select identity_id, world_id, now() from crowd`.execute(
    db,
  );
  await sql`
    insert into variants (id, world_id, identity_id, digest, fingerprint, hardware_key, first_seen_at, last_seen_at)
    select c.variant_id, c.world_id, c.identity_id, sha256(c.i::text::bytea), v.fingerprint, v.hardware_key, v.last_seen_at, v.last_seen_at
    from crowd c join variants v on v.world_id = c.world_id and v.identity_id not in (select identity_id from crowd)
  `.execute(db);
  await sql`
    insert into users (id, world_id, external_id, metadata, status, created_at, updated_at)
    select user_id, world_id, 'user ' || i, '{}', 'active', now(), now() from crowd
  `.execute(db);
  await sql`
    insert into devices (id, world_id, user_id, identity_id, variant_id, status, kind, info, metadata, trusted, whitelisted,
      auto_detached, last_seen_at, created_at, updated_at)
    select gen_random_uuid(), world_id, user_id, identity_id, variant_id, 'attached', 'desktop', '{}', '{}', false, false,
      false, now(), now(), now() from crowd
  `.execute(db);
  await sql`
    insert into user_addresses (user_id, world_id, network, seen_at)
    select c.user_id, c.world_id, a.network, a.seen_at from crowd c join user_addresses a on a.world_id = c.world_id
  `.execute(db);
  await sql`
    update crowds set devices = devices + ${count} where world_id in (select world_id from crowd)
  `.execute(db);
  await sql`drop table crowd`.execute(db);
  await sql`analyze`.execute(db);
}
