import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { changeSettings, dayMs, hourMs, sendAlert, sendSummaries, worldOf } from '../../src/testing.js';
import { deleteProjects } from '../support/alerts.js';
import { type Customer, customerOf, home, laptop } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { startService, type TestProject, type TestService } from '../support/service.js';

const to = 'ada@shop.example';
const weekMs = 7 * dayMs;

describeDatabases('the weekly summary', (kind) => {
  let service: TestService;
  let project: TestProject;
  let customer: Customer;
  let worldId: string;
  /** Start of the week after the running one. */
  let monday: number;
  beforeAll(async () => {
    service = await startService({ database: kind });
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    await deleteProjects(service);
    project = await service.newProject({ alert_emails: [to] });
    customer = customerOf(service, project);
    worldId = await worldOf(service.db, project.project.id, 'live');
    service.clock.stop();
    const day = Math.floor(service.clock.now().getTime() / dayMs);
    monday = (day + 7 - ((day + 3) % 7)) * dayMs;
  });

  /** Moves the clock until the end of the running test. */
  function moveTo(time: number): void {
    const ms = time - service.clock.now().getTime();
    service.clock.advance(ms);
    onTestFinished(() => service.clock.advance(-ms));
  }
  const change = (changes: Readonly<Record<string, unknown>>) =>
    changeSettings(service.service, { project: project.project.id, changes, changedBy: 'test' });
  const evaluate = () => customer.evaluate({ action: 'login', user: 'ada', fingerprint: laptop, ip: home });
  const count = (week: number, label: string, number: number, of: 'verdict' | 'reason' | 'challenge' = 'verdict') =>
    service.db
      .insertInto('activity_counts')
      .values({ world_id: worldId, hour: new Date(monday - week * weekMs), kind: of, label, count: number })
      .execute();

  /** Moves all counts into a world. Citus does not change the world of a row. */
  async function moveCounts(world: string): Promise<void> {
    const rows = await service.db.deleteFrom('activity_counts').returningAll().execute();
    await service.db
      .insertInto('activity_counts')
      .values(rows.map((row) => ({ ...row, world_id: world })))
      .execute();
  }

  /** Simulates several processes, then sends what waits. Returns the mails. */
  async function run() {
    const alone = () => sendSummaries(service.service);
    await Promise.all([alone(), alone(), alone()]);
    const jobs = await service.db.selectFrom('jobs').selectAll().where('name', '=', 'send_alert').execute();
    for (const { id, data } of jobs) {
      const { worldId: world = '', messageId = '' } = Object(data);
      await sendAlert(service.service, { worldId: world, messageId });
      await service.db.deleteFrom('jobs').where('id', '=', id).execute();
    }
    return service.mails.splice(0);
  }

  test('is sent once, on Monday from 6:00, by several processes and after a restart', async () => {
    await evaluate();
    expect(await run()).toEqual([]);
    moveTo(monday + 6 * hourMs - 1);
    expect(await run()).toEqual([]);
    moveTo(monday + 6 * hourMs);
    const mails = await run();
    expect(mails.map((mail) => [mail.to, mail.subject])).toEqual([[to, `${project.project.name}: weekly summary`]]);
    expect(await run()).toEqual([]);
    moveTo(monday + 29 * hourMs);
    expect(await run()).toEqual([]);
    await evaluate();
    moveTo(monday + weekMs + 6 * hourMs);
    expect(await run()).toHaveLength(1);
  });

  test('is not sent for a week that was missed by more than a day', async () => {
    await evaluate();
    moveTo(monday + 30 * hourMs);
    expect(await run()).toEqual([]);
  });

  test('compares evaluations, verdicts, challenges and reasons with the week before', async () => {
    await count(1, 'allow', 7500);
    await count(1, 'deny', 2500);
    await count(2, 'allow', 900);
    await count(2, 'challenge', 100);
    await count(1, 'velocity', 2000, 'reason');
    await count(2, 'velocity', 3, 'reason');
    await count(1, 'new_country', 30, 'reason');
    await count(1, 'completed', 3, 'challenge');
    await count(1, 'expired', 1, 'challenge');
    await count(2, 'skipped', 5, 'challenge');
    // Not in these weeks.
    await count(0, 'allow', 1000);
    await count(3, 'allow', 1000);
    moveTo(monday + 7 * hourMs);
    const [mail] = await run();
    const lines = mail?.text.trim().split('\n\n') ?? [];
    const day = (at: number) =>
      new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(at));
    expect(lines).toEqual([
      `${project.project.name} from ${day(monday - weekMs)} to ${day(monday - dayMs)}, with the figures of the week before in brackets:`,
      'Evaluations: 10,000 (1,000)',
      'Allowed: 75.0% (90.0%)',
      'Challenged: 0.0% (10.0%)',
      'Denied: 25.0% (0.0%)',
      'Failed attempts: 0 (0)',
      'Challenges: 4 (5)',
      'Completed, of the closed challenges: 75.0% (0.0%)',
      'Most frequent reasons: Too many users 2,000 (3), New country 30 (0)',
      'Evaluations that wait for a review: 0',
      'Nothing needs attention now.',
      `Dashboard: https://fraud.example/dashboard/${project.project.id}/live/overview?period=7d`,
    ]);
  });

  test('names what needs attention and the reviews that wait, in the language of the project', async () => {
    const broken = { name: '<b>Broken</b>\nBcc: eve@example.com', when: 'metadata.amount > 5', effect: 'review' };
    await change({ rules: [{ ...broken, actions: [], state: 'on' }], alert_language: 'de' });
    await service.list(project, ['review', 'user', 'ada']);
    await customer.evaluate({
      action: 'login',
      user: 'ada',
      fingerprint: laptop,
      ip: home,
      metadata: { amount: 'x' },
    });
    moveTo(monday + 8 * hourMs);
    const [mail] = await run();
    expect(mail?.subject).toBe(`${project.project.name}: Wochenbericht`);
    expect(mail?.text).toMatch(/Auswertungen: 1 \(0\)\n\nMit Challenge: 100,0\s%/);
    expect(mail?.text).toMatch(/Häufigste Gründe: .*neues Gerät 1 \(0\)/);
    expect(mail?.text).toContain('Auswertungen, die auf eine Prüfung warten: 1\n');
    expect(mail?.text).toContain(
      'Das braucht jetzt Aufmerksamkeit:\n\nDie Bedingung der Regel „<b>Broken</b> Bcc: eve@example.com“',
    );
    expect(mail?.html).toContain('<html lang="de"');
    expect(mail?.html).not.toContain('<b>Broken');
  });

  test('is not sent about nothing, nor to anybody who does not get alerts, and only about the live world', async () => {
    moveTo(monday + 6 * hourMs);
    expect(await run()).toEqual([]);
    await service.db.deleteFrom('weekly_summaries').execute();
    await count(1, 'allow', 5);
    await change({ alert_weekly_summary: false });
    expect(await run()).toEqual([]);
    await change({ alert_weekly_summary: true, alert_emails: [] });
    expect(await run()).toEqual([]);
    await change({ alert_emails: [to, 'ben@shop.example', to] });
    const test = await worldOf(service.db, project.project.id, 'test');
    await moveCounts(test);
    expect(await run()).toEqual([]);
    await service.db.deleteFrom('weekly_summaries').execute();
    await moveCounts(worldId);
    expect((await run()).map((mail) => mail.to)).toEqual([to, 'ben@shop.example']);
  });

  test('waits for the end of quiet hours, but not for those of another project', async () => {
    await count(1, 'allow', 5);
    await change({ alert_quiet_hours: { from: 22, until: 9 } });
    moveTo(monday + 7 * hourMs);
    expect(await run()).toEqual([]);
    const other = await service.newProject({ alert_emails: ['zoe@shop.example'] });
    const elsewhere = await worldOf(service.db, other.project.id, 'live');
    await service.db
      .insertInto('activity_counts')
      .values({ world_id: elsewhere, hour: new Date(monday - dayMs), kind: 'verdict', label: 'allow', count: 1 })
      .execute();
    expect((await run()).map((mail) => mail.to)).toEqual(['zoe@shop.example']);
    moveTo(monday + 9 * hourMs);
    expect((await run()).map((mail) => mail.to)).toEqual([to]);
  });
});
