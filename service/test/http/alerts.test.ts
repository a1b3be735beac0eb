import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import {
  changeSettings,
  checkAlerts,
  createSender,
  dayMs,
  hourMs,
  listLog,
  removeOldRows,
  sendAlert,
  setSlack,
  worldOf,
} from '../../src/testing.js';
import { memberAt } from '../support/admin.js';
import { type Customer, customerOf, home, laptop } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { submitForm } from '../support/forms.js';
import { type Receiver, startReceiver, status } from '../support/receiver.js';
import { openSecondApp, type SecondApp } from '../support/second-app.js';
import { startService, type TestProject, type TestService } from '../support/service.js';
import type { Visitor } from '../support/visitor.js';
import { verified, webhooksOf } from '../support/webhooks.js';

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const to = 'ada@shop.example';
const secretPath = '/services/T0/B0/secretpath';

describeDatabases('alerts', (kind) => {
  let receiver: Receiver;
  let service: TestService;
  let app: SecondApp;
  let project: TestProject;
  let customer: Customer;
  let worldId: string;
  beforeAll(async () => {
    receiver = await startReceiver();
    service = await startService({ database: kind, environment: { ALLOW_PRIVATE_WEBHOOKS: '127.0.0.0/8' } });
    app = await openSecondApp(service.service);
  });
  afterAll(async () => {
    await app.close();
    await service.close();
    await receiver.close();
  });
  beforeEach(async () => {
    receiver.clear();
    // Alerts of other tests must not be sent in this one.
    await service.db.deleteFrom('projects').execute();
    await service.db.deleteFrom('jobs').execute();
    await open({ alert_emails: [to] });
  });

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
  const change = (changes: Readonly<Record<string, unknown>>) =>
    changeSettings(service.service, { project: project.project.id, changes, changedBy: 'test' });
  const addSlack = () =>
    setSlack(service.service, { project: project.project.id, url: `${receiver.url}${secretPath}` });

  /** Simulates several processes, then sends what waits. Returns the mails. */
  async function check() {
    const alone = () => checkAlerts(service.service);
    await Promise.all([alone(), alone(), alone()]);
    await send();
    return service.mails.splice(0);
  }
  async function send(): Promise<void> {
    const jobs = await service.db.selectFrom('jobs').selectAll().where('name', '=', 'send_alert').execute();
    for (const { id, data } of jobs) {
      const { messageId = '' } = Object(data);
      await sendAlert(service.service, { worldId, messageId });
      await service.db.deleteFrom('jobs').where('id', '=', id).execute();
    }
  }

  const rule = (name: string) => ({ name, when: 'metadata.amount > 5', effect: 'review', actions: [], state: 'on' });
  async function breakRule(name = 'Large payouts'): Promise<void> {
    await change({ rules: [rule(name)] });
    await customer.evaluate({ action: 'login', user: 'ada', fingerprint: laptop, ip: home, metadata: { amount: 'x' } });
  }
  const fixRules = () => change({ rules: [] });
  const slackTexts = () => receiver.at(secretPath).map(({ body }) => String(JSON.parse(body).text));

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

  describe('on the dashboard', () => {
    let ada: Visitor;
    let path: string;
    beforeEach(async () => {
      path = `/dashboard/${project.project.id}/live/alerts`;
      ada = await member('administrator');
    });
    const member = (role: 'administrator' | 'analyst') =>
      memberAt(app.url, service.service, {
        email: `${service.service.newId()}@shop.example`,
        role,
        projectId: project.project.id,
      });

    test('take the URL of a Slack channel, and never show it', async () => {
      const url = `${receiver.url}${secretPath}`;
      const set = await submitForm(ada, await ada.get(path), '/alerts/slack', { url });
      expect(set.status).toBe(303);
      const page = await ada.get(path);
      expect(page.text).toMatch(/Slack a channel at 127\.0\.0\.1:\d+/);
      const settings = await ada.get(path.replace('alerts', 'settings'));
      expect(settings.text).toMatch(/Slack channel for alerts set: 127\.0\.0\.1:\d+/);
      for (const { html } of [page, settings]) expect(html).not.toContain('secretpath');
      expect(app.log()).not.toContain('secretpath');
      const log = await listLog(service.service, { projectId: project.project.id, limit: 10 });
      expect(JSON.stringify(log)).not.toContain('secretpath');

      await submitForm(ada, page, '/alerts/slack/remove');
      expect((await ada.get(path)).text).toContain('Slack – ');
      expect(await service.db.selectFrom('slack_webhooks').select('world_id').execute()).toEqual([]);
    });

    test('refuse an internal address without showing the URL again', async () => {
      const url = 'https://10.0.0.1/services/secretpath';
      const refused = await submitForm(ada, await ada.get(path), '/alerts/slack', { url });
      expect(refused.status).toBe(422);
      expect(refused.text).toContain('10.0.0.1 has an address that is not public');
      expect(refused.html).not.toContain('secretpath');
    });

    test('send a test to each receiver, and say which failed', async () => {
      await addSlack();
      await submitForm(ada, await ada.get(path), '/alerts/test');
      expect((await ada.get(path)).text).toContain(`Sent to ${to}, Slack.`);
      expect(service.mails.splice(0).map(({ subject }) => subject)).toEqual([
        `${project.project.name}: test of alerts`,
      ]);
      receiver.answerNext(status(404));
      await submitForm(ada, await ada.get(path), '/alerts/test');
      expect((await ada.get(path)).text).toContain('Not sent to Slack (status 404).');
    });

    test('limit the tests of a day', async () => {
      for (let sent = 0; sent < 20; sent++) await submitForm(ada, await ada.get(path), '/alerts/test');
      expect((await ada.get(path)).text).toContain(`Sent to ${to}.`);
      await submitForm(ada, await ada.get(path), '/alerts/test');
      expect((await ada.get(path)).text).toContain('There were 20 tests today');
      expect(service.mails.splice(0)).toHaveLength(20);
    });

    test('show what lasts, also to members who cannot change anything', async () => {
      await breakRule('<i>Odd</i>');
      await check();
      const page = await (await member('analyst')).get(path);
      expect(page.html).toContain('“&lt;i&gt;Odd&lt;/i&gt;”');
      expect(page.html).not.toContain('alerts/slack');
    });

    test('refuse quiet hours and addresses that are not valid', async () => {
      const form = path.replace('alerts', 'settings/alerts');
      const refused = await submitForm(ada, await ada.get(form), '/settings/alerts', {
        alert_emails: 'ada@shop.example\nnot an address',
        'alert_quiet_hours.from': '22',
        'alert_quiet_hours.time_zone': 'Berlin',
      });
      expect(refused.status).toBe(422);
      expect(refused.text).toContain('Entry 2 must be an email address.');
      expect(refused.text).toContain('must be a time zone such as Europe/Berlin');
    });
  });
});
