import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dayMs, reportSharing, worldOf } from '../../src/testing.js';
import { type Customer, customerOf, laptop, phone } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { jobEffectsOf } from '../support/job-effects.js';
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
  const { attach, eventsOf } = jobEffectsOf(() => ({ service, project, customer }));

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
