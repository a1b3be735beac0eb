import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import {
  checkAlerts,
  createSender,
  dayMs,
  hourMs,
  removeOldRows,
  sendAlert,
  setSlack,
  worldOf,
} from '../../src/testing.js';
import { alertsOf, deleteProjects } from '../support/alerts.js';
import { type Customer, customerOf } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { type Receiver, startReceiver, status } from '../support/receiver.js';
import { startService, type TestProject, type TestService } from '../support/service.js';
import { verified, webhooksOf } from '../support/webhooks.js';

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const to = 'ada@shop.example';

describeDatabases('alerts', (kind) => {
  let receiver: Receiver;
  let service: TestService;

  let project: TestProject;
  let customer: Customer;
  let worldId: string;
  beforeAll(async () => {
    receiver = await startReceiver();
    service = await startService({ database: kind, environment: { ALLOW_PRIVATE_WEBHOOKS: '127.0.0.0/8' } });
  });
  afterAll(async () => {
    await service.close();
    await receiver.close();
  });
  beforeEach(async () => {
    receiver.clear();
    // Alerts of other tests must not be sent in this one.
    await deleteProjects(service);
    await open({ alert_emails: [to] });
  });
  const { change, addSlack, check, send, breakRule, fixRules, slackTexts } = alertsOf(() => ({
    service,
    receiver,
    project,
    customer,
    worldId,
  }));

  /** Moves the clock until the end of the running test, because signatures of the future are refused. */
  function passTime(ms: number): void {
    service.clock.advance(ms);
    onTestFinished(() => service.clock.advance(-ms));
  }

  async function open(settings: Readonly<Record<string, unknown>>): Promise<void> {
    project = await service.newProject(settings);
    customer = customerOf(service, project);
    worldId = await worldOf(service.db, project.project.id, 'live');
  }
  describe('by email', () => {
    test('are sent once when a condition begins, and again after it ended and began again', async () => {
      expect(await check()).toEqual([]);
      await breakRule('<b>Broken</b>\nBcc: eve@example.com');
      const [mail, ...others] = await check();
      expect(others).toEqual([]);
      expect(mail?.to).toBe(to);
      expect(mail?.subject).toMatch(/^Shop \S+: something needs attention$/);
      expect(mail?.text).toContain('The condition of the rule “<b>Broken</b> Bcc: eve@example.com” fails');
      expect(mail?.text).toContain(`https://fraud.example/dashboard/${project.project.id}/live/rules`);
      expect(mail?.html).toContain('“&lt;b&gt;Broken&lt;/b&gt; Bcc: eve@example.com”');
      expect(await check()).toEqual([]);
      await fixRules();
      expect(await check()).toEqual([]);
      await breakRule('<b>Broken</b>\nBcc: eve@example.com');
      expect(await check()).toHaveLength(1);
    });

    test('are about an unusual rate, in the language of the project', async () => {
      await change({ alert_language: 'de' });
      const hour = Math.floor(service.clock.now().getTime() / hourMs) * hourMs - hourMs;
      const weeks = [1, 2, 3].map((week) => ({
        world_id: worldId,
        hour: new Date(hour - week * 7 * dayMs),
        kind: 'failure' as const,
        label: 'allow',
        count: 4000,
      }));
      await service.db.insertInto('activity_counts').values(weeks).execute();
      const [mail] = await check();
      expect(mail?.subject).toMatch(/: ein Hinweis$/);
      expect(mail?.text).toMatch(/Ungewöhnlich: 0 fehlgeschlagene Versuche in der Stunde ab .* etwa 4\.000\./);
      expect(mail?.html).toContain('<html lang="de"');
      // The same rate in the next hour is the same alert.
      expect(await check()).toEqual([]);
    });

    test('are not sent about kinds that are off, nor about another project', async () => {
      await change({ alert_kinds: { failing_rule: false } });
      await breakRule();
      await service.newProject({ alert_emails: ['ben@shop.example'] });
      expect(await check()).toEqual([]);
      await change({ alert_kinds: {} });
      expect((await check()).map((mail) => mail.to)).toEqual([to]);
    });

    test('tell the first receiver what holds', async () => {
      await change({ alert_emails: [] });
      await breakRule();
      expect(await check()).toEqual([]);
      await change({ alert_emails: [to, 'ben@shop.example', to] });
      expect((await check()).map((mail) => mail.to)).toEqual([to, 'ben@shop.example']);
    });

    test('wait for the end of quiet hours, and are then one message, also about what has ended', async () => {
      const hour = service.clock.now().getUTCHours();
      await change({ alert_quiet_hours: { from: hour, until: (hour + 2) % 24 } });
      await breakRule('First');
      expect(await check()).toEqual([]);
      await breakRule('Second');
      expect(await check()).toEqual([]);
      passTime(hourMs);
      expect(await check()).toEqual([]);
      passTime(hourMs);
      const mails = await check();
      expect(mails).toHaveLength(1);
      expect(mails[0]?.subject).toMatch(/: 2 things need attention$/);
      expect(mails[0]?.text).toMatch(/“First”.*“Second”/s);
      expect(await check()).toEqual([]);
    });

    test('that could not be sent wait for the next try, and are deleted after a week', async () => {
      await breakRule();
      await checkAlerts(service.service);
      const noMail = createSender({});
      const [row] = await service.db.selectFrom('alert_messages').select('id').execute();
      const job = { worldId, messageId: row?.id ?? '' };
      await expect(sendAlert({ ...service.service, sender: noMail }, job)).rejects.toThrow('not_configured');
      await sendAlert(service.service, job);
      await sendAlert(service.service, job);
      expect(service.mails.splice(0)).toHaveLength(1);
      await breakRule('Another');
      await checkAlerts(service.service);
      passTime(8 * dayMs);
      await removeOldRows(service.service);
      expect(await service.db.selectFrom('alert_messages').select('id').execute()).toEqual([]);
    });
  });

  test('are a signed event, once, that is about no user', async () => {
    const webhooks = webhooksOf(service.service, project);
    const { secret } = await webhooks.add(`${receiver.url}/hooks`);
    await change({ alert_emails: [], alert_events: true });
    await breakRule();
    await check();
    await check();
    await webhooks.deliver();
    const raised = receiver
      .at('/hooks')
      .map((each) => verified(each, secret))
      .filter((event) => isObject(event) && event.type === 'attention.raised');
    expect(raised).toMatchObject([
      {
        data: {
          kind: 'failing_rule',
          subject: 'Large payouts',
          text: 'The condition of the rule “Large payouts” fails, so it matches nothing then.',
          url: `https://fraud.example/dashboard/${project.project.id}/live/rules`,
        },
      },
    ]);
  });

  describe('to Slack', () => {
    test('are escaped, so that no text is a link or notifies a channel', async () => {
      await change({ alert_emails: [] });
      await addSlack();
      await breakRule('<!channel> & <https://evil.example|here>');
      await check();
      await check();
      expect(slackTexts()).toHaveLength(1);
      expect(slackTexts()[0]).toContain(
        '• The condition of the rule “&lt;!channel&gt; &amp; &lt;https://evil.example|here&gt;” fails',
      );
    });

    test('that are refused are tried again, and the error does not contain the URL', async () => {
      await change({ alert_emails: [] });
      await addSlack();
      await breakRule();
      receiver.answerNext(status(500));
      const failed = check();
      await expect(failed).rejects.toThrow(/^Sending an alert to Slack failed: status 500$/);
      await send();
      expect(slackTexts()).toHaveLength(2);
    });

    test.each([
      ['https://10.0.0.1/services/x', 'not public'],
      ['http://93.184.216.34/services/x', 'require https://'],
      ['file:///etc/passwd', 'must begin with https://'],
      ['x', 'must begin with https://'],
    ])('cannot have the URL %s', async (url, message) => {
      const attempt = setSlack(service.service, { project: project.project.id, url });
      await expect(attempt).rejects.toThrow(message);
      expect(await service.db.selectFrom('slack_webhooks').select('world_id').execute()).toEqual([]);
    });
  });
});
