import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  changeSettings,
  dayMs,
  expireChallenges,
  foldAllActivity,
  hourMs,
  minuteMs,
  type Overview,
  readOverview,
  recountActivity,
  removeOldRows,
} from '../../src/testing.js';
import { adminOf, sectionOf } from '../support/admin.js';
import { type Customer, customerOf, elsewhere, home, laptop, phone } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { fingerprintOf } from '../support/fingerprints.js';
import { startService, type TestProject, type TestService } from '../support/service.js';

describeDatabases('the overview', (kind) => {
  let service: TestService;
  let project: TestProject;
  let customer: Customer;
  let worldId: string;
  let answers: { verdict: string; reasons: string[] }[];
  beforeAll(async () => {
    service = await startService({ database: kind });
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    project = await service.newProject();
    customer = customerOf(service, project);
    const { id } = await service.db
      .selectFrom('worlds')
      .select('id')
      .where('project_id', '=', project.project.id)
      .where('mode', '=', 'live')
      .executeTakeFirstOrThrow();
    worldId = id;
    answers = [];
  });

  const look = (period = '24h') => readOverview(service.service, worldId, period);
  const fold = () => foldAllActivity(service.service);
  /** Simulates several processes. */
  const foldThreeTimes = () => Promise.all([fold(), fold(), fold()]);
  const totalsOf = (series: readonly { label: string; total: number }[]) =>
    Object.fromEntries(series.filter(({ total }) => total > 0).map(({ label, total }) => [label, total]));
  const figuresOf = ({ evaluations, verdicts, reasons, outcomes, sharing }: Overview) => ({
    evaluations,
    verdicts: totalsOf(verdicts),
    reasons: totalsOf(reasons),
    outcomes: totalsOf(outcomes),
    sharing: totalsOf(sharing),
  });
  /** Sends a sign-up, which is allowed, and a login from a phone, which is challenged. */
  const signUpAndLogIn = async (user: string) => {
    const fingerprint = fingerprintOf({ seed: user });
    answers.push(await customer.evaluate({ action: 'signup', user, fingerprint, ip: home }));
    const login = await customer.challenge(user, {
      fingerprint: fingerprintOf({ seed: `${user}'s phone` }),
      ip: elsewhere,
    });
    answers.push(login);
    return login;
  };
  /** Expected figures of evaluations. */
  const answered = () => ({
    evaluations: answers.length,
    verdicts: countOf(answers.map(({ verdict }) => verdict)),
    reasons: countOf(answers.flatMap(({ reasons }) => reasons)),
  });
  const complete = (id: string) => customer.ask(`/v2/challenges/${id}/complete`);
  const foldedRows = () =>
    service.db.selectFrom('activity_counts').selectAll().where('world_id', '=', worldId).execute();

  test('shows evaluations and the outcomes of challenges', async () => {
    const { challenge_id: done } = await signUpAndLogIn('ann');
    service.clock.advance(hourMs);
    await complete(done);
    const { challenge_id: skipped } = await signUpAndLogIn('bob');
    await customer.ask(`/v2/challenges/${skipped}/skip`);
    await signUpAndLogIn('cyd');
    const overview = await look();
    expect(figuresOf(overview)).toMatchObject({
      ...answered(),
      outcomes: { completed: 1, skipped: 1, pending: 1 },
    });
    expect(overview.completedShare).toBe(0.5);
    // Within a tenth of an hour, so that rounding cannot change it.
    expect(Math.abs((overview.medianSeconds ?? 0) / 3600 - 1)).toBeLessThan(0.1);
    service.clock.advance(25 * hourMs);
    // Expired, although the status is not yet updated.
    expect(figuresOf(await look('7d')).outcomes).toEqual({ completed: 1, skipped: 1, expired: 1 });
  });

  test('shows the same figures after hourly counting, however often it runs, plus newer rows', async () => {
    const { challenge_id } = await signUpAndLogIn('ann');
    await complete(challenge_id);
    await fold();
    expect(await foldedRows()).toEqual([]);
    service.clock.advance(11 * minuteMs);
    await signUpAndLogIn('bob');
    await foldThreeTimes();
    await fold();
    expect((await foldedRows()).length).toBeGreaterThan(0);
    const after = figuresOf(await look());
    expect(after).toEqual({ ...answered(), outcomes: { completed: 1, pending: 1 }, sharing: {} });
    // Across the limit, and over several hours.
    service.clock.advance(11 * minuteMs);
    await foldThreeTimes();
    expect(figuresOf(await look())).toEqual(after);
    service.clock.advance(3 * hourMs);
    await signUpAndLogIn('cyd');
    service.clock.advance(11 * minuteMs);
    const live = figuresOf(await look('7d'));
    expect(live).toMatchObject(answered());
    expect(live.evaluations).toBe(after.evaluations + 2);
    await foldThreeTimes();
    expect(figuresOf(await look('7d'))).toEqual(live);
  });

  test('counts a challenge once it has ended, regardless of later changes', async () => {
    await signUpAndLogIn('ann');
    const { challenge_id: late } = await signUpAndLogIn('bob');
    await complete(late);
    service.clock.advance(hourMs);
    await fold();
    expect((await foldedRows()).filter(({ kind: of }) => of === 'challenge')).toEqual([]);
    expect(figuresOf(await look()).outcomes).toEqual({ completed: 1, pending: 1 });
    service.clock.advance(dayMs);
    await expireChallenges(service.service);
    await foldThreeTimes();
    const counted = (await foldedRows()).filter(({ kind: of }) => of === 'challenge');
    expect(counted.map(({ label, count }) => [label, count]).sort()).toEqual([
      ['completed', 1],
      ['expired', 1],
    ]);
    expect(figuresOf(await look('7d')).outcomes).toEqual({ completed: 1, expired: 1 });
  });

  test('shows account sharing signals', async () => {
    project = await service.newProject({ device_limit: { overall: 1 } });
    customer = customerOf(service, project);
    await customer.ask('/v2/device/attach', { user: 'ann', fingerprint: laptop, ip: home });
    await customer.challenge('ann', { fingerprint: phone, ip: elsewhere });
    const events = await service.events(project);
    expect(events.filter(({ type }) => type === 'account_sharing.signal')).toHaveLength(1);
    const admin = await adminOf(service);
    const page = await admin.get(sectionOf(project, 'overview'));
    expect(page.text).toMatch(/Sharing signals 1 /);
    expect((await admin.get(sectionOf(project, 'overview', 'test'))).text).toContain('no evaluations in test mode yet');
  });

  test('keeps the counts of erased users and old rows until rows are deleted', async () => {
    await signUpAndLogIn('ann');
    service.clock.advance(hourMs);
    await fold();
    await customer.ask('/v2/user/ann/delete');
    expect(figuresOf(await look()).evaluations).toBe(2);
    service.clock.advance(401 * dayMs);
    await removeOldRows(service.service);
    expect(await foldedRows()).toEqual([]);
  });

  test('counts earlier rows after a recount', async () => {
    service.clock.advance(hourMs);
    await signUpAndLogIn('ann');
    service.clock.advance(11 * minuteMs);
    await fold();
    service.clock.advance(-hourMs);
    await signUpAndLogIn('bob');
    service.clock.advance(hourMs);
    await recountActivity(service.service);
    await fold();
    expect(figuresOf(await look())).toMatchObject(answered());
  });

  describe('as a page', () => {
    test('has each figure in a table, a choice of periods, and charts from static files', async () => {
      await signUpAndLogIn('ann');
      const admin = await adminOf(service);
      const page = await admin.get(`${sectionOf(project, 'overview')}?period=30d`);
      expect(page.html).toMatch(/period=30d" aria-current="true"/);
      expect(page.text).toMatch(/Evaluations 2 Allowed 50%/);
      expect(page.html).toMatch(/<caption class="unseen">Verdicts over time<\/caption>/);
      const files = [...page.html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, url = '']) => url);
      expect(files).toHaveLength(4);
      for (const file of files) {
        const { status, headers } = await admin.get(file);
        expect([status, headers.get('Cache-Control')]).toEqual([200, 'public, max-age=31536000, immutable']);
      }
      const old = await admin.get('/assets/dashboard.css?v=old');
      expect(old.headers.get('Cache-Control')).toBe('no-cache');
    });

    test('compares each figure with the period before, and links what it counts', async () => {
      await signUpAndLogIn('ann');
      await fold();
      service.clock.advance(dayMs + 2 * hourMs);
      await signUpAndLogIn('bob');
      await customer.evaluate({ action: 'signup', user: 'cyd', fingerprint: fingerprintOf({ seed: 'cyd' }), ip: home });
      const admin = await adminOf(service);
      const overview = await admin.get(sectionOf(project, 'overview'));
      expect(overview.text).toMatch(/Evaluations 3 \+50% Allowed 67% \+16\.7 points/);
      expect(overview.html).toContain('title="2 in the period before"');
      const links = [...overview.html.matchAll(/<dd><a href="([^"]+evaluations[^"]*)"/g)].map(([, href = '']) => href);
      expect(links).toHaveLength(3);
      const allowed = await admin.get((links[1] ?? '').replaceAll('&amp;', '&'));
      expect([allowed.status, allowed.html.match(/\/evaluations\/[\da-f-]{36}"/g)?.length]).toEqual([200, 2]);
      const reason = /href="([^"]*reason=new_device[^"]*)"/.exec(overview.html)?.[1] ?? '';
      expect((await admin.get(reason.replaceAll('&amp;', '&'))).status).toBe(200);
    });

    test('says what needs attention', async () => {
      const admin = await adminOf(service);
      const at = () => admin.get(sectionOf(project, 'overview'));
      await customer.evaluate({ action: 'signup', user: 'ada', fingerprint: laptop, ip: home });
      expect((await at()).text).not.toContain('Attention');
      const name = '<b>Broken</b>';
      const rules = [{ name, when: 'metadata.amount > 5', effect: 'review', actions: [], state: 'on' }];
      await changeSettings(service.service, { project: project.project.id, changes: { rules }, changedBy: 'test' });
      await customer.evaluate({
        action: 'login',
        user: 'ada',
        fingerprint: laptop,
        ip: home,
        metadata: { amount: 'x' },
      });
      const usual = (week: number) => ({
        world_id: worldId,
        hour: new Date(Math.floor(service.clock.now().getTime() / hourMs) * hourMs - hourMs - week * 7 * dayMs),
        kind: 'failure' as const,
        label: 'allow',
        count: 400,
      });
      await service.db
        .insertInto('activity_counts')
        .values([usual(1), usual(2), usual(3)])
        .execute();
      const page = await at();
      expect(page.text).toMatch(/Attention Unusual: 0 failed attempts in the hour from .* about 400/);
      expect(page.html).toContain(
        `<a href="${sectionOf(project, 'rules')}">the rule “&lt;b&gt;Broken&lt;/b&gt;”</a> fails`,
      );
    });

    test('counts evaluations that wait for a review up to 1,000', async () => {
      const admin = await adminOf(service);
      await customer.evaluate({ action: 'signup', user: 'ada', fingerprint: laptop, ip: home });
      const wait = (count: number) =>
        sql`insert into reviews (world_id, evaluation_id, cause, verdict, score, created_at)
          select ${worldId}, gen_random_uuid(), 'score', 'allow', 50, now() from generate_series(1, ${count}::int)`.execute(
          service.db,
        );
      await wait(1000);
      expect((await admin.get(sectionOf(project, 'overview'))).text).toContain(' 1,000 evaluations wait for a review');
      await wait(1);
      const { text } = await admin.get(sectionOf(project, 'overview'));
      expect(text).toContain('Over 1,000 evaluations wait for a review');
    });

    test('says if there was no activity', async () => {
      await customer.evaluate({ action: 'signup', user: 'ada', fingerprint: laptop, ip: home });
      service.clock.advance(2 * dayMs);
      const page = await (await adminOf(service)).get(sectionOf(project, 'overview'));
      expect(page.text).toContain('No evaluations or challenges in this period.');
      expect(page.html).not.toContain('chart');
    });
  });
});

function countOf(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}
