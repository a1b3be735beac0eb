import { describe, expect, test } from 'vitest';
import { decidedBy } from '../../../src/evaluation/rules/decision.js';
import { judge } from '../../../src/evaluation/rules/judge.js';
import type { ruleSchema } from '../../../src/resources/projects/rules/conditions/rule.js';
import { type Changes, facts } from './facts.js';

type NewRule = (typeof ruleSchema)['_input'];

const stranger: Changes = { device: null, address: { trusted: false } };

/** Judges with rules. Names them in order: `first`, `second`. */
function judgeWith(rules: readonly Omit<NewRule, 'name'>[], changes: Changes = {}) {
  const names = ['first', 'second', 'third'];
  const named = rules.map((rule, index) => ({ ...rule, name: names[index] ?? `${index}` }));
  const given = facts({ ...changes, settings: { ...changes.settings, rules: named } });
  const { verdict, findings, decisions, tags, trustsFirstDevice } = judge(given);
  return {
    verdict,
    tags,
    trustsFirstDevice,
    rules: findings.find(({ reason }) => reason === 'rule')?.evidence.rules,
    decided: decidedBy(decisions, { action: given.action, verdict }),
  };
}

const always = (effect: NewRule['effect']) => ({ when: 'true', effect });

describe('rules of a project', () => {
  test('decide in place of the policy, the first one that matches', () => {
    const judged = judgeWith([{ when: 'false', effect: 'deny' }, always('restrict'), always('deny')], stranger);
    expect(judged).toMatchObject({
      verdict: 'restrict',
      rules: [
        { name: 'second', effect: 'restrict' },
        { name: 'third', effect: 'deny' },
      ],
    });
    expect(judged.decided.reasons).toEqual([
      { reason: 'rule', rule: 'second', effect: 'restrict', policy: { action: 'login', overridden: false } },
    ]);
    expect(judged.decided.excused.map(({ reason, excused_by }) => [reason, excused_by])).toEqual([
      ['new_device', ['rule']],
      ['new_ip', ['rule']],
    ]);
  });

  test.each(['allow', 'restrict', 'challenge', 'challenge_and_restrict', 'deny'] as const)(
    '%s is the verdict',
    (effect) => {
      expect(judgeWith([always(effect)], stranger).verdict).toBe(effect);
    },
  );

  test.each(['review', 'report'] as const)('%s marks, and the policy decides', (effect) => {
    const judged = judgeWith([always(effect)], stranger);
    expect(judged).toMatchObject({ verdict: 'challenge', rules: [{ name: 'first', effect }] });
    expect(judged.decided.excused).toEqual([]);
  });

  test('with the effect `tag` tag without a change of the verdict, each tag once and at most 10', () => {
    const tag = (name: string, when = 'true') => ({ when, effect: 'tag', tag: name }) as const;
    const judged = judgeWith([tag('vip'), tag('never', 'false'), tag('vip')], stranger);
    expect(judged).toMatchObject({ verdict: 'challenge', tags: ['vip'], rules: [{ name: 'first', tag: 'vip' }, {}] });
    expect(judged.decided.excused).toEqual([]);
    expect(judgeWith([tag('vip'), always('deny')], stranger)).toMatchObject({ verdict: 'deny', tags: ['vip'] });
    expect(judgeWith([{ ...tag('vip'), state: 'shadow' }], stranger)).toMatchObject({
      tags: [],
      decided: { excused: [{ rule: 'first', effect: 'tag', excused_by: ['shadow'] }] },
    });
    const many = Array.from({ length: 12 }, (_each, index) => tag(`tag-${index}`));
    expect(judgeWith(many, stranger).tags).toEqual(many.slice(0, 10).map((each) => each.tag));
  });

  test('apply to their actions, or to all', () => {
    const rules = [{ ...always('deny'), actions: ['payout'] }];
    expect(judgeWith(rules, { action: 'login' }).verdict).toBe('allow');
    expect(judgeWith(rules, { action: 'payout' }).verdict).toBe('deny');
    expect(judgeWith([always('deny')], { action: 'anything' }).verdict).toBe('deny');
  });

  test('do not change the verdict in shadow, and show what they would do', () => {
    const judged = judgeWith([
      { ...always('deny'), state: 'shadow' },
      { ...always('allow'), state: 'shadow' },
    ]);
    expect(judged).toMatchObject({ verdict: 'allow', rules: undefined });
    expect(judged.decided.excused).toMatchObject([
      { reason: 'rule', rule: 'first', effect: 'deny', excused_by: ['shadow'] },
      { reason: 'rule', rule: 'second', effect: 'allow', excused_by: ['shadow'] },
    ]);
  });

  test('do not match if their condition fails, which is shown, or lacks metadata, which is not', () => {
    const failing = { when: 'metadata.amount > 500', effect: 'deny' } as const;
    const failed = judgeWith([failing, always('restrict')], { request: { metadata: { amount: 'x' } } });
    expect(failed.verdict).toBe('restrict');
    expect(failed.decided.excused).toMatchObject([{ rule: 'first', excused_by: ['rule_failed'] }]);
    expect(judgeWith([failing], { request: { metadata: {} } }).decided.excused).toEqual([]);
    expect(judgeWith([{ when: 'no longer valid (', effect: 'deny' }]).decided.excused).toMatchObject([
      { rule: 'first', excused_by: ['rule_failed'] },
    ]);
  });

  test('that are off do nothing', () => {
    expect(judgeWith([{ ...always('deny'), state: 'off' }])).toMatchObject({ verdict: 'allow', rules: undefined });
  });

  test('never challenge a trusted device at a trusted address at a login, but at any other action', () => {
    const login = judgeWith([always('challenge_and_restrict')], { device: { trusted: true } });
    expect(login.verdict).toBe('restrict');
    expect(login.decided.excused).toMatchObject([{ rule: 'first', excused_by: ['trust'] }]);
    for (const action of ['payout', 'signup', 'payment']) {
      expect(judgeWith([always('challenge')], { action, device: { trusted: true } }).verdict).toBe('challenge');
    }
  });

  test('come after blocks, and after entries of lists that allow', () => {
    expect(judgeWith([always('allow')], { user: { status: 'suspended' } }).verdict).toBe('deny');
    const lists = [{ id: 'entry', kind: 'user', effect: 'allow' }] as const;
    const allowed = judgeWith([always('deny')], { lists });
    expect(allowed.verdict).toBe('allow');
    expect(allowed.decided.excused).toMatchObject([{ rule: 'first', excused_by: ['allow_entry'] }]);
  });

  test('do not apply to requests of pages', () => {
    expect(judgeWith([always('deny')], { isTrustedCaller: false })).toMatchObject({
      verdict: 'allow',
      rules: undefined,
    });
  });

  test('do not apply to an action for which the policy switches the reason off', () => {
    const settings = { policy: { login: { rule: 'off' } } } as const;
    expect(judgeWith([always('deny')], { settings }).verdict).toBe('allow');
  });

  test('end the leniency of the learning days if they decide', () => {
    const learning: Changes = {
      ...stranger,
      user: { hasDevices: false },
      project: { createdAt: facts().now },
      settings: { learning_days: 30 },
    };
    expect(judgeWith([always('review')], learning)).toMatchObject({ verdict: 'allow', trustsFirstDevice: true });
    expect(judgeWith([always('restrict')], learning)).toMatchObject({ verdict: 'restrict', trustsFirstDevice: false });
  });
});
