import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  dayMs,
  detachIdleDevices,
  expireChallenges,
  minuteMs,
  removeOldRows,
  reportSharing,
  worldOf,
} from '../../src/testing.js';
import { type Customer, customerOf, home, laptop, phone, tablet } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { type Mailbox, startMailbox } from '../support/mailbox.js';
import { startService, type TestProject, type TestService } from '../support/service.js';

describeDatabases('jobs', (kind) => {
  let mailbox: Mailbox;
  let service: TestService;
  let project: TestProject;
  let customer: Customer;
  beforeAll(async () => {
    mailbox = await startMailbox();
    service = await startService({ database: kind, sender: mailbox.sender });
  });
  afterAll(async () => {
    await service.close();
    await mailbox.close();
  });
  const begin = async (settings: object = {}) => {
    project = await service.newProject({ ...settings });
    customer = customerOf(service, project);
  };
  beforeEach(() => begin());

  /** Simulates several processes. */
  const threeTimes = (job: () => Promise<void>) => Promise.all([job(), job(), job()]);
  const attach = (user: string, fingerprint: string) =>
    customer.ask('/v2/device/attach', { user, fingerprint, ip: home });
  const devicesOf = async (user: string) => (await customer.get(`/v2/user/${user}/devices`)).body.data;
  const eventsOf = async (type: string) => (await service.events(project)).filter((event) => event.type === type);

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

  describe('reportSharing', () => {
    /** Sends one login over the limit on each of several days. */
    const shareOn = async (days: number) => {
      for (let day = 0; day < days; day += 1) {
        if (day > 0) service.clock.advance(dayMs);
        await customer.evaluate({ action: 'login', user: 'ann', fingerprint: phone, ip: '203.0.113.5' });
      }
    };
    const report = async () => {
      const { _id } = await customer.ask('/v2/user/ann/update', {});
      const worldId = await worldOf(service.db, project.project.id, 'live');
      await reportSharing(service.service, { worldId, userId: _id });
    };
    const mails = () => mailbox.received.filter(({ parsed }) => parsed.subject?.includes(project.project.name));
    beforeEach(async () => {
      await begin({ admin_email: 'admin@shop.example', device_limit: { overall: 1 } });
      await attach('ann', laptop);
    });

    test('waits for signals on a third day', async () => {
      await shareOn(2);
      await report();
      expect(mails()).toEqual([]);
    });

    test('emails the administrator once and emits an event', async () => {
      await shareOn(3);
      await Promise.all([report(), report(), report()]);
      expect(mails()).toMatchObject([{ to: ['admin@shop.example'] }]);
      expect(mails()[0]?.parsed.text).toContain('ann');
      const told = await eventsOf('account_sharing.admin_notified');
      expect(told).toMatchObject([{ data: { user: { external_id: 'ann' } } }]);
      expect(told[0]?.data.signals).toHaveLength(3);
    });

    test('emails again after seven days if it continues', async () => {
      await shareOn(3);
      await report();
      service.clock.advance(dayMs);
      await shareOn(3);
      await report();
      expect(mails()).toHaveLength(1);
      service.clock.advance(4 * dayMs);
      await shareOn(3);
      await report();
      expect(mails()).toHaveLength(2);
    });

    test('emits no event while the email cannot be sent, and retries', async () => {
      await shareOn(3);
      mailbox.behave('puts_off');
      await expect(report()).rejects.toThrow();
      expect(await eventsOf('account_sharing.admin_notified')).toEqual([]);
      mailbox.behave('takes');
      await report();
      expect(mails()).toHaveLength(1);
      expect(await eventsOf('account_sharing.admin_notified')).toHaveLength(1);
    });

    test('sends nothing if there is no administrator', async () => {
      await begin({ device_limit: { overall: 1 } });
      await attach('ann', laptop);
      await shareOn(3);
      await report();
      expect(await eventsOf('account_sharing.admin_notified')).toEqual([]);
    });

    test('skips erased users', async () => {
      const [worldId, userId] = [service.service.newId(), service.service.newId()];
      await expect(reportSharing(service.service, { worldId, userId })).resolves.toBeUndefined();
    });
  });
});
