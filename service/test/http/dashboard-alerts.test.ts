import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listLog, worldOf } from '../../src/testing.js';
import { memberAt } from '../support/admin.js';
import { alertsOf, deleteProjects, secretPath } from '../support/alerts.js';
import { type Customer, customerOf } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { submitForm } from '../support/forms.js';
import { type Receiver, startReceiver, status } from '../support/receiver.js';
import { openSecondApp, type SecondApp } from '../support/second-app.js';
import { startService, type TestProject, type TestService } from '../support/service.js';
import type { Visitor } from '../support/visitor.js';

const to = 'ada@shop.example';

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
    await deleteProjects(service);
    project = await service.newProject({ alert_emails: [to] });
    customer = customerOf(service, project);
    worldId = await worldOf(service.db, project.project.id, 'live');
  });
  const { addSlack, check, breakRule } = alertsOf(() => ({ service, receiver, project, customer, worldId }));

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
      const many = Array.from({ length: 21 }, (_, index) => `ada${index}@shop.example`).join('\n');
      const tooMany = await submitForm(ada, await ada.get(form), '/settings/alerts', { alert_emails: many });
      expect(tooMany.text).toContain('It must be at most 20 addresses.');
    });
  });
});
