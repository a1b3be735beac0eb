import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bindFacts, compileCondition } from '../../../src/resources/projects/rules/conditions/condition.js';
import { conditionFacts, documentedFacts } from '../../../src/resources/projects/rules/conditions/facts.js';
import { rulePresets } from '../../../src/resources/projects/rules/conditions/presets.js';
import { factValues } from './fact-values.js';

/** Returns the result of a condition, or what is wrong with it. */
function result(text: string, changes: Parameters<typeof factValues>[0] = {}) {
  const compiled = compileCondition(text);
  if ('issue' in compiled) return compiled.issue;
  return compiled.condition.evaluate(bindFacts(factValues(changes)));
}

test('names the facts that a condition reads', () => {
  const reads = (text: string) => {
    const compiled = compileCondition(text);
    return 'issue' in compiled ? [] : [...compiled.condition.reads];
  };
  expect(reads('true')).toEqual([]);
  expect(reads('metadata.user.id == "x" || (user.is_new ? risk.score : 0.5) > 1.0')).toEqual([
    ...['metadata', 'user.is_new', 'risk.score'],
  ]);
  expect(reads('size([address.ip, email.domain].size() > 1 ? "a" : "b") == time.hour')).toEqual([
    ...['address.ip', 'email.domain', 'time.hour'],
  ]);
  expect(reads('user["id"] == "x"')).toContain('user.id');
  for (const [fact, { example }] of Object.entries(conditionFacts)) expect(reads(example)).toEqual([fact]);
});

describe('counter()', () => {
  const compiled = (text: string) => {
    const result = compileCondition(text);
    if ('issue' in result) throw new Error(result.issue.message);
    return result.condition;
  };
  const card = 'counter("card:" + metadata.card, "24h")';

  test('is named by an expression and a window, in any spelling', () => {
    const [one, other, third] = [card, "counter( 'card:'+metadata.card , '24h' )", card.replace('24h', '1h')].map(
      (text) => compiled(`${text} > 3`).counters[0],
    );
    expect(one).toMatchObject({ id: other?.id, window: '24h' });
    expect(third?.id).not.toBe(one?.id);
    expect(one?.nameFor(bindFacts({ metadata: { card: 'x' } }))).toEqual({ text: 'card:x' });
    expect(one?.nameFor(bindFacts({ metadata: {} }))).toEqual({ problem: 'missing' });
    expect(one?.nameFor(bindFacts({ metadata: { card: 5 } }))).toEqual({ problem: 'failed' });
    expect(one?.nameFor(bindFacts({ metadata: { card: 'x'.repeat(252) } }))).toEqual({ problem: 'failed' });
    expect([...compiled(`${card} > 3 && user.is_new`).reads]).toEqual(['user.is_new']);
  });

  test.each<[string, [number | 'missing' | 'failed', number?], string]>([
    [`${card} > 3`, [4], 'matched'],
    [`${card} > 3`, [3], 'unmatched'],
    [`${card} > 3`, ['missing'], 'missing'],
    [`${card} > 3`, ['failed'], 'failed'],
    [`user.id == "ada" || ${card} > 3`, ['missing'], 'matched'],
    [`"😀" != user.id && ${card} + counter(user.id, "5m") == 7`, [4, 3], 'matched'],
    [`${card} > 3 ? counter("all", "1h") < 1 : false`, [4, 0], 'matched'],
  ])('%s with the values %o is %s', (text, values, expected) => {
    const { counters, evaluate } = compiled(text);
    const given = new Map(counters.map(({ id }, index) => [id, values[index] ?? 0]));
    expect(evaluate(bindFacts(factValues({ counters: given })))).toBe(expected);
    expect(evaluate(bindFacts(factValues()))).toBe(
      expected === 'matched' && text.includes('||') ? 'matched' : 'missing',
    );
  });

  test.each([
    ['no window', 'counter("all") > 1', /needs a name and a window/, 1],
    ['too many arguments', 'true && counter("all", "1h", "x") > 1', /needs a name and a window/, 9],
    ['another window', 'counter("all", "2h") > 1', /one of "5m", "1h", "24h"/, 16],
    ['a window that is computed', 'counter("all", metadata.window) > 1', /one of "5m", "1h", "24h"/, 16],
    ['a number as its name', 'counter(5, "1h") > 1', /overload/, 1],
    ['a fact that is not known yet', 'counter(string(risk.score), "1h") > 1', /reads something else than action,/, 9],
    ['a whole group of facts', 'counter(user["id"], "1h") > 1', /reads something else than action,/, 9],
    ['a counter in its name', 'counter(string(counter("a", "1h")), "1h") > 1', /reads something else/, 9],
    ['a method of that name', '"all".counter("1h") > 1', /uses counter\(\)/, 1],
    ['the map of its values', 'counters["x"] > 1', /counters/, 1],
  ])('is refused with %s', (_title, text, message, position) => {
    expect(result(text)).toMatchObject({ message: expect.stringMatching(message), position });
  });
});

