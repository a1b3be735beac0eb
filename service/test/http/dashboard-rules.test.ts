import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeSettings } from '../../src/testing.js';
import { memberAt } from '../support/admin.js';
import { customerOf, home, laptop } from '../support/customer.js';
import { type DashboardShop, openDashboardShop } from '../support/dashboard-shop.js';
import { describeDatabases } from '../support/databases.js';

const payout = {
  name: 'Large payouts',
  when: 'metadata.amount > 500',
  effect: 'challenge',
  actions: 'payout',
  state: 'on',
};

const login = { action: 'login', fingerprint: laptop, ip: home };

describeDatabases('the rules of the dashboard', (kind) => {
  let shop: DashboardShop;
  beforeAll(async () => {
    shop = await openDashboardShop(kind);
  });
  afterAll(() => shop.close());

  /** Returns the version of the rules from the form of a page. */
  const versionOf = async (path = '/rules/new') =>
    /name="version" value="([^"]+)"/.exec((await shop.shown(path)).html)?.[1] ?? '';
  const post = async (path: string, fields: Record<string, string> = {}) =>
    shop.post(path, { version: await versionOf(), ...fields });
  const names = async () =>
    [...(await shop.shown('/rules')).html.matchAll(/<strong>([^<]+)<\/strong>/g)].map(([, name]) => name);
  const changeRules = (rules: readonly object[], project = shop.project.project.id) =>
    changeSettings(shop.service.service, { project, changes: { rules }, changedBy: 'test' });
  const evaluate = (action: string) =>
    shop.customer.evaluate({ action, user: 'ada', fingerprint: laptop, ip: home, metadata: { amount: 600 } });

  test('are added, ordered, changed and removed, and an earlier version is restored', async () => {
    expect((await shop.shown('/rules')).text).toContain('There are no rules. The policy decides.');
    expect((await post('/rules/new', payout)).status).toBe(303);
    expect((await evaluate('payout')).decided_by.reasons).toMatchObject([{ rule: 'Large payouts' }]);
    const second = { ...payout, name: 'Second', actions: 'payout login', effect: 'deny' };
    await post('/rules/new', second);
    expect(await names()).toEqual(['Large payouts', 'Second']);
    await post('/rules/2/move', { direction: 'up' });
    expect(await names()).toEqual(['Second', 'Large payouts']);
    expect((await evaluate('payout')).verdict).toBe('deny');
    await post('/rules/1', { ...second, name: 'Closed', state: 'shadow' });
    expect((await shop.shown('/rules')).text).toMatch(
      /The rule &quot;Closed&quot; was saved\..*Closed.*payout, login.*shadow/,
    );
    expect((await evaluate('payout')).verdict).not.toBe('deny');
    await post('/rules/1/remove');
    expect(await names()).toEqual(['Large payouts']);
    const page = await shop.shown('/rules');
    expect(page.text).toMatch(/ines@example\.com/);
    const [entry = ''] = [...page.html.matchAll(/name="entry" value="([^"]+)"/g)].map(([, id]) => id ?? '');
    await post('/rules/versions/restore', { entry });
    expect(await names()).toEqual(['Closed', 'Large payouts']);
    for (const _rule of [1, 2]) await post('/rules/1/remove');
    expect(await names()).toEqual([]);
  });

  test('show what is wrong beside the condition, with its position, and keep what was entered', async () => {
    const when = 'user.is_new && user.age > 3';
    const refused = await post('/rules/new', { ...payout, name: '<b>x</b>', when });
    expect(refused.status).toBe(422);
    expect(refused.text).toMatch(/The condition cannot be read: .*age.* \(at character \d+\)\./);
    expect(refused.html).toContain('user.is_new &amp;&amp; user.age &gt; 3');
    expect(refused.html).not.toContain('<b>x</b>');
    const unnamed = await post('/rules/new', { ...payout, name: ' ', actions: 'Pay-out' });
    expect(unnamed.text).toMatch(/The name must not be empty\..*The actions must be the name of an action\./);
    const actions = Array.from({ length: 21 }, (_, index) => `action_${index}`).join(' ');
    const long = await post('/rules/new', { ...payout, name: 'x'.repeat(101), when: 'x'.repeat(1001), actions });
    expect(long.text).toMatch(
      /The name must have at most 100 char.*The condition must have at most 1,000 char.*The actions must be at most 20 names\./,
    );
    expect(await names()).toEqual([]);
  });

  test('with the effect `tag` need a tag, which others cannot have', async () => {
    const fields = { ...payout, effect: 'tag' };
    const missing = await post('/rules/new', fields);
    expect(missing.text).toMatch(/The tag must be set for the effect `?tag`?: 1 to 40 lower-case letters/);
    const wrong = await post('/rules/new', { ...fields, tag: '<b>' });
    expect([wrong.status, wrong.html.includes('<b>"'), wrong.html.includes('value="&lt;b&gt;"')]).toEqual([
      ...[422, false, true],
    ]);
    expect((await post('/rules/new', { ...payout, tag: 'large' })).text).toContain('The tag is only for the effect');
    await post('/rules/new', { ...fields, tag: 'large' });
    expect((await shop.shown('/rules')).html).toContain('<span class="badge tag">large</span>');
    expect((await shop.shown('/rules/1')).html).toContain('value="large"');
    expect(await evaluate('payout')).toMatchObject({ tags: ['large'] });
    await post('/rules/1/remove');
  });

  test('show how often they matched and failed, by the name of the rule and the mode', async () => {
    /** Returns the rules with their cell in the column "Matched". */
    const matches = async (mode: 'live' | 'test') => {
      const { html } = await shop.visitor.get(`/dashboard/${shop.project.project.id}/${mode}/rules`);
      const cells = /<strong>([^<]+)<\/strong>.*?data-label="Matched"><div>(.*?)<\/div>/gs;
      return Object.fromEntries(
        [...html.matchAll(cells)].map(([, name, cell = '']) => [name, cell.replaceAll(/<[^>]+>/g, '').trim()]),
      );
    };
    await changeRules([
      { name: 'Counted', when: 'metadata.amount > 500', effect: 'report', actions: ['counted'] },
      { name: 'Shadowed', when: 'true', effect: 'deny', actions: ['counted'], state: 'shadow' },
      { name: 'Denies', when: 'metadata.amount == 600.0', effect: 'deny', actions: ['counted'] },
    ]);
    expect(await matches('live')).toEqual({ Counted: '0', Shadowed: '0', Denies: '0' });
    for (const amount of [600, 700, 'many', 1]) {
      const metadata = { amount };
      await shop.customer.evaluate({ action: 'counted', user: 'bea', fingerprint: laptop, ip: home, metadata });
    }
    expect(await matches('live')).toEqual({ Counted: '2 failing 1 time', Shadowed: '4', Denies: '1' });
    expect(await matches('test')).toEqual({ Counted: '0', Shadowed: '0', Denies: '0' });
    // Each count leads to the evaluations that it counts.
    const listed = async (rule: string) => {
      const { html } = await shop.shown(`/evaluations?rule=${rule}`);
      return [...html.matchAll(/\/evaluations\/[0-9a-f-]{36}"/g)].length;
    };
    const rulesOfPage = (await shop.shown('/rules')).html;
    for (const [rule, count] of Object.entries({ Counted: 2, Shadowed: 4, Denies: 1 })) {
      expect(rulesOfPage).toMatch(new RegExp(`/evaluations\\?rule=${rule}"[^>]*>${count}</a>`));
      expect(await listed(rule), rule).toBe(count);
    }
    expect((await shop.shown('/rules')).text).toMatch(/Matched counts the newest \d+ evaluations of this mode, since/);
    await changeRules([]);
  });

  test('are named on an evaluation: what decided, what matched in shadow, and what failed', async () => {
    await changeRules([
      { name: 'First', when: 'metadata.amount == 600.0', effect: 'deny', actions: ['named'] },
      { name: 'Marks', when: 'true', effect: 'report', actions: ['named'] },
      { name: 'Would ask', when: 'true', effect: 'challenge', actions: ['named'], state: 'shadow' },
      { name: 'Fails', when: 'metadata.text > 5', effect: 'deny', actions: ['named'] },
    ]);
    const named = async (amount: number) => {
      const metadata = { amount, text: 'x' };
      const { evaluation_id: id } = await shop.customer.evaluate({ ...login, action: 'named', user: 'cid', metadata });
      return (await shop.shown(`/evaluations/${id}`)).text;
    };
    const shadow = 'Rule “ Would ask ” matched, in shadow: it did not count. Its effect: challenge';
    const failed = 'Rule “ Fails ” did not count: its condition could not be evaluated.';
    const denied = await named(600);
    expect(denied).toMatch(/Decided by rule “First”\. .*Rule “ First ” deny Rule “ Marks ” report/);
    expect(denied).toContain('Rule “First” deny the rule: deny It decided the verdict.');
    const marked = await named(1);
    expect(marked).toMatch(
      /Why Decided by New device.*Rule “ Marks ” report .*Rule of the project none login: report The policy only/,
    );
    for (const text of [denied, marked]) {
      expect(text).toContain(`Rules that did not count ${shadow} ${failed}`);
      expect(text).toContain('Rule “Would ask” none the rule: challenge The rule is in shadow');
    }
    await changeRules([]);
  });

  test('link to what they count, also if there are more evaluations than are counted', async () => {
    const other = await shop.service.newProject();
    await changeRules([{ name: 'Sees all', when: 'true', effect: 'deny', state: 'shadow' }], other.project.id);
    const { evaluation_id: id } = await customerOf(shop.service, other).evaluate({ ...login, user: 'dee' });
    await sql`
      insert into evaluations (id, world_id, external_user, identity_id, variant_id, action, verdict, reasons, findings,
        decisions, request, confidence, matched_by, changed, accepted, claimed, created_at)
      select gen_random_uuid(), world_id, 'earlier', identity_id, variant_id, action, verdict, reasons, findings,
        decisions, request, confidence, matched_by, changed, false, false, created_at - n * interval '1 second'
      from evaluations, generate_series(1, 5100) n where id = ${id}
    `.execute(shop.service.db);
    const base = `/dashboard/${other.project.id}/live`;
    const { html } = await shop.visitor.get(`${base}/rules`);
    const [, query = ''] = /\/evaluations\?([^"]+)"[^>]*>5,000<\/a>/.exec(html) ?? [];
    const fields = Object.fromEntries(new URLSearchParams(query.replaceAll('&amp;', '&')));
    expect(fields).toEqual({ rule: 'Sees all', start_date: expect.stringMatching(/^[\d-]{10}T[\d:.]{12}Z$/) });
    const rows = (await shop.visitor.post(`${base}/evaluations/export`, { ...fields, format: 'csv' })).html;
    expect(rows.trimEnd().split('\n')).toHaveLength(1 + 5000);
  });

  test('begin with an example, in shadow', async () => {
    const { html } = await shop.shown('/rules/new?preset=payout');
    expect(html).toContain('metadata.amount &gt; 500');
    expect(html).toMatch(/<option value="shadow" selected>/);
    expect((await shop.shown('/rules/new?preset=unknown')).html).toMatch(/<option value="shadow" selected>/);
  });

  test('are not overwritten if somebody else changed them meanwhile, and keep what was entered', async () => {
    const version = await versionOf();
    await post('/rules/new', payout);
    const late = await shop.post('/rules/new', { ...payout, name: 'Late', when: 'user.is_new', version });
    expect(late.status).toBe(409);
    expect(late.text).toMatch(
      /Nothing was saved because somebody else changed the rules\..* added name: Late, when: user/,
    );
    expect(late.html).toMatch(/value="Late".*>user\.is_new<\/textarea>/s);
    expect(await names()).toEqual(['Large payouts']);
    // The rule has moved since the form was shown, and is changed where it is now.
    const { html } = await shop.shown('/rules/1');
    const [, before = ''] = /name="version" value="([^"]+)"/.exec(html) ?? [];
    const edited = { ...payout, saved_as: 'Large payouts', when: 'metadata.amount > 900', version: before };
    await changeRules([
      { ...payout, name: 'First', actions: [] },
      { ...payout, actions: ['payout'] },
    ]);
    const moved = await shop.post('/rules/1', edited);
    expect(moved.text).toMatch(/“Large payouts”\.when ?: metadata\.amount &gt; 500 → metadata\.amount &gt; 900/);
    expect(moved.html).toContain(`action="${shop.base}/rules/2"`);
    const again = { ...edited, version: /name="version" value="([^"]+)"/.exec(moved.html)?.[1] ?? '' };
    expect((await shop.post('/rules/2', again)).status).toBe(303);
    expect((await shop.shown('/rules')).html).toMatch(/First.*amount &gt; 500.*Large payouts.*amount &gt; 900/s);
    // The same form sent twice is saved once. One of a rule that is gone adds it.
    expect((await shop.post('/rules/2', again)).status).toBe(303);
    await post('/rules/2/remove');
    expect((await shop.post('/rules/2', edited)).html).toContain(`action="${shop.base}/rules/new"`);
    expect(await names()).toEqual(['First']);
    for (const path of ['/rules/2', '/rules/0', '/rules/x']) expect((await shop.open(path)).status).toBe(404);
    expect((await post('/rules/9/remove')).status).toBe(404);
    expect((await post('/rules/versions/restore', { entry: '0190c0de-0000-7000-8000-000000000000' })).status).toBe(404);
    await post('/rules/1/remove');
  });

  test('of another project cannot be restored', async () => {
    const other = await shop.service.newProject();
    const rules = [{ name: 'Foreign', when: 'true', effect: 'deny' }];
    const change = (changes: Readonly<Record<string, unknown>>) =>
      changeSettings(shop.service.service, { project: other.project.id, changes, changedBy: 'test' });
    await change({ rules });
    await change({ rules: [] });
    const entry = await shop.service.db
      .selectFrom('audit_log')
      .select('id')
      .where('project_id', '=', other.project.id)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    expect((await post('/rules/versions/restore', { entry: entry.id })).status).toBe(404);
    expect(await names()).toEqual([]);
  });

  test('are changed by administrators, and only read by others', async () => {
    const projectId = shop.project.project.id;
    for (const role of ['viewer', 'analyst'] as const) {
      const member = { email: `${role}-rules@example.com`, role, projectId };
      const visitor = await memberAt(shop.app.url, shop.service.service, member);
      const page = await visitor.get(`${shop.base}/rules`);
      expect(page.status).toBe(200);
      expect(page.html).not.toContain('/rules/new');
      const csrf = visitor.fields().get('csrf') ?? '';
      const fields = { ...payout, csrf, version: await versionOf() };
      expect((await visitor.post(`${shop.base}/rules/new`, fields)).status).toBe(403);
    }
    expect(await names()).toEqual([]);
  });
});
