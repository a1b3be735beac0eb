import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { changeSettings, createKey } from '../../src/testing.js';
import { type Customer, customerOf, elsewhere, home, laptop, origin, phone } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { startService, type TestProject, type TestService } from '../support/service.js';

const login = { action: 'login', user: 'ada', email: 'ada@example.com', fingerprint: laptop, ip: home };
const payout = { ...login, action: 'payout', metadata: { amount: 600 } };
const payoutRule = { name: 'Large payouts', when: 'metadata.amount > 500', effect: 'challenge', actions: ['payout'] };

describeDatabases('the rules of a project', (kind) => {
  let service: TestService;
  let project: TestProject;
  let shop: Customer;
  beforeAll(async () => {
    service = await startService({ database: kind });
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    project = await service.newProject({ allowed_origins: [origin] });
    shop = customerOf(service, project);
  });

  const setRules = (rules: readonly object[]) =>
    changeSettings(service.service, { project: project.project.id, changes: { rules }, changedBy: 'test' });

  const complete = (id: string) => shop.ask(`/v2/challenges/${id}/complete`);

  /** Makes the device of `login` trusted. */
  async function trust(): Promise<void> {
    const { challenge_id } = await shop.evaluate(login);
    await complete(challenge_id);
    expect(await shop.evaluate(login)).toMatchObject({ verdict: 'allow' });
  }

  test('ask for a code at every large payout, also on a trusted device', async () => {
    await setRules([payoutRule]);
    await trust();
    expect((await shop.evaluate({ ...payout, metadata: { amount: 500 } })).verdict).toBe('allow');
    for (const _time of [1, 2]) {
      const first = await shop.evaluate(payout);
      expect(first).toMatchObject({ verdict: 'challenge', reasons: ['rule'] });
      expect(first.decided_by.reasons).toEqual([
        { reason: 'rule', rule: 'Large payouts', effect: 'challenge', policy: expect.anything() },
      ]);
      await complete(first.challenge_id);
      const again = { ...payout, completed_challenge: first.challenge_id };
      expect(await shop.evaluate({ ...again, fingerprint: phone })).toMatchObject({ verdict: 'challenge' });
      expect(await shop.evaluate({ ...again, ip: elsewhere })).toMatchObject({ verdict: 'challenge' });
      expect(await shop.evaluate({ ...again, action: 'payment' })).toMatchObject({ verdict: 'allow' });
      expect(await shop.evaluate(again)).toMatchObject({ verdict: 'allow' });
      // One code for one payout.
      expect(await shop.evaluate(again)).toMatchObject({ verdict: 'challenge' });
    }
  });

  test('leave what they depend on in the evaluation, in less than 200 bytes', async () => {
    await trust();
    await shop.evaluate({ ...payout, user: 'bea', fingerprint: phone, ip: elsewhere });
    await shop.evaluate({ ...login, outcome: 'failed' });
    const { rows } = await sql<{ basis: string; bytes: number }>`
      select rule_basis as basis, pg_column_size(rule_basis) as bytes from evaluations
    `.execute(service.db);
    expect(rows.length).toBeGreaterThanOrEqual(4);
    for (const { basis, bytes } of rows) {
      expect(bytes, basis).toBeLessThan(200);
      expect(basis).not.toMatch(/ada|bea|example|198\.51|600/);
    }
  });

  test('are in the record, and change nothing in shadow', async () => {
    await setRules([
      { name: 'Shadow', when: 'device.is_new', effect: 'deny', state: 'shadow' },
      { name: 'Marked', when: 'user.is_new && address.ip == "198.51.100.7"', effect: 'review' },
    ]);
    const { evaluation_id, verdict, reasons } = await shop.evaluate(login);
    expect([verdict, reasons]).toEqual(['challenge', ['new_device', 'new_ip', 'rule']]);
    const { body } = await shop.get(`/v2/evaluations/${evaluation_id}`);
    expect(body.evidence).toContainEqual({
      reason: 'rule',
      evidence: { rules: [{ name: 'Marked', effect: 'review' }] },
    });
    expect(body.decided_by.excused).toMatchObject([{ rule: 'Shadow', effect: 'deny', excused_by: ['shadow'] }]);
  });

  test('tag evaluations, also failed ones, and their challenges, without a change of the verdict', async () => {
    const tag = { effect: 'tag', tag: 'odd_hours' };
    const long = { name: 'x'.repeat(100), when: 'true', effect: 'report' };
    await setRules([long, { name: 'Tags', when: 'user.id == "ada"', ...tag }]);
    const { evaluation_id, challenge_id, verdict, tags } = await shop.evaluate(login);
    expect([verdict, tags]).toEqual(['challenge', ['odd_hours']]);
    const record = (await shop.get(`/v2/evaluations/${evaluation_id}`)).body;
    expect(record.tags).toEqual(['odd_hours']);
    expect(record.evidence.at(-1).evidence.rules).toContainEqual({ name: 'Tags', ...tag });
    expect((await shop.get(`/v2/challenges/${challenge_id}`)).body.tags).toEqual(['odd_hours']);
    const sent = await service.db
      .selectFrom('events')
      .select('data')
      .where('type', '=', 'challenge.initiated')
      .execute();
    expect(JSON.stringify(sent)).toContain('odd_hours');
    const failed = await shop.evaluate({ ...login, outcome: 'failed' });
    const other = await shop.evaluate({ ...login, user: 'bea', fingerprint: phone });
    expect(other).not.toHaveProperty('tags');
    const found = (await shop.get('/v2/evaluations?tag=odd_hours')).body.data;
    expect(found.map((each: { evaluation_id: string }) => each.evaluation_id)).toEqual([
      failed.evaluation_id,
      evaluation_id,
    ]);
    expect((await shop.get('/v2/evaluations?tag=odd')).body.data).toEqual([]);
    expect((await shop.get('/v2/evaluations?tag=Odd%20hours')).body.errors).toMatchObject([{ path: 'tag' }]);
  });

  test('that do not tag store nothing for tags', async () => {
    await shop.evaluate(login);
    const { rows } = await sql`select tags from evaluations where tags is not null
      union all select tags from challenges where tags is not null`.execute(service.db);
    expect(rows.filter((row) => JSON.stringify(row) === '{"tags":[]}')).toEqual([]);
    await setRules([{ name: 'None', when: 'false', effect: 'tag', tag: 'none' }]);
    const { evaluation_id } = await shop.evaluate(login);
    const stored = await service.db
      .selectFrom('evaluations')
      .select('tags')
      .where('id', '=', evaluation_id)
      .executeTakeFirstOrThrow();
    expect(stored.tags).toBeNull();
  });

  test('see what was counted before', async () => {
    await setRules([{ name: 'Third', when: 'user.evaluations_today >= 2', effect: 'deny' }]);
    const verdicts = [];
    for (const _time of [1, 2, 3]) verdicts.push((await shop.evaluate({ ...login, action: 'ping' })).verdict);
    expect(verdicts.at(-1)).toBe('deny');
    expect(verdicts.slice(0, 2)).not.toContain('deny');
  });

  test('judge a failed attempt too, so that the answer does not tell whether the password was right', async () => {
    await setRules([{ name: 'Closed', when: 'address.ip == "198.51.100.7"', effect: 'deny', actions: ['login'] }]);
    const failed = await shop.evaluate({ ...login, outcome: 'failed' });
    expect([failed.verdict, (await shop.evaluate(login)).verdict]).toEqual(['deny', 'deny']);
  });

  test('know the domain of the email address, also if only the user has one', async () => {
    await setRules([{ name: 'Domain', when: 'email.domain == "googlemail.com"', effect: 'deny' }]);
    await shop.evaluate(login);
    await shop.ask('/v2/user/ada/update', { email: 'ada@googlemail.com' });
    const { email: _, ...without } = login;
    for (const action of ['login', 'payout', 'signup']) {
      expect(await shop.evaluate({ ...without, action })).toMatchObject({
        verdict: 'deny',
        reasons: expect.arrayContaining(['rule']),
      });
    }
    expect(await shop.evaluate(login)).not.toMatchObject({ verdict: 'deny' });
  });

  test('do not change what a page learns', async () => {
    await setRules([{ name: 'All', when: 'true', effect: 'deny' }]);
    expect(await shop.claim('ada')).not.toMatchObject({ verdict: 'deny' });
  });

  test('are refused as a whole if one is wrong, with its position', async () => {
    const wrong = [payoutRule, { ...payoutRule, when: 'metadata.amount > 500 && user.age > 3', effect: 'deny' }];
    await expect(setRules(wrong)).rejects.toThrow(
      /rules\.1\.name is the name of another rule; rules\.1\.when cannot be read: .*age.* \(at character \d+\)/,
    );
    await expect(setRules([{ ...payoutRule, actions: ['Pay out'] }])).rejects.toThrow(/must be the name of an action/);
    const tag = { ...payoutRule, effect: 'tag' };
    await expect(setRules([tag])).rejects.toThrow(/rules\.0\.tag must be set for the effect `tag`/);
    await expect(setRules([{ ...tag, tag: 'Not a tag' }])).rejects.toThrow(/must be 1 to 40 .* at rules\[0\]\.tag/);
    await expect(setRules([{ ...tag, tag: 'x'.repeat(41) }])).rejects.toThrow(/must be 1 to 40 .* at rules\[0\]\.tag/);
    await expect(setRules([{ ...payoutRule, tag: 'vip' }])).rejects.toThrow(/rules\.0\.tag is only for the effect/);
    const many = Array.from({ length: 101 }, (_each, index) => ({ ...payoutRule, name: `Rule ${index}` }));
    await expect(setRules(many)).rejects.toThrow(/rules/);
  });

  test('are a part of the project file', async () => {
    const { id } = project.project;
    const scopes = ['manage'] as const;
    const key = await createKey(service.service, {
      project: id,
      mode: 'live',
      kind: 'secret',
      scopes,
      changedBy: 'test',
    });
    const { body, headers } = await service.api('/v2/project', { key });
    const tag = { name: 'Tags', when: 'true', effect: 'tag', tag: 'seen' };
    const settings = { ...body.settings, rules: [payoutRule, tag] };
    const file = { ...body, settings };
    const put = { method: 'PUT', key, body: file, headers: { 'If-Match': headers.get('ETag') ?? '' } } as const;
    expect((await service.api('/v2/project', put)).status).toBe(200);
    expect((await service.api('/v2/project', { key })).body.settings.rules).toMatchObject([payoutRule, tag]);
    expect((await shop.evaluate(payout)).reasons).toContain('rule');
  });
});
