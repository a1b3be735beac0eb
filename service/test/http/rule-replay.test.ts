import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { changeSettings, dayMs, firstIdAt, removeOldRows } from '../../src/testing.js';
import { memberAt } from '../support/admin.js';
import { type Customer, customerOf, home, laptop, origin, phone } from '../support/customer.js';
import { type DashboardShop, openDashboardShop } from '../support/dashboard-shop.js';
import { describeDatabases } from '../support/databases.js';
import { draft, replaysAt } from '../support/rule-replays.js';
import type { TestProject } from '../support/service.js';

describeDatabases('the replay of a rule', (kind) => {
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

  const setRules = (rules: readonly object[]) =>
    changeSettings(shop.service.service, { project: project.project.id, changes: { rules }, changedBy: 'test' });
  const evaluate = (user: string, more: object = {}) =>
    customer.evaluate({ action: 'payout', user, fingerprint: laptop, ip: home, metadata: { amount: 600 }, ...more });

  const post = (fields?: Record<string, string>) => replaysAt(shop, base).post(fields);
  const start = (fields?: Record<string, string>) => replaysAt(shop, base).start(fields);
  const replay = (fields?: Record<string, string>) => replaysAt(shop, base).replay(fields);
  const runJobs = () => replaysAt(shop, base).runJobs();

  test('shows which verdicts change, by label, with intervals and a list to open', async () => {
    const ids: string[] = [];
    for (const amount of [600, 700, 800, 100]) {
      ids.push((await evaluate('ada', { metadata: { amount } })).evaluation_id);
    }
    await customer.ask(`/v2/evaluations/${ids[0]}/feedback`, { label: 'fraud' });
    await customer.ask(`/v2/evaluations/${ids[1]}/feedback`, { label: 'legitimate' });
    await customer.ask(`/v2/evaluations/${ids[3]}/feedback`, { label: 'legitimate' });
    const path = await start();
    const waiting = await shop.visitor.get(path);
    expect(waiting.headers.get('Refresh')).toBe('2');
    expect(waiting.text).toContain('The replay begins in a few seconds.');
    expect((await shop.visitor.get(`${base}/rules`)).text).toMatch(/Replays .*Tried waiting/);
    await runJobs();
    const page = await shop.visitor.get(path);
    expect(page.headers.get('Refresh')).toBeNull();
    expect(page.text).toContain('3 of 4 evaluations of the live mode in the last 30 days would have another verdict');
    expect(page.text).toMatch(/fraud 1 1: 100\.0% \(20\.7% to 100\.0%\) 0: 0\.0% \(0\.0% to 79\.3%\)/);
    expect(page.text).toMatch(/legitimate 2 1: 50\.0% \(9\.5% to 90\.5%\)/);
    const linked = [...page.html.matchAll(/evaluations\/([0-9a-f-]{36})"/g)].map(([, id]) => id);
    expect(linked).toEqual(ids.slice(0, 3).reverse());
    // Nothing was saved, and the draft can be.
    expect((await shop.visitor.get(`${base}/rules`)).text).toContain('There are no rules.');
    const [, edit = ''] = /href="([^"]+replay=[^"]+)"/.exec(page.html) ?? [];
    expect((await shop.visitor.get(edit)).html).toContain('metadata.amount &gt; 500');
  });

  test('of a rule that only marks shows what it would match, by label', async () => {
    const ids: string[] = [];
    for (const amount of [600, 700, 100]) ids.push((await evaluate('ada', { metadata: { amount } })).evaluation_id);
    await customer.ask(`/v2/evaluations/${ids[0]}/feedback`, { label: 'fraud' });
    await customer.ask(`/v2/evaluations/${ids[2]}/feedback`, { label: 'legitimate' });
    const page = await replay({ effect: 'tag', tag: 'large' });
    expect(page).toMatchObject({ matched: '2', changes: [] });
    expect(page.text).toContain(
      'Of these 1 labelled fraud, 0 legitimate, 1 unknown. Precision: 100.0% (20.7% to 100.0%)',
    );
    expect(page.text).toMatch(/Evaluations that match .* fraud/);
    const linked = [...page.html.matchAll(/evaluations\/([0-9a-f-]{36})"/g)].map(([, id]) => id);
    expect(linked).toEqual(ids.slice(0, 2).reverse());
    const [, edit = ''] = /href="([^"]+replay=[^"]+)"/.exec(page.html) ?? [];
    expect((await shop.visitor.get(edit)).html).toContain('value="large"');
  });

  test('compares with the saved rules, and replaces the one that is edited', async () => {
    await setRules([
      { name: 'First', when: 'metadata.amount > 650', effect: 'restrict' },
      { name: 'Off', when: 'true', effect: 'deny', state: 'off' },
    ]);
    for (const amount of [600, 700]) await evaluate('ada', { metadata: { amount } });
    expect(await replay()).toMatchObject({ matched: '2', changes: ['challenge → deny 1 0 0 1'] });
    const first = { ...draft, name: 'First', position: '1' };
    expect(await replay(first)).toMatchObject({
      changes: ['restrict → deny 1 0 0 1', 'challenge → deny 1 0 0 1'],
    });
    const same = { ...draft, name: 'First', when: 'metadata.amount > 650', effect: 'restrict', position: '1' };
    expect(await replay(same)).toMatchObject({ replayed: '2', matched: '1', changes: [] });
  });

  test('judges by what was known then, with trust and lists', async () => {
    const first = await customer.challenge('ada');
    await customer.ask(`/v2/challenges/${first.challenge_id}/complete`);
    await customer.evaluate({ action: 'login', user: 'ada', fingerprint: laptop, ip: home });
    expect(await replay({ when: 'user.is_new' })).toMatchObject({
      matched: '1',
      changes: ['challenge → deny 1 0 0 1'],
    });
    // The trusted device at its address is not challenged at login, but at any other action.
    const challenges = { when: 'true', effect: 'challenge' };
    expect(await replay(challenges)).toMatchObject({ replayed: '2', matched: '2', changes: [] });
    await evaluate('ada', { action: 'payment' });
    expect(await replay(challenges)).toMatchObject({ matched: '3', changes: ['allow → challenge 1 0 0 1'] });
    await shop.service.list(project, ['allow', 'user', 'bea']);
    await evaluate('bea', { fingerprint: phone });
    expect(await replay({ when: 'user.id == "bea"' })).toMatchObject({ matched: '1', changes: [] });
    await shop.service.db.deleteFrom('list_entries').where('project_id', '=', project.project.id).execute();
    expect(await replay({ when: 'user.id == "bea"' })).toMatchObject({ matched: '1', changes: [] });
  });

  test('reads the email domain, claims, and attempts in observe mode', async () => {
    await evaluate('ada', { email: 'Ada@Mail.Example' });
    const domain = { when: 'email.domain == "mail.example"' };
    expect(await replay(domain)).toMatchObject({ matched: '1', changes: ['challenge → deny 1 0 0 1'] });
    const { evaluation_id } = await customer.claim('bea');
    await customer.ask(`/v2/evaluations/${evaluation_id}/consume`, {
      user: 'bea',
      action: 'login',
      email: 'bea@mail.example',
    });
    // The claim was challenged, so no rule makes it milder.
    expect(await replay({ ...domain, effect: 'allow' })).toMatchObject({
      matched: '2',
      changes: ['challenge → allow 1 0 0 1'],
    });
    await changeSettings(shop.service.service, {
      project: project.project.id,
      changes: { mode: 'observe' },
      changedBy: 'test',
    });
    expect((await evaluate('cora', { email: 'cora@mail.example' })).verdict).toBe('allow');
    expect(await replay(domain)).toMatchObject({ matched: '3', changes: ['challenge → deny 3 0 0 3'] });
  });

  test('counts what cannot be replayed, and conditions that fail', async () => {
    await evaluate('ada', { outcome: 'failed' });
    await evaluate('ada', { outcome: 'failed', metadata: {} });
    await evaluate('ada', { metadata: { amount: 'many' } });
    const old = await evaluate('ada');
    await shop.service.db
      .updateTable('evaluations')
      .set({ rule_basis: null })
      .where('id', '=', old.evaluation_id)
      .execute();
    expect(await replay()).toMatchObject({ replayed: '2', skipped: '2', matched: '0', failed: '1' });
    expect(await replay({ when: 'outcome == "failed"' })).toMatchObject({ replayed: '3', skipped: '1', matched: '2' });
    expect(await replay({ actions: 'login' })).toMatchObject({ replayed: '3', skipped: '1', failed: '0' });
  });

  test('covers 30 days of the own world, over several batches', async () => {
    const { evaluation_id } = await evaluate('ada');
    await customerOf(shop.service, project, 'test').evaluate({ action: 'payout', user: 'ada', fingerprint: laptop });
    const other = await shop.service.newProject();
    await customerOf(shop.service, other).evaluate({ action: 'payout', user: 'ada', fingerprint: laptop, ip: home });
    const copies = 2345;
    // The ID of an evaluation begins with its time. The last copy is from 31 days before.
    const old = firstIdAt(new Date(shop.service.clock.now().getTime() - 31 * dayMs));
    await sql`
      insert into evaluations
      select copy.* from evaluations e, generate_series(1, ${copies}::int + 1) as number, jsonb_populate_record(e, jsonb_build_object(
        'id', case when number > ${copies}::int then ${old} else substr(e.id::text, 1, 24) || lpad(to_hex(number), 12, '0') end
      )) as copy
      where e.id = ${evaluation_id}
    `.execute(shop.service.db);
    const page = await replay();
    expect(page.replayed).toBeUndefined();
    expect(page.text).toContain('2,346 of 2,346 evaluations');
    expect(page.text).toContain('The newest 100 that change');
    expect(page.html.match(/>Open<\/span>/g)).toHaveLength(100);
  });

  test('is refused for a rule that is invalid, outdated, or of another position', async () => {
    const refused = await post({ when: 'metadata.amount >' });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('The condition cannot be read');
    expect((await post({ position: '1' })).status).toBe(404);
    const outdated = await post({ version: 'old', when: 'metadata.amount > 77' });
    expect(outdated.text).toContain('The rule was not tried because somebody else changed the rules.');
    expect([outdated.status, outdated.html.includes('metadata.amount &gt; 77</textarea>')]).toEqual([409, true]);
    expect((await post({ effect: 'ban' })).status).toBe(400);
    expect((await post({ csrf: 'x' })).status).toBe(403);
  });

  test('runs once at a time, and can be cancelled', async () => {
    await evaluate('ada');
    const path = await start();
    const second = await post({ when: 'metadata.amount > 77' });
    expect(second.text).toContain('Another replay of this mode is running.');
    expect([second.status, second.html.includes('metadata.amount &gt; 77</textarea>')]).toEqual([409, true]);
    const csrf = shop.visitor.fields().get('csrf') ?? '';
    expect((await shop.visitor.post(`${path}/cancel`, { csrf })).status).toBe(303);
    await runJobs();
    const cancelled = await shop.visitor.get(path);
    expect(cancelled.text).toContain('The replay was cancelled.');
    expect(cancelled.text).not.toContain('Replayed evaluations');
    expect(await replay()).toMatchObject({ replayed: '1' });
  });

  test('does not finish if it is cancelled while it runs', async () => {
    await evaluate('ada');
    const path = await start();
    // Cancels it in the moment in which a worker begins it.
    await sql`
      create function cancel_at_once() returns trigger language plpgsql as $$ begin new.status = 'cancelled'; return new; end $$
    `.execute(shop.service.db);
    await sql`
      create trigger cancel_at_once before update on rule_replays for each row when (new.status = 'running')
      execute function cancel_at_once()
    `.execute(shop.service.db);
    await runJobs();
    await sql`drop trigger cancel_at_once on rule_replays`.execute(shop.service.db);
    await sql`drop function cancel_at_once`.execute(shop.service.db);
    const page = await shop.visitor.get(path);
    expect(page.text).toContain('The replay was cancelled.');
    expect(page.text).not.toContain('What would change');
  });

  test('shows that it failed', async () => {
    await evaluate('ada');
    await sql`update evaluations set rule_basis = 'broken'`.execute(shop.service.db);
    const path = await start();
    await expect(runJobs()).rejects.toThrow();
    expect((await shop.visitor.get(path)).text).toContain('The replay failed because of an internal error');
    await sql`update evaluations set rule_basis = null`.execute(shop.service.db);
  });

  test('belongs to one world and is for those who may change rules, and is deleted after 7 days', async () => {
    const path = await start();
    await runJobs();
    for (const place of [`${shop.base}`, base.replace('/live', '/test')]) {
      expect((await shop.visitor.get(path.replace(base, place))).status).toBe(404);
      const [, id] = /replays\/(.*)/.exec(path) ?? [];
      expect((await shop.visitor.get(`${place}/rules/new?replay=${id}`)).status).toBe(404);
    }
    expect((await shop.visitor.get(`${base}/rules/replays/x`)).status).toBe(404);
    const member = { email: 'replays@example.com', role: 'analyst', projectId: project.project.id } as const;
    const analyst = await memberAt(shop.app.url, shop.service.service, member);
    expect((await analyst.get(path)).status).toBe(403);
    expect((await analyst.get(`${base}/rules`)).text).not.toContain('Replays');
    const createdAt = new Date(shop.service.clock.now().getTime() - 8 * dayMs);
    await shop.service.db.updateTable('rule_replays').set({ created_at: createdAt }).execute();
    await removeOldRows(shop.service.service);
    expect((await shop.visitor.get(path)).status).toBe(404);
  });
});
