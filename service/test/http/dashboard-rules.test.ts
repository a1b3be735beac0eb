import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeSettings } from '../../src/testing.js';
import { memberAt } from '../support/admin.js';
import { home, laptop } from '../support/customer.js';
import { type DashboardShop, openDashboardShop } from '../support/dashboard-shop.js';
import { describeDatabases } from '../support/databases.js';

const payout = {
  ...{ name: 'Large payouts', when: 'metadata.amount > 500', effect: 'challenge', actions: 'payout', state: 'on' },
};

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
    expect(unnamed.text).toMatch(/The name .*The actions must be the name of an action\./);
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
    const changeRules = (rules: readonly object[]) =>
      changeSettings(shop.service.service, { project: shop.project.project.id, changes: { rules }, changedBy: 'test' });
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
    expect((await shop.shown('/rules')).text).toMatch(/Matched counts the newest \d+ evaluations of this mode, since/);
    await changeRules([]);
  });

  test('begin with an example, in shadow', async () => {
    const { html } = await shop.shown('/rules/new?preset=payout');
    expect(html).toContain('metadata.amount &gt; 500');
    expect(html).toMatch(/<option value="shadow" selected>/);
    expect((await shop.shown('/rules/new?preset=unknown')).html).toMatch(/<option value="shadow" selected>/);
  });

  test('are not overwritten if somebody else changed them meanwhile', async () => {
    const version = await versionOf();
    await post('/rules/new', payout);
    const late = await shop.post('/rules/new', { ...payout, name: 'Late', version });
    expect(late.status).toBe(409);
    expect(late.text).toContain('Nothing was saved, because somebody else changed the rules.');
    expect(await names()).toEqual(['Large payouts']);
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
