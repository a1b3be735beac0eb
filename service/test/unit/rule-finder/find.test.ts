import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FeedbackLabel } from 'whorl/wire';
import { comparisonsOf } from '../../../src/effects/rule-finder/rules/comparisons.js';
import { type Found, findRule, type Target } from '../../../src/effects/rule-finder/rules/find.js';
import { joined, textOf } from '../../../src/effects/rule-finder/rules/joined.js';
import { SampleCollector } from '../../../src/effects/rule-finder/rules/samples.js';
import { split } from '../../../src/effects/rule-finder/rules/split.js';
import { candidateOf, halfOf } from '../../../src/effects/rule-finder/rules/terms.js';
import { seeded } from '../../../src/effects/study/rules/random.js';
import { valuesOf } from '../../../src/evaluation/rules/fact-values.js';
import { bindFacts, compileCondition } from '../../../src/resources/projects/rules/conditions/condition.js';
import type { CounterValue, FactValues } from '../../../src/resources/projects/rules/conditions/facts.js';
import { facts } from '../evaluation/facts.js';

const usual = valuesOf(facts(), [], undefined);

interface Labelled {
  readonly person: string;
  readonly label: FeedbackLabel;
  readonly values: FactValues;
}

const evaluation = (person: string, label: FeedbackLabel, values: Partial<FactValues> = {}): Labelled => ({
  person,
  label,
  values: { ...usual, ...values },
});

