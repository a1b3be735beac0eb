import { changeSettings, checkAlerts, sendAlert, setSlack } from '../../src/testing.js';
import { type Customer, home, laptop } from './customer.js';
import type { Receiver } from './receiver.js';
import type { TestProject, TestService } from './service.js';

/** Path of the URL of a Slack channel, which is a secret. */
export const secretPath = '/services/T0/B0/secretpath';

/** What a test is about now. */
interface Alerting {
  readonly service: TestService;
  readonly receiver: Receiver;
  readonly project: TestProject;
  readonly customer: Customer;
  readonly worldId: string;
}

/** Deletes all projects with their rows and work, so that their alerts are not sent in another test. */
export async function deleteProjects({ db }: TestService): Promise<void> {
  // The users first: on Citus, a project's rows go in an order in which devices still name their identities.
  await db.deleteFrom('users').execute();
  await db.deleteFrom('projects').execute();
  await db.deleteFrom('jobs').execute();
}

/** Returns what raises and sends the alerts of the project that the test has now. */
export function alertsOf(now: () => Alerting) {
  const change = (changes: Readonly<Record<string, unknown>>) =>
    changeSettings(now().service.service, { project: now().project.project.id, changes, changedBy: 'test' });
  const addSlack = () =>
    setSlack(now().service.service, { project: now().project.project.id, url: `${now().receiver.url}${secretPath}` });

  /** Simulates several processes, then sends what waits. Returns the mails. */
  async function check() {
    const alone = () => checkAlerts(now().service.service);
    await Promise.all([alone(), alone(), alone()]);
    await send();
    return now().service.mails.splice(0);
  }
  async function send(): Promise<void> {
    const jobs = await now().service.db.selectFrom('jobs').selectAll().where('name', '=', 'send_alert').execute();
    for (const { id, data } of jobs) {
      const { messageId = '' } = Object(data);
      await sendAlert(now().service.service, { worldId: now().worldId, messageId });
      await now().service.db.deleteFrom('jobs').where('id', '=', id).execute();
    }
  }

  const rule = (name: string) => ({ name, when: 'metadata.amount > 5', effect: 'review', actions: [], state: 'on' });
  async function breakRule(name = 'Large payouts'): Promise<void> {
    await change({ rules: [rule(name)] });
    await now().customer.evaluate({
      action: 'login',
      user: 'ada',
      fingerprint: laptop,
      ip: home,
      metadata: { amount: 'x' },
    });
  }
  const fixRules = () => change({ rules: [] });
  const slackTexts = () =>
    now()
      .receiver.at(secretPath)
      .map(({ body }) => String(JSON.parse(body).text));

  return { change, addSlack, check, send, breakRule, fixRules, slackTexts };
}
