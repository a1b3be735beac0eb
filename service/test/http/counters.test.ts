import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { changeSettings, hourMs, storePending } from '../../src/testing.js';
import { type Customer, customerOf, laptop, origin } from '../support/customer.js';
import { describeDatabases, describePostgresql } from '../support/databases.js';
import { startService, type TestProject, type TestService } from '../support/service.js';
import { onStatement } from '../support/statements.js';

const name = 'counter("card:" + metadata.card, "24h")';
const payout = { action: 'payout', user: 'ada', fingerprint: laptop, metadata: { card: 'c-4711' } };

describeDatabases('counters that rules name', (kind) => {
  let service: TestService;
  let project: TestProject;
  let customer: Customer;
  beforeAll(async () => {
    service = await startService({ database: kind });
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    project = await service.newProject({ allowed_origins: [origin], device_limit: { overall: null } });
    customer = customerOf(service, project);
    // At the start of an hour, so that the windows cover the same time in every run.
    const now = service.clock.now().getTime();
    service.clock.advance(Math.ceil(now / hourMs) * hourMs - now);
  });

  const setRules = (...rules: readonly object[]) =>
    changeSettings(service.service, { project: project.project.id, changes: { rules }, changedBy: 'test' });
  /** Rules that tag an evaluation with the value of a counter, from 0 to 5. */
  const tagging = (counter: string, more: object = {}) =>
    [0, 1, 2, 3, 4, 5].map((count) => ({
      name: `${counter} is ${count}`.slice(0, 100),
      when: `${counter} == ${count}`,
      effect: 'tag',
      tag: `is-${count}`,
      ...more,
    }));
  /** Evaluates and returns the value of the counter of `tagging`. */
  const valueAt = async (request: object, from = customer): Promise<string> =>
    (await from.evaluate({ ...payout, ...request })).tags?.join();

  const stored = async () => {
    const { rows } = await sql<{ worlds: number; rows: number; cells: number; evaluations: number; text: string }>`
      select count(distinct v.world_id)::int as worlds, count(*)::int as rows, coalesce(sum(v.evaluations), 0)::int as evaluations,
        count(coalesce(v.users, v.devices))::int as cells, coalesce(string_agg(encode(v.subject, 'escape'), ' '), '') as text
      from velocity_counts v join worlds w on w.id = v.world_id
      where v.kind = 'counter' and w.project_id = ${project.project.id}
    `.execute(service.db);
    return rows[0];
  };

  test('count earlier evaluations with the same name, before and after they are stored', async () => {
    await setRules(...tagging(name));
    const values = [await valueAt({}), await valueAt({ user: 'ben' }), await valueAt({ metadata: { card: 'other' } })];
    await storePending(service.service);
    values.push(await valueAt({}), await valueAt({ outcome: 'failed' }));
    await storePending(service.service);
    values.push(await valueAt({ metadata: { card: 'other' } }), await valueAt({}));
    expect(values).toEqual(['is-0', 'is-1', 'is-0', 'is-2', 'is-3', 'is-1', 'is-4']);
    await storePending(service.service);
    const { text, ...figures } = (await stored()) ?? {};
    expect(figures).toEqual({ worlds: 1, rows: 2, cells: 0, evaluations: 7 });
    expect(text).not.toContain('4711');
  });

  test('count in their window', async () => {
    await setRules(...tagging('counter("all", "5m")'), {
      name: 'Day',
      when: 'counter("all", "24h") == 2',
      effect: 'review',
    });
    expect(await valueAt({})).toBe('is-0');
    service.clock.advance(hourMs);
    expect(await valueAt({})).toBe('is-0');
    service.clock.advance(hourMs / 2);
    const last = await customer.evaluate(payout);
    expect([last.tags, last.reasons]).toEqual([['is-0'], expect.arrayContaining(['rule'])]);
    service.clock.advance(26 * hourMs);
    expect((await customer.evaluate(payout)).reasons).not.toContain('review');
    expect(await valueAt({})).toBe('is-1');
  });

  test('count nothing of another action, project or world, and nothing for a rule that is off', async () => {
    await setRules(...tagging(name, { actions: ['payout'] }));
    await valueAt({ action: 'login' });
    expect(await valueAt({})).toBe('is-0');
    expect(await valueAt({}, customerOf(service, project, 'test'))).toBe('is-0');
    const other = await service.newProject();
    const rules = tagging(name);
    await changeSettings(service.service, { project: other.project.id, changes: { rules }, changedBy: 'test' });
    expect(await valueAt({}, customerOf(service, other))).toBe('is-0');
    expect(await valueAt({})).toBe('is-1');
    await setRules(...tagging(name, { state: 'off' }));
    await valueAt({});
    await setRules(...tagging(name, { state: 'shadow' }));
    await valueAt({});
    await setRules(...tagging(name));
    expect(await valueAt({})).toBe('is-3');
  });

  test('are not read, counted or stored without a rule that names one', async () => {
    await setRules({ name: 'Plain', when: 'metadata.card == "x"', effect: 'deny' });
    await customer.evaluate(payout);
    await storePending(service.service);
    expect(await stored()).toMatchObject({ rows: 0 });
    const basis = async () => {
      const { rows } = await sql<{ basis: string }>`select e.rule_basis as basis from evaluations e
        join worlds w on w.id = e.world_id where w.project_id = ${project.project.id} order by e.id desc limit 1
      `.execute(service.db);
      return rows.map((row): unknown[] => JSON.parse(row.basis));
    };
    expect((await basis())[0]).toHaveLength(4);
    await setRules({ name: 'Counts', when: `${name} > 3`, effect: 'deny' });
    await customer.evaluate(payout);
    const [counted = []] = await basis();
    expect(counted[4]).toEqual([[expect.stringMatching(/^[\w-]{8}$/), 0]]);
    await customer.evaluate({ ...payout, metadata: {} });
    expect((await basis())[0]?.[4]).toEqual([[expect.anything(), -1]]);
  });

  test('fail for names that are not texts or too long, and match nothing without the metadata', async () => {
    await setRules({ name: 'Counts', when: 'counter(metadata.card, "1h") >= 0', effect: 'review' });
    const results = [];
    for (const metadata of [{ card: 'x' }, { card: 5 }, { card: 'x'.repeat(257) }, { card: '' }, {}, { card: ['x'] }]) {
      const { reasons, decided_by } = await customer.evaluate({ ...payout, metadata });
      results.push([
        reasons.includes('rule'),
        decided_by.excused.some((each: { rule?: string }) => each.rule === 'Counts'),
      ]);
    }
    const [matched, failed, missing] = [
      [true, false],
      [false, true],
      [false, false],
    ];
    expect(results).toEqual([matched, failed, failed, matched, missing, failed]);
  });

  test('are refused beyond 10, with their position', async () => {
    const many = Array.from({ length: 11 }, (_each, index) => ({
      name: `Rule ${index}`,
      when: `counter("${index}", "1h") > 1`,
      effect: 'review',
    }));
    await setRules(...many.slice(0, 10), { ...many[0], name: 'The same again' });
    await expect(setRules(...many)).rejects.toThrow(/rules\.10\.when names a counter too many/);
  });

  test('count what is consumed, and nothing for a page', async () => {
    await setRules(...tagging(name));
    const claim = await customer.claim('ada', { action: 'payout' });
    await storePending(service.service);
    expect(await stored()).toMatchObject({ rows: 0 });
    const consumed = await customer.ask(`/v2/evaluations/${claim.evaluation_id}/consume`, {
      user: 'ada',
      action: 'payout',
      metadata: payout.metadata,
    });
    expect(consumed.tags).toEqual(['is-0']);
    expect(await valueAt({})).toBe('is-1');
  });
});

describePostgresql('an evaluation', () => {
  test('sends a statement about counters only if a rule names one', async () => {
    const service = await startService({ database: 'postgresql' });
    const project = await service.newProject();
    const { evaluate } = customerOf(service, project);
    const change = (when: string) =>
      changeSettings(service.service, {
        project: project.project.id,
        changedBy: 'test',
        changes: { rules: [{ name: 'One', when, effect: 'review' }] },
      });
    const texts: string[] = [];
    onStatement(({ text }) => texts.push(text));
    const about = async () => {
      texts.length = 0;
      await evaluate(payout);
      return texts.filter((text) => text.includes("'counter'")).length;
    };
    await change('metadata.card == "x"');
    expect(await about()).toBe(0);
    await change(`${name} > 3`);
    expect(await about()).toBe(1);
    await service.close();
  });
});
