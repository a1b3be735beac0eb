import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  hourMs,
  loadPast,
  mergeVelocity,
  normaliseRequest,
  PendingCounts,
  readWorlds,
  storeCounts,
  storePending,
  subjectsOf,
  type Velocity,
  withoutTransaction,
} from '../../src/testing.js';
import { type Customer, customerOf, elsewhere, laptop, origin, phone } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { fingerprintOf } from '../support/fingerprints.js';
import { writeMmdb } from '../support/mmdb.js';
import { startService, type TestProject, type TestService } from '../support/service.js';

/** Distinct values are estimates: few are within 1, and up to 16 within 5, but for one run in 10,000. */
const near = (count: number) => expect.closeTo(count, count < 5 ? -0.5 : -1);
const ip = '9.8.7.6';
const login = { action: 'login', user: 'ada', fingerprint: laptop, ip, email: 'ada@example.com' };

describeDatabases('counts', (kind) => {
  let folder: string;
  let service: TestService;
  let project: TestProject;
  let customer: Customer;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'whorl-velocity-'));
    const database = join(folder, 'places.mmdb');
    const place = (country: string) => ({ country: { iso_code: country }, autonomous_system_number: 64500 });
    const networks = [['9.8.0.0/16', place('DE')] as const, ['9.9.0.0/16', place('FR')] as const];
    await writeFile(database, writeMmdb(networks, { type: 'Enterprise' }));
    service = await startService({ database: kind, environment: { ADDRESS_DATABASES: database } });
  });
  afterAll(async () => {
    await service.close();
    await rm(folder, { recursive: true });
  });
  beforeEach(async () => {
    project = await service.newProject({ allowed_origins: [origin], device_limit: { overall: null } });
    customer = customerOf(service, project);
    // At the start of an hour, so that the windows cover the same time in every run.
    const now = service.clock.now().getTime();
    service.clock.advance(Math.ceil(now / hourMs) * hourMs - now);
  });

  /** Returns the counts that the next evaluation would be judged by. */
  async function countsFor(request: typeof login, identityId: string): Promise<Velocity> {
    const worlds = await readWorlds(service.db);
    const world = worlds.find(({ project: { id }, mode }) => id === project.project.id && mode === 'live');
    if (!world) throw new Error('The project has no world.');
    const scope = withoutTransaction(service.service, { ...world, keyId: 'none', kind: 'secret' });
    const normalised = normaliseRequest(scope, request, request.user, { outcome: undefined, thumbprint: undefined });
    const subjects = subjectsOf(scope, scope.caller.worldId, normalised, identityId);
    const past = await loadPast(scope, { subjects, userId: null, userSince: null, network: null, identityId });
    return past.velocity;
  }

  test('of each subject in each window', async () => {
    const { fingerprint_id } = await customer.evaluate({ ...login, action: 'signup' });
    service.clock.advance(2 * hourMs);
    await customer.evaluate({ ...login, outcome: 'failed' });
    service.clock.advance(hourMs / 2);
    await customer.evaluate({ ...login, user: 'ben', ip: '9.9.7.6', email: 'ben@example.com' });
    await customer.evaluate({ ...login, user: 'cid', fingerprint: phone, ip: '9.8.7.1', email: 'cid@example.org' });
    const none = { evaluations: 0, failures: 0, signups: 0, users: 0, failedUsers: 0, devices: 0, countries: 0 };
    const one = { ...none, evaluations: 1, users: 1, devices: 1, countries: 1 };
    const failure = { ...one, failures: 1, failedUsers: 1 };
    const all = { ...failure, evaluations: 2, signups: 1 };
    // A user's own row does not count users, and a device's own row does not count devices.
    const own = { users: 0, failedUsers: 0 };
    expect(await countsFor(login, fingerprint_id)).toEqual({
      user: { fiveMinutes: none, hour: { ...failure, ...own }, day: { ...all, ...own } },
      device: {
        fiveMinutes: { ...one, devices: 0 },
        hour: { ...failure, evaluations: 2, users: near(2), devices: 0, countries: 2 },
        day: { ...all, evaluations: 3, users: near(2), devices: 0, countries: 2 },
      },
      address: { fiveMinutes: none, hour: failure, day: all },
      network: {
        fiveMinutes: one,
        hour: { ...failure, evaluations: 2, users: near(2), devices: near(2) },
        day: { ...all, evaluations: 3, users: near(2), devices: near(2) },
      },
      asn: {
        fiveMinutes: { ...one, evaluations: 2, users: near(2), devices: near(2), countries: 2 },
        hour: { ...failure, evaluations: 3, users: near(3), devices: near(2), countries: 2 },
        day: { ...all, evaluations: 4, users: near(3), devices: near(2), countries: 2 },
      },
      email_domain: {
        fiveMinutes: one,
        hour: { ...failure, evaluations: 2, users: near(2), countries: 2 },
        day: { ...all, evaluations: 3, users: near(2), countries: 2 },
      },
    });
  });

  test('stay the same when rows are merged, and end after a day', async () => {
    const { fingerprint_id } = await customer.evaluate(login);
    const request = (count: number) => ({ ...login, user: `user ${count}`, fingerprint: phone });
    for (let count = 0; count < 8; count++) {
      await customer.evaluate(request(count));
      service.clock.advance(hourMs / 10);
    }
    // By now the hour can be merged.
    service.clock.advance(1.3 * hourMs);
    const before = await countsFor(login, fingerprint_id);
    await storePending(service.service);
    expect(await countsFor(login, fingerprint_id)).toEqual(before);
    const rows = async () => (await service.db.selectFrom('velocity_counts').select('shard').execute()).length;
    const rowsBefore = await rows();
    await mergeVelocity(service.service);
    expect(await rows()).toBeLessThan(rowsBefore);
    expect(await countsFor(login, fingerprint_id)).toEqual(before);
    expect(before.address?.day).toMatchObject({ evaluations: 9, users: near(9), devices: near(2) });
    await mergeVelocity(service.service);
    expect(await countsFor(login, fingerprint_id)).toEqual(before);
    service.clock.advance(27 * hourMs);
    await mergeVelocity(service.service);
    expect(await rows()).toBe(0);
  });

  test('include simultaneous evaluations from one address', async () => {
    const evaluate = (count: number) =>
      customer.evaluate({ ...login, user: `user ${count}`, fingerprint: fingerprintOf({ seed: `device ${count}` }) });
    const evaluations = await Promise.all(Array.from({ length: 16 }, (_, count) => evaluate(count)));
    const { address } = await countsFor(login, evaluations[0].fingerprint_id);
    expect(address?.fiveMinutes).toMatchObject({ evaluations: 16, signups: 0, failures: 0, countries: 1 });
    expect(address?.day).toMatchObject({ users: near(16), devices: near(16) });
  });

  test('are exact while they are being stored', async () => {
    const { fingerprint_id } = await customer.evaluate(login);
    const evaluations = async () => (await countsFor(login, fingerprint_id)).address?.fiveMinutes.evaluations;
    for (let count = 1; count <= 10; count++) {
      const stored = storePending(service.service);
      expect(await evaluations()).toBe(count);
      await stored;
      expect(await evaluations()).toBe(count);
      await customer.evaluate(login);
    }
  });

  test('end after a day, also if they are not stored yet', async () => {
    const { fingerprint_id } = await customer.evaluate(login);
    service.clock.advance(27 * hourMs);
    expect((await countsFor(login, fingerprint_id)).user?.day.evaluations).toBe(0);
  });

  test('are stored later if they cannot be stored', async () => {
    await storePending(service.service);
    await sql`create function refuse() returns trigger language plpgsql as 'begin raise exception ''refused''; end'`.execute(
      service.db,
    );
    await sql`create trigger refuse before insert on velocity_counts execute function refuse()`.execute(service.db);
    const { fingerprint_id } = await customer.evaluate(login);
    await storePending(service.service);
    await customer.evaluate(login);
    const evaluations = async () => (await countsFor(login, fingerprint_id)).user?.day.evaluations;
    expect(await evaluations()).toBe(2);
    await sql`drop trigger refuse on velocity_counts`.execute(service.db);
    await storePending(service.service);
    await storePending(service.service);
    const rows = service.db.selectFrom('velocity_counts').select('evaluations');
    const subject = Buffer.from(fingerprint_id.replaceAll('-', ''), 'hex');
    expect(await rows.where('subject', '=', subject).execute()).toEqual([{ evaluations: 2 }]);
    expect(await evaluations()).toBe(2);
  });

  test('of a batch are stored once, even if its process does not know that they are', async () => {
    const { fingerprint_id } = await customer.evaluate(login);
    await storePending(service.service);
    const { world_id: worldId } = await service.db
      .selectFrom('velocity_counts')
      .select('world_id')
      .where('subject', '=', Buffer.from(fingerprint_id.replaceAll('-', ''), 'hex'))
      .executeTakeFirstOrThrow();
    const pending = new PendingCounts();
    const cells = { userCell: 1, deviceCell: 1, countryCell: null };
    const key = Buffer.from('subject of tests');
    const counted = { subjects: [{ kind: 'user', key } as const], slot: new Date(), hasFailed: false, isSignup: false };
    pending.add({ ...counted, ...cells });
    const process = randomUUID();
    for (let time = 0; time < 2; time++) {
      const batch = pending.next();
      if (!batch) throw new Error('There is no batch.');
      await storeCounts(service.db, batch, { worldId, process, at: new Date() });
    }
    const rows = service.db.selectFrom('velocity_counts').select('evaluations').where('subject', '=', key);
    expect(await rows.execute()).toEqual([{ evaluations: 1 }]);
  });

  test('do not include claims until they are consumed', async () => {
    const { evaluation_id, fingerprint_id } = await customer.claim('ada');
    const request = { ...login, ip: elsewhere };
    const counts = async () => (await countsFor(request, fingerprint_id)).user?.day.evaluations;
    expect(await counts()).toBe(0);
    await customer.ask(`/v2/evaluations/${evaluation_id}/consume`, { user: 'ada', action: 'login' });
    expect(await counts()).toBe(1);
  });

  test('of a user are erased with the user', async () => {
    const { fingerprint_id } = await customer.evaluate(login);
    await customer.ask('/v2/user/ada/delete');
    const { user, address } = await countsFor(login, fingerprint_id);
    expect(user?.day.evaluations).toBe(0);
    expect(address?.day.evaluations).toBe(1);
  });

  test('lead to velocity from the 31st user at an address', async () => {
    for (let count = 1; count <= 30; count++) {
      const request = { ...login, user: `user ${count}`, fingerprint: fingerprintOf({ seed: `device ${count}` }) };
      expect((await customer.evaluate(request)).reasons).not.toContain('velocity');
    }
    expect((await customer.evaluate(login)).reasons).toContain('velocity');
  });
});
