import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { changeSettings, dayMs, firstIdAt, jobHandlers, removeOldRows } from '../../src/testing.js';
import { memberAt } from '../support/admin.js';
import { type Customer, customerOf, origin } from '../support/customer.js';
import { type DashboardShop, openDashboardShop } from '../support/dashboard-shop.js';
import { describeDatabases } from '../support/databases.js';
import { fingerprintOf } from '../support/fingerprints.js';
import type { TestProject } from '../support/service.js';

describeDatabases('the rule finder', (kind) => {
  let shop: DashboardShop;
  let project: TestProject;
  let customer: Customer;
  let base: string;
  beforeAll(async () => {
    shop = await openDashboardShop(kind);
  });
  afterAll(() => shop.close());
  beforeEach(async () => {
    project = await shop.service.newProject({ allowed_origins: [origin] });
    customer = customerOf(shop.service, project);
    base = `/dashboard/${project.project.id}/live`;
  });

  /** Evaluates a user at an own device and address, so that only the amount differs. */
  let addresses = 0;
  const evaluate = (user: string, amount: unknown, more: object = {}) =>
    customer.evaluate({
      action: 'payout',
      user,
      metadata: { amount },
      fingerprint: fingerprintOf({ seed: user }),
      ip: `198.51.100.${++addresses}`,
      ...more,
    });

  /** Copies an evaluation for other people, with a label. The ID of an evaluation begins with its time. */
  async function copy(id: string, people: number, label: string | null): Promise<void> {
    await sql`
      insert into evaluations
      select copy.* from evaluations e, generate_series(1, ${people}::int) as number, jsonb_populate_record(e, jsonb_build_object(
        'id', substr(e.id::text, 1, 14) || substr(gen_random_uuid()::text, 15),
        'external_user', e.external_user || number, 'feedback_label', ${label}::text
      )) as copy
      where e.id = ${id}
    `.execute(shop.service.db);
  }

  async function post(path: string, fields: Record<string, string> = {}) {
    await shop.visitor.get(`${base}/rules/finder`);
    return shop.visitor.post(`${base}/rules/${path}`, { csrf: shop.visitor.fields().get('csrf') ?? '', ...fields });
  }

  /** Starts a search and returns its path. */
  async function start(fields: Record<string, string> = {}): Promise<string> {
    const { headers } = await post('finder', { caught: '80', honest: '2', ...fields });
    return new URL(headers.get('Location') ?? '', 'http://localhost').pathname;
  }

  /** Runs the jobs that searches have enqueued, as a worker does. */
  async function runJobs(): Promise<void> {
    const { rows } = await sql<{ data: { worldId: string; searchId: string } }>`
      delete from jobs where name = 'find_rule' returning data
    `.execute(shop.service.db);
    for (const { data } of rows) await jobHandlers(shop.service.service).find_rule(data);
  }

  test('finds a rule with its figures, which becomes a draft that is off', async () => {
    const fraud = await evaluate('mallory', 700);
    const honest = await evaluate('ada', 20);
    await copy(fraud.evaluation_id, 60, 'fraud');
    await copy(honest.evaluation_id, 500, 'legitimate');
    await copy(honest.evaluation_id, 38, null);
    const path = await start();
    const waiting = await shop.visitor.get(path);
    expect(waiting.headers.get('Refresh')).toBe('2');
    expect(waiting.text).toContain('The search begins in a few seconds.');
    await runJobs();
    const page = await shop.visitor.get(path);
    expect(page.headers.get('Refresh')).toBeNull();
    expect(page.text).toContain('On people who were held out, the rule reaches the target.');
    expect(page.text).toContain('metadata.amount &gt;= 700');
    expect(page.text).toMatch(/fraud whom it catches 100\.0%, at least 88\.4% \(30 of 30\)/);
    expect(page.text).toMatch(/Honest people who match 0\.0%, at most 1\.5% \(0 of 250\)/);
    expect(page.text).toMatch(/All evaluations that match 10\.2% \(61 of 600\)/);
    const [, draft = ''] = /href="([^"]+search=[^"]+)"/.exec(page.html) ?? [];
    const form = await shop.visitor.get(draft);
    expect(form.html).toContain('metadata.amount &gt;= 700');
    expect(form.html).toMatch(/value="shadow" selected/);
    expect((await shop.visitor.get(`${base}/rules`)).text).toContain('There are no rules.');
    expect((await shop.visitor.get(`${base}/rules/finder`)).text).toMatch(
      /at least 80\.0% of fraud, at most 2\.0% of honest people found/,
    );
  });

  test('reads labels of the own world and of 30 days, and evaluations with all facts', async () => {
    const { evaluation_id } = await evaluate('ada', 600);
    const failed = await evaluate('bob', 600, { outcome: 'failed' });
    const other = await customerOf(shop.service, project, 'test').evaluate({
      action: 'payout',
      user: 'ada',
      fingerprint: fingerprintOf({ seed: 'ada' }),
      ip: '198.51.100.9',
    });
    for (const id of [evaluation_id, failed.evaluation_id]) {
      await customer.ask(`/v2/evaluations/${id}/feedback`, { label: 'fraud' });
    }
    await shop.service.db
      .updateTable('evaluations')
      .set({ feedback_label: 'fraud' })
      .where('id', '=', other.evaluation_id)
      .execute();
    const old = await evaluate('cora', 600);
    const at = new Date(shop.service.clock.now().getTime() - 31 * dayMs);
    await shop.service.db
      .updateTable('evaluations')
      .set({ id: firstIdAt(at), created_at: at, feedback_label: 'fraud' })
      .where('id', '=', old.evaluation_id)
      .execute();
    const path = await start({ caught: '90', honest: '0.1' });
    await runJobs();
    const { text } = await shop.visitor.get(path);
    expect(text).toMatch(/Labelled evaluations 2 Of these, without all facts 1/);
    expect(text).toMatch(/Too few labels .*fraud 1 72 legitimate 0 7,376/);
    const [, id = ''] = /finder\/(.*)/.exec(path) ?? [];
    expect((await shop.visitor.get(`${base}/rules/new?search=${id}`)).status).toBe(404);
  });

  test('reads the counters that rules name, and counts the evaluations that were counted', async () => {
    const counter = 'counter("card:" + metadata.card, "24h")';
    const before = await evaluate('bob', 20);
    const rules = [{ name: 'Busy cards', when: `${counter} > 90`, effect: 'review', state: 'shadow' }];
    await changeSettings(shop.service.service, { project: project.project.id, changes: { rules }, changedBy: 'test' });
    const honest = await evaluate('ada', 20, { metadata: { card: 'own' } });
    for (let at = 0; at < 4; at++) await evaluate(`mallory ${at}`, 20, { metadata: { card: 'stolen' } });
    const fraud = await evaluate('mallory', 20, { metadata: { card: 'stolen' } });
    await copy(fraud.evaluation_id, 60, 'fraud');
    await copy(honest.evaluation_id, 500, 'legitimate');
    const path = await start();
    await runJobs();
    const { text } = await shop.visitor.get(path);
    expect(text).toContain('On people who were held out, the rule reaches the target.');
    expect(text).toContain(`${counter.replaceAll('"', '&quot;')} &gt;= 4`);
    // 60 copies and the last one, of all but the one from before the counter.
    expect(text).toMatch(/All evaluations that match 10\.8% \(61 of 566\)/);
    await customer.ask(`/v2/evaluations/${before.evaluation_id}/feedback`, { label: 'legitimate' });
    const later = await start();
    await runJobs();
    expect((await shop.visitor.get(later)).text).not.toContain('&gt;= 4');
  });

  test('says if no rule is found, or if it is not shown', async () => {
    const { evaluation_id } = await evaluate('ada', 600);
    await copy(evaluation_id, 60, 'fraud');
    await copy(evaluation_id, 400, 'legitimate');
    const none = await start();
    await runJobs();
    expect((await shop.visitor.get(none)).text).toContain('No rule catches fraud without matching');
    const half = await evaluate('bob', 900);
    await copy(half.evaluation_id, 40, 'fraud');
    const unproven = await start();
    await runJobs();
    const page = await shop.visitor.get(unproven);
    expect(page.text).toContain('The held-out people do not show that the rule reaches the target.');
    expect(page.text).toContain('metadata.amount &gt;= 900');
  });

  test('refuses shares that are none', async () => {
    for (const fields of [{ caught: '0' }, { caught: '100' }, { honest: '0' }, { honest: 'many' }, { honest: '1e1' }]) {
      const refused = await post('finder', { caught: '80', honest: '1', ...fields });
      expect([fields, refused.status]).toEqual([fields, 422]);
      expect(refused.text).toContain('Enter a number from');
    }
    expect((await post('finder', { csrf: 'x' })).status).toBe(403);
    expect((await shop.visitor.get(`${base}/rules/finder`)).text).not.toContain('Newest searches');
  });

  test('runs once at a time, and can be cancelled', async () => {
    const path = await start();
    expect(await start()).toBe(`${base}/rules/finder`);
    expect((await shop.visitor.get(`${base}/rules/finder`)).text).toContain('Another search of this mode is running.');
    expect((await post(`${path.replace(`${base}/rules/`, '')}/cancel`)).status).toBe(303);
    await runJobs();
    expect((await shop.visitor.get(path)).text).toContain('The search was cancelled.');
    // Cancelled while it runs.
    const second = await start();
    await sql`
      create function cancel_search() returns trigger language plpgsql as $$ begin new.status = 'cancelled'; return new; end $$
    `.execute(shop.service.db);
    await sql`
      create trigger cancel_search before update on rule_searches for each row when (new.status = 'running')
      execute function cancel_search()
    `.execute(shop.service.db);
    await runJobs();
    await sql`drop trigger cancel_search on rule_searches`.execute(shop.service.db);
    await sql`drop function cancel_search`.execute(shop.service.db);
    expect((await shop.visitor.get(second)).text).toContain('The search was cancelled.');
  });

  test('shows that it failed', async () => {
    const { evaluation_id } = await evaluate('ada', 600);
    await customer.ask(`/v2/evaluations/${evaluation_id}/feedback`, { label: 'fraud' });
    await sql`update evaluations set rule_basis = 'broken' where id = ${evaluation_id}`.execute(shop.service.db);
    const path = await start();
    await expect(runJobs()).rejects.toThrow();
    expect((await shop.visitor.get(path)).text).toContain('The search failed because of an internal error');
  });

  test('belongs to one world and is for those who may change rules, and is deleted after 7 days', async () => {
    const path = await start();
    await runJobs();
    for (const place of [shop.base, base.replace('/live', '/test')]) {
      expect((await shop.visitor.get(path.replace(base, place))).status).toBe(404);
      const [, id] = /finder\/(.*)/.exec(path) ?? [];
      expect((await shop.visitor.get(`${place}/rules/new?search=${id}`)).status).toBe(404);
    }
    expect((await shop.visitor.get(`${base}/rules/finder/x`)).status).toBe(404);
    const member = { email: 'finder@example.com', role: 'analyst', projectId: project.project.id } as const;
    const analyst = await memberAt(shop.app.url, shop.service.service, member);
    for (const page of [path, `${base}/rules/finder`]) expect((await analyst.get(page)).status).toBe(403);
    expect((await analyst.get(`${base}/rules`)).html).not.toContain('rules/finder');
    const createdAt = new Date(shop.service.clock.now().getTime() - 8 * dayMs);
    await shop.service.db.updateTable('rule_searches').set({ created_at: createdAt }).execute();
    await removeOldRows(shop.service.service);
    expect((await shop.visitor.get(path)).status).toBe(404);
  });
});