function ended<Result>(steps: Generator<undefined, Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

const perCard = { id: 'card', text: 'counter("card:" + metadata.card, "24h")' };

function samplesOf(all: readonly Labelled[]) {
  const collector = new SampleCollector([perCard]);
  for (const each of all) collector.add(each);
  return collector.samples();
}

function find(all: readonly Labelled[], target: Target = { caught: 0.8, honest: 0.02 }, seed = 1): Found {
  return ended(findRule(samplesOf(all), { target, random: seeded(seed) }));
}

const people = (number: number, of: (index: number) => Labelled) => Array.from({ length: number }, (_, at) => of(at));
const honest = (values: (index: number) => Partial<FactValues>, number = 600) =>
  people(number, (at) => evaluation(`honest ${at}`, 'legitimate', values(at)));
const fraud = (values: (index: number) => Partial<FactValues>, number = 100) =>
  people(number, (at) => evaluation(`fraud ${at}`, 'fraud', values(at)));

describe('the found rule', () => {
  test('is one comparison if that is enough', () => {
    const found = find([
      ...honest((at) => ({ 'address.users_today': at % 5, 'device.is_new': at % 2 === 0 })),
      ...fraud((at) => ({ 'address.users_today': 20 + (at % 7), 'device.is_new': true })),
    ]);
    expect(found).toMatchObject({
      outcome: 'proven',
      when: 'address.users_today >= 20',
      labelled: { fraud: 100, honest: 600 },
      fraud: { hits: 50, people: 50 },
      honest: { hits: 0, people: 300 },
    });
  });

  test('combines comparisons that honest people meet one by one', () => {
    const found = find([
      ...honest((at) => ({ 'device.is_new': at % 2 === 0, 'email.domain': at % 2 === 0 ? 'a.example' : 'b.example' })),
      ...fraud(() => ({ 'device.is_new': true, 'email.domain': 'b.example' })),
    ]);
    expect(found).toMatchObject({ outcome: 'proven' });
    const when = 'when' in found ? found.when : '';
    expect(when.split(' && ').sort()).toEqual(['device.is_new', 'email.domain == "b.example"']);
  });

  test('joins terms for several rings, and reads metadata and reasons', () => {
    const found = find(
      [
        ...honest((at) => ({ metadata: { gift: at % 3 === 0, amount: at % 400 } }), 800),
        ...fraud(
          (at) => (at % 2 === 0 ? { metadata: { gift: true, amount: 450 } } : { reasons: ['anonymous_network'] }),
          160,
        ),
      ],
      { caught: 0.9, honest: 0.02 },
    );
    expect(found).toMatchObject({ outcome: 'proven', when: expect.stringContaining('"anonymous_network" in reasons') });
    expect(found).toMatchObject({ when: expect.stringMatching(/metadata\.amount >= \d+/) });
  });

  test('reads a counter of the project, if all evaluations were counted by it', () => {
    const counted = (value: CounterValue): Partial<FactValues> => ({ counters: new Map([[perCard.id, value]]) });
    const all = [
      ...honest((at) => counted(at % 3 === 0 ? 'missing' : at % 4)),
      ...fraud((at) => counted(20 + (at % 7))),
    ];
    expect(find(all)).toMatchObject({ outcome: 'proven', when: `${perCard.text} >= 20`, fraud: { hits: 50 } });
    expect(find([...all, evaluation('eve', 'legitimate')]).outcome).toBe('none');
  });

  test('counts an honest person as matching if one evaluation does', () => {
    // Four people with eight evaluations each, of which four match.
    const often = people(32, (at) => evaluation(`often ${at % 4}`, 'legitimate', { 'user.is_new': at >= 16 }));
    const all = [
      ...often,
      ...honest(() => ({ 'user.is_new': false }), 1000),
      ...fraud(() => ({ 'user.is_new': true })),
    ];
    for (const seed of [1, 2, 3, 4]) {
      const found = find(all, { caught: 0.8, honest: 0.03 }, seed);
      expect(found).toMatchObject({ when: 'user.is_new', labelled: { honest: 1004 }, honest: { people: 502 } });
      expect('honest' in found ? found.honest.hits : 5).toBeLessThanOrEqual(4);
    }
  });

  test('is not shown, or none, if nothing tells fraud from honest people', () => {
    const random = seeded(3);
    const noise = (): Partial<FactValues> => ({
      'address.users_today': Math.floor(50 * random()),
      'time.hour': Math.floor(24 * random()),
    });
    expect(find([...honest(noise), ...fraud(noise)]).outcome).not.toBe('proven');
    expect(find([...honest(() => ({})), ...fraud(() => ({}))])).toEqual({
      outcome: 'none',
      labelled: { fraud: 100, honest: 600 },
    });
  });

  test('names no user, address or text of one or two people', () => {
    const found = find([
      ...honest((at) => ({ 'user.id': `honest ${at}`, 'address.ip': '192.0.2.1' })),
      ...fraud((at) => ({ 'user.id': 'mallory', 'address.ip': '198.51.100.7', 'email.domain': `m${at % 60}.example` })),
    ]);
    expect(found.outcome).toBe('none');
  });

  test('needs enough labels, and says how many', () => {
    const few = [...honest(() => ({}), 300), ...fraud(() => ({ 'user.is_new': true }), 20)];
    expect(find(few, { caught: 0.9, honest: 0.001 })).toEqual({
      outcome: 'too_few',
      labelled: { fraud: 20, honest: 300 },
      needed: { fraud: 72, honest: 7376 },
    });
    expect(find([])).toMatchObject({ outcome: 'too_few', labelled: { fraud: 0, honest: 0 } });
  });

  test('is what was found so far if the search is late', () => {
    const all = [...honest((at) => ({ 'device.is_new': at % 2 === 0 })), ...fraud(() => ({ 'device.is_new': true }))];
    const steps = findRule(samplesOf(all), {
      target: { caught: 0.5, honest: 0.02 },
      random: seeded(1),
      isLate: () => true,
    });
    expect(ended(steps).outcome).not.toBe('too_few');
  });
});

test('nobody is in both halves, and each person with fraud counts once', () => {
  const person = fc.integer({ min: 0, max: 30 });
  const label = fc.constantFrom<FeedbackLabel>('fraud', 'legitimate');
  fc.assert(
    fc.property(fc.array(fc.tuple(person, label)), fc.integer(), (rows, seed) => {
      const samples = samplesOf(rows.map(([who, what]) => evaluation(String(who), what)));
      const halves = ended(split(samples, seeded(seed)));
      const of = (those: readonly number[]) => those.map((row) => samples.persons[row]);
      const [one, other] = [halves.searched, halves.heldOut].map((half) => of([...half.fraud, ...half.honest]));
      expect(one?.filter((each) => other?.includes(each))).toEqual([]);
      const frauds = of([...halves.searched.fraud, ...halves.heldOut.fraud]);
      expect(new Set(frauds).size).toBe(frauds.length);
      expect(frauds.length).toBe(new Set(rows.filter(([, what]) => what === 'fraud').map(([who]) => who)).size);
    }),
  );
});

const value = fc.oneof(fc.boolean(), fc.integer({ min: -5, max: 2000 }), fc.double({ noNaN: true }), fc.string());
const values: fc.Arbitrary<FactValues> = fc
  .record({
    metadata: fc.dictionary(fc.constantFrom('amount', 'kind', 'in', 'a b', 'constructor'), value),
    'device.os': fc.oneof(fc.constantFrom('Linux', 'W"\\\n', ''), fc.string()),
    'address.asn': fc.integer({ min: 0, max: 3 }),
    'address.users_today': fc.integer({ min: 0, max: 9 }),
    'risk.score': fc.constantFrom(0, 0.5, 12.345, 99.99, 1e-7),
    'user.is_new': fc.boolean(),
    reasons: fc.subarray<FactValues['reasons'][number]>(['new_device', 'new_ip']),
  })
  .map((some) => ({ ...usual, ...some }));

test('each comparison, and a rule of them, is the same in CEL as in bits', () => {
  fc.assert(
    fc.property(
      fc.array(values, { minLength: 8, maxLength: 40 }),
      fc.array(fc.array(fc.nat(), { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }),
      (all, picks) => {
        const samples = samplesOf(
          all.map((each, at) => evaluation(String(at), at % 2 === 0 ? 'fraud' : 'legitimate', each)),
        );
        const indexes = [...all.keys()];
        const rows = { fraud: indexes.filter((at) => at % 2 === 0), honest: indexes.filter((at) => at % 2 === 1) };
        const half = halfOf(samples, rows);
        const candidates = ended(comparisonsOf(samples, rows)).map((each) => candidateOf(each, rows));
        const terms = picks.map((term) => term.flatMap((pick) => candidates[pick % candidates.length] ?? []));
        for (const tried of [...candidates.map((candidate) => [[candidate]]), terms].filter(
          (term) => term[0]?.length,
        )) {
          const compiled = compileCondition(textOf(tried));
          if (!('condition' in compiled)) throw new Error(textOf(tried));
          const matches = (those: number[]) =>
            those.filter((at) => compiled.condition.evaluate(bindFacts(all[at] ?? usual)) === 'matched').length;
          const { caught, hits } = joined(tried, half);
          expect([textOf(tried), caught, hits]).toEqual([textOf(tried), matches(rows.fraud), matches(rows.honest)]);
        }
      },
    ),
    { numRuns: 60 },
  );
});
