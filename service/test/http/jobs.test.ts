import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dayMs, detachIdleDevices, expireChallenges, minuteMs, removeOldRows } from '../../src/testing.js';
import { type Customer, customerOf, home, laptop, phone, tablet } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { jobEffectsOf } from '../support/job-effects.js';
import { startService, type TestProject, type TestService } from '../support/service.js';

describeDatabases('jobs', (kind) => {
  let service: TestService;
  let project: TestProject;
  let customer: Customer;
  beforeAll(async () => {
    service = await startService({ database: kind });
  });
  afterAll(() => service.close());
  const begin = async (settings: object = {}) => {
    project = await service.newProject({ ...settings });
    customer = customerOf(service, project);
  };
  beforeEach(() => begin());

  /** Simulates several processes. */
  const threeTimes = (job: () => Promise<void>) => Promise.all([job(), job(), job()]);
  const { attach, devicesOf, eventsOf } = jobEffectsOf(() => ({ service, project, customer }));

  describe('expireChallenges', () => {
    test('expires challenges and leaves their devices pending', async () => {
      const old = await customer.challenge('ann');
      const done = await customer.challenge('bob', { fingerprint: phone });
      await customer.ask(`/v2/challenges/${done.challenge_id}/complete`);
      service.clock.advance(dayMs);
      const young = await customer.challenge('cyd', { fingerprint: tablet });
      await threeTimes(() => expireChallenges(service.service));
      const rows = await service.db.selectFrom('challenges').select(['id', 'status']).execute();
      const statusOf = new Map(rows.map(({ id, status }) => [id, status]));
      expect([old, done, young].map(({ challenge_id }) => statusOf.get(challenge_id))).toEqual([
        'expired',
        'completed',
        'pending',
      ]);
      expect(await devicesOf('ann')).toMatchObject([{ status: 'pending' }]);
    });
  });

  describe('detachIdleDevices', () => {
    test('detaches after 30 days without use, once, keeping trust and freeing the place', async () => {
      const { challenge_id } = await customer.challenge('ann');
      await customer.ask(`/v2/challenges/${challenge_id}/complete`);
      service.clock.advance(29 * dayMs);
      await attach('ann', phone);
      await detachIdleDevices(service.service);
      expect((await devicesOf('ann')).map(({ status }: { status: string }) => status)).toEqual([
        'attached',
        'attached',
      ]);

      service.clock.advance(dayMs + 1);
      await threeTimes(() => detachIdleDevices(service.service));
      const [, idle] = await devicesOf('ann');
      expect(idle).toMatchObject({
        status: 'detached',
        auto_detached: true,
        trusted: true,
        detached_at: expect.any(String),
      });
      expect(await eventsOf('device.detached')).toEqual([
        { type: 'device.detached', data: { device: idle, cause: 'auto_detach' } },
      ]);

      const back = await customer.evaluate({ action: 'login', user: 'ann', fingerprint: laptop, ip: home });
      expect(back).toMatchObject({ verdict: 'allow', reasons: [] });
      const [, attached] = await devicesOf('ann');
      expect(attached).toMatchObject({ status: 'attached', auto_detached: false });
      expect(attached.detached_at).toBeUndefined();
    });

    test('keeps the trust of a permanently trusted device', async () => {
      const { device_id } = await attach('ann', laptop);
      await customer.ask(`/v2/device/${device_id}/update`, { whitelisted: true });
      service.clock.advance(31 * dayMs);
      await detachIdleDevices(service.service);
      expect(await devicesOf('ann')).toMatchObject([{ status: 'detached', whitelisted: true }]);
      const back = await customer.evaluate({ action: 'login', user: 'ann', fingerprint: laptop, ip: '203.0.113.1' });
      expect(back.verdict).toBe('allow');
    });

    test("uses the project's number of days, and never detaches if it is 0", async () => {
      await begin({ auto_detach_days: 0 });
      await attach('ann', laptop);
      const [never, neverCustomer] = [project, customer];
      await begin({ auto_detach_days: 1 });
      await attach('ann', laptop);
      service.clock.advance(dayMs + 1);
      await detachIdleDevices(service.service);
      expect(await devicesOf('ann')).toMatchObject([{ status: 'detached' }]);
      [project, customer] = [never, neverCustomer];
      expect(await devicesOf('ann')).toMatchObject([{ status: 'attached' }]);
    });
  });

  describe('removeOldRows', () => {
    const countOf = async (
      table: 'evaluations' | 'challenges' | 'events' | 'variants' | 'identities' | 'user_addresses',
    ) => {
      const { count } = await service.db
        .selectFrom(table)
        .innerJoin('worlds', 'worlds.id', `${table}.world_id`)
        .select((builder) => builder.fn.countAll<number>().as('count'))
        .where('worlds.project_id', '=', project.project.id)
        .executeTakeFirstOrThrow();
      return count;
    };
    const counts = async () => ({
      evaluations: await countOf('evaluations'),
      challenges: await countOf('challenges'),
      events: await countOf('events'),
      variants: await countOf('variants'),
      identities: await countOf('identities'),
      addresses: await countOf('user_addresses'),
    });

    test("deletes rows after the project's retention, and none before", async () => {
      await begin({ retention_days: 30, address_trust_days: 10 });
      const { challenge_id } = await customer.challenge('ann');
      await customer.ask(`/v2/challenges/${challenge_id}/complete`);
      await customer.ask('/v2/device/fingerprint', { fingerprint: phone });
      await removeOldRows(service.service);
      const all = { evaluations: 1, challenges: 1, events: 2, variants: 2, identities: 2, addresses: 1 };
      expect(await counts()).toEqual(all);

      service.clock.advance(30 * dayMs + 1);
      await customer.evaluate({ action: 'login', user: 'bob', fingerprint: tablet, ip: '203.0.113.1' });
      await threeTimes(() => removeOldRows(service.service));
      // Of the old ones, only the fingerprint of an existing device is kept. Of the new ones, all are.
      const left = { evaluations: 1, challenges: 1, events: 1, variants: 2, identities: 2, addresses: 1 };
      expect(await counts()).toEqual(left);
      expect(await devicesOf('ann')).toMatchObject([{ status: 'attached' }]);
    });

    test('deletes reviews with their evaluations, and actions on many rows after a day', async () => {
      await begin({ retention_days: 30 });
      const restricted = { action: 'signup', fingerprint: tablet, email: 'x@mailinator.com' };
      await customer.evaluate({ ...restricted, user: 'old' });
      const made = {
        action: 'suspend',
        items: '[]',
        failed: 0,
        created_by: 'test',
        created_at: service.clock.now(),
      } as const;
      const { world_id } = await service.db
        .selectFrom('reviews')
        .innerJoin('worlds', 'worlds.id', 'reviews.world_id')
        .select('reviews.world_id')
        .where('worlds.project_id', '=', project.project.id)
        .executeTakeFirstOrThrow();
      const id = service.service.newId();
      await service.db
        .insertInto('bulk_actions')
        .values({ ...made, world_id, id })
        .execute();
      const kept = async () => [
        (await service.db.selectFrom('reviews').select('user_id').where('world_id', '=', world_id).execute()).length,
        (await service.db.selectFrom('bulk_actions').select('id').where('world_id', '=', world_id).execute()).length,
      ];
      service.clock.advance(dayMs - minuteMs);
      await removeOldRows(service.service);
      expect(await kept()).toEqual([1, 1]);
      service.clock.advance(2 * minuteMs);
      await removeOldRows(service.service);
      expect(await kept()).toEqual([1, 0]);
      service.clock.advance(29 * dayMs);
      await customer.evaluate({ ...restricted, user: 'new' });
      await removeOldRows(service.service);
      expect(await kept()).toEqual([1, 0]);
    });

    test('keeps IP addresses that are still trusted', async () => {
      await begin({ retention_days: 1, address_trust_days: 10 });
      const { challenge_id } = await customer.challenge('ann');
      await customer.ask(`/v2/challenges/${challenge_id}/complete`);
      service.clock.advance(2 * dayMs);
      await removeOldRows(service.service);
      const login = await customer.evaluate({ action: 'login', user: 'ann', fingerprint: laptop, ip: home });
      expect(login).toMatchObject({ verdict: 'allow', reasons: [] });
    });

    test('deletes expired counters and stored responses', async () => {
      const { challenge_id } = await customer.challenge('ann');
      await customer.post(`/v2/challenges/${challenge_id}/send`, {}, { 'Idempotency-Key': 'once' });
      const rows = async () => [
        (await service.db.selectFrom('counters').selectAll().execute()).length,
        (await service.db.selectFrom('idempotency').selectAll().execute()).length,
      ];
      await removeOldRows(service.service);
      const before = await rows();
      expect(before.every((count) => count > 0)).toBe(true);
      service.clock.advance(dayMs - minuteMs);
      await removeOldRows(service.service);
      expect(await rows()).toEqual(before);
      service.clock.advance(2 * dayMs);
      await removeOldRows(service.service);
      expect(await rows()).toEqual([0, 0]);
    });

    test('deletes marks with the last record of their browser', async () => {
      await begin({ retention_days: 1 });
      await attach('ann', laptop);
      await customer.ask('/v2/user/ann/delete');
      const marks = () => service.db.selectFrom('marks').selectAll().execute();
      await removeOldRows(service.service);
      expect(await marks()).toHaveLength(1);
      service.clock.advance(2 * dayMs);
      await removeOldRows(service.service);
      expect(await marks()).toEqual([]);
    });
  });
});