describe('a condition', () => {
  test.each<[string, Parameters<typeof factValues>[0], string]>([
    ['metadata.amount > 500', { metadata: { amount: 500.01 } }, 'matched'],
    ['metadata.amount > 500', { metadata: { amount: 500 } }, 'unmatched'],
    ['metadata.amount > 500', { metadata: {} }, 'missing'],
    ['metadata.amount > 500', { metadata: { amount: 'much' } }, 'failed'],
    ['metadata.order.total >= 10', { metadata: { order: { total: 10 } } }, 'matched'],
    ['metadata.order.total >= 10', { metadata: { order: null } }, 'missing'],
    ['"amount" in metadata && metadata.amount > 500', { metadata: {} }, 'unmatched'],
    ['"new_device" in reasons && !device.is_trusted', { reasons: ['new_ip', 'new_device'] }, 'matched'],
    ['user.failures_today > 3 && risk.score > 5', { 'user.failures_today': 4, 'risk.score': 5.5 }, 'matched'],
    ['risk.score > 5.0', { 'risk.score': 5 }, 'unmatched'],
    ['address.country in ["DE", "AT"]', { 'address.country': 'AT' }, 'matched'],
    ['address.asn == 64496', { 'address.asn': 64_496 }, 'matched'],
    ['email.domain.endsWith(".example")', { 'email.domain': 'mail.example' }, 'matched'],
    ['user.id.lowerAscii() == "ada"', { 'user.id': 'ADA' }, 'matched'],
    ['size(metadata.items) > 2', { metadata: { items: [1, 2, 3] } }, 'matched'],
    ['action == "payout" ? time.hour < 6 : false', { action: 'payout', 'time.hour': 5 }, 'matched'],
  ])('%s with %o is %s', (text, changes, expected) => {
    expect(result(text, changes)).toBe(expected);
  });

  test.each([
    ['an unknown fact', 'user.age > 3', /age/],
    ['a type that does not fit', 'user.id > 3', /overload/i],
    ['a result that is neither true nor false', 'user.id', /must be true or false, and is of the type string/],
    ['a syntax error', 'user.id ==', /cannot be read/],
    ['nothing', '   ', /cannot be read/],
    ['a macro, which loops', 'reasons.exists(reason, reason == "x")', /uses exists\(\), which is not available/],
    ['a loop over the metadata', 'metadata.all(key, key != "")', /uses all\(\)/],
    ['a regular expression', 'user.id.matches("(a+)+$")', /uses matches\(\)/],
    ['a text that is too long', `user.id == "${'x'.repeat(1000)}"`, /longer than 1000 characters/],
    ['too many parts', Array.from({ length: 120 }, () => 'true').join('||'), /cannot be read|nested/],
    ['deep nesting', `${'('.repeat(450)}user.is_new${')'.repeat(450)}`, /cannot be read|nested/],
  ])('refuses %s', (_title, text, message) => {
    expect(result(text)).toMatchObject({ message: expect.stringMatching(message) });
  });

  test('is refused with the position of the problem, from 1', () => {
    expect(result('user.is_new && user.age')).toMatchObject({ position: expect.any(Number) });
    expect(result('user.is_new && reasons.exists(r, true)')).toMatchObject({ position: 16 });
  });

  test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    'reads %s of the metadata only if the server sent it',
    (name) => {
      expect(['missing', 'failed']).toContain(result(`metadata.${name} == "x"`, { metadata: {} }));
      const metadata = JSON.parse(`{"${name}":"x"}`);
      expect(result(`metadata["${name}"] == "x"`, { metadata })).toBe('matched');
      expect(result('metadata.amount > 5', { metadata: { ...metadata, amount: 6 } })).toBe('matched');
    },
  );

  test('any text is refused or gives a result, and throws nothing', () => {
    const tokens = [...Object.keys(conditionFacts), '(', ')', '[', ']', '&&', '||', '!', '==', '<', '+', '-', '*', '/'];
    const words = fc.constantFrom(
      ...tokens,
      '%',
      '?',
      ':',
      '.',
      ',',
      '"a"',
      "'",
      '1',
      '0',
      '1.5',
      '9223372036854775807',
      ...['counter', 'counters', 'counter("a", "1h")', 'counter("a" + metadata.a, "24h")', '"5m"'],
    );
    const texts = fc.oneof(
      fc.string({ maxLength: 60 }),
      fc.array(words, { maxLength: 25 }).map((parts) => parts.join(' ')),
    );
    const metadata = fc.oneof(fc.constant({}), fc.dictionary(fc.string(), fc.jsonValue()));
    const value = fc.oneof(fc.nat(), fc.constantFrom('missing', 'failed'));
    fc.assert(
      fc.property(texts, metadata, value, (text, sent, counted) => {
        const compiled = compileCondition(text);
        const counters = 'condition' in compiled ? compiled.condition.counters : [];
        for (const { nameFor } of counters) expect(nameFor(bindFacts({ metadata: sent }))).toBeTypeOf('object');
        const given = result(text, {
          metadata: sent,
          counters: new Map(counters.map(({ id }) => [id, counted])),
        });
        const isResult = typeof given === 'string' && ['matched', 'unmatched', 'missing', 'failed'].includes(given);
        expect(isResult || (typeof given === 'object' && given.message !== '')).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});

test.each(documentedFacts)('the example of %s is valid', (name, { example }) => {
  expect(compileCondition(example)).toHaveProperty('condition');
  expect(example).toContain(name.replace(/\(.*/, ''));
});

test.each(rulePresets.map(({ id, rule }) => [id, rule.when]))('the preset %s is valid', (_id, when) => {
  expect(compileCondition(when)).toHaveProperty('condition');
});
