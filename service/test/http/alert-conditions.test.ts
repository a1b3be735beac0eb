import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  changeSettings,
  checkAlerts,
  createSender,
  dayMs,
  hourMs,
  minuteMs,
  type Service,
  worldOf,
} from '../../src/testing.js';
import { deleteProjects } from '../support/alerts.js';
import { type Customer, customerOf, home, laptop } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { startService, type TestProject, type TestService } from '../support/service.js';
import { webhooksOf } from '../support/webhooks.js';

/** How a condition begins and ends. Both return the service that sees it, if the database alone does not decide. */
interface Case {
  readonly kind: string;
  readonly text: RegExp;
  readonly begin: () => Promise<Service | undefined>;
  readonly end: () => Promise<Service | undefined>;
}

describeDatabases('each condition of alerts', (kind) => {
  let service: TestService;
  let project: TestProject;
  let customer: Customer;
  let worldId: string;
  beforeAll(async () => {
    service = await startService({ database: kind, environment: { ALLOW_PRIVATE_WEBHOOKS: '127.0.0.0/8' } });
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    await deleteProjects(service);
    project = await service.newProject({ alert_events: true, alert_kinds: { waiting_reviews: true } });
    customer = customerOf(service, project);
    worldId = await worldOf(service.db, project.project.id, 'live');
  });

  const change = (changes: Readonly<Record<string, unknown>>) =>
    changeSettings(service.service, { project: project.project.id, changes, changedBy: 'test' });
  const evaluate = () =>
    customer.evaluate({ action: 'login', user: 'ada', fingerprint: laptop, ip: home, metadata: { amount: 'x' } });
  const hours = (ago: readonly number[], of: 'failure' | 'reason', label: string, count: number) => {
    const hour = Math.floor(service.clock.now().getTime() / hourMs) * hourMs;
    const rows = ago.map((ms) => ({ world_id: worldId, hour: new Date(hour - ms), kind: of, label, count }));
    return service.db.insertInto('activity_counts').values(rows).execute();
  };
  const forget = async () => {
    await service.db.deleteFrom('activity_counts').execute();
    return undefined;
  };
  const withSource = (date: Date): Service => ({
    ...service.service,
    addresses: { ...service.service.addresses, sources: () => [{ label: 'networks', name: 'x', date, contents: 'x' }] },
  });
  const setStatus = async (status: 'healthy' | 'failing' | 'off') => {
    await service.db.updateTable('webhook_endpoints').set({ status }).execute();
    return undefined;
  };

  const cases: readonly Case[] = [
    {
      kind: 'unusual_rate',
      text: /^Unusual: 0 failed attempts in the hour from .* about 4,000\.$/,
      begin: async () => {
        const weeks = [1, 2, 3].map((week) => week * 7 * dayMs + hourMs);
        await hours(weeks, 'failure', 'allow', 4000);
        return undefined;
      },
      end: forget,
    },
    {
      kind: 'campaign',
      text: /^A campaign of credential stuffing: 25 evaluations/,
      begin: async () => {
        await hours([2 * hourMs], 'reason', 'credential_stuffing', 25);
        return undefined;
      },
      end: forget,
    },
    {
      kind: 'failing_webhook',
      text: /^A webhook endpoint is switched off: http:\/\/127\.0\.0\.1:9\/hooks$/,
      begin: async () => {
        const webhooks = webhooksOf(service.service, project);
        if ((await webhooks.list()).length === 0) await webhooks.add('http://127.0.0.1:9/hooks?token=secret');
        return setStatus('off');
      },
      end: () => setStatus('healthy'),
    },
    {
      kind: 'failing_rule',
      text: /^The condition of the rule “Large” fails/,
      begin: async () => {
        const rule = { name: 'Large', when: 'metadata.amount > 5', effect: 'review', actions: [], state: 'shadow' };
        await change({ rules: [rule] });
        await evaluate();
        return undefined;
      },
      end: async () => {
        await change({ rules: [] });
        return undefined;
      },
    },
    {
      kind: 'old_address_data',
      text: /^Data about IP addresses is old: networks\.$/,
      begin: async () => withSource(new Date(service.clock.now().getTime() - 61 * dayMs - minuteMs)),
      end: async () => withSource(new Date(service.clock.now().getTime() - 59 * dayMs)),
    },
    {
      kind: 'no_mail',
      text: /^Email is not configured/,
      begin: async () => ({ ...service.service, sender: createSender({}) }),
      end: async () => undefined,
    },
    {
      kind: 'waiting_reviews',
      text: /^1 evaluation waits for a review\.$/,
      begin: async () => {
        await service.list(project, ['review', 'user', 'ada']);
        await evaluate();
        return undefined;
      },
      end: async () => {
        await service.db
          .updateTable('reviews')
          .set({ decision: 'legitimate', decided_by: 'test', decided_at: service.clock.now() })
          .execute();
        return undefined;
      },
    },
  ];

  test.each(cases)('$kind is raised when it begins, lasts once, is cleared, and is raised again', async (one) => {
    const raised = async () =>
      (await service.events(project))
        .filter(({ type, data }) => type === 'attention.raised' && data.kind === one.kind)
        .map(({ data }) => String(data.text));
    const open = async () =>
      (await service.db.selectFrom('alerts').select('kind').where('ended_at', 'is', null).execute()).filter(
        (alert) => alert.kind === one.kind,
      ).length;
    await checkAlerts(service.service);
    expect(await raised()).toEqual([]);
    for (const round of [1, 2]) {
      const seen = (await one.begin()) ?? service.service;
      await checkAlerts(seen);
      await checkAlerts(seen);
      expect([await open(), (await raised()).length]).toEqual([1, round]);
      await checkAlerts((await one.end()) ?? service.service);
      expect([await open(), (await raised()).length]).toEqual([0, round]);
    }
    expect((await raised())[0]).toMatch(one.text);
  });
});
