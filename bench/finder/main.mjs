// Measures the rule finder: whether it finds planted rings, how long it takes, and whether its bounds hold.
//   node finder/main.mjs [--evaluations 1000000] [--trials 100] [--markdown]
import { parseArgs } from 'node:util';
import { bindFacts, compileCondition, findRule, SampleCollector, seeded } from '../../service/dist/testing.js';
import { assertBuilt } from '../built.mjs';
import { formatNumber, formatTable } from '../cost/table.mjs';
import { population, traits } from './population.mjs';

const { values: options } = parseArgs({
  options: {
    evaluations: { type: 'string', default: '1000000' },
    trials: { type: 'string', default: '100' },
    markdown: { type: 'boolean', default: false },
  },
});
const target = { caught: 0.9, honest: 0.001 };

/** Three rings: a farm of devices, a ring that cashes out, and one that signs up by night. */
const rings = [
  [traits.farm, traits.hosting],
  [traits.cashOut, traits.newDevice],
  [traits.domain, traits.night, traits.linux],
];
/** Assumptions: one person of 100 commits fraud; 60% of fraud and 8% of honest evaluations get a label. */
const shares = { fraud: 0.01, fraudLabelled: 0.6, honestLabelled: 0.08 };

/** Other people of a trial, with whom its bounds are compared. */
const others = 30_000;

assertBuilt('service');
const [evaluations, trials] = [Number(options.evaluations), Number(options.trials)];
const lines = [...(evaluations > 0 ? measurePlanted(evaluations) : []), ...(trials > 0 ? measureTrials(trials) : [])];
console.log(formatTable([['', ''], ...lines], { markdown: options.markdown }));

function measurePlanted(/** @type {number} */ evaluations) {
  const collector = new SampleCollector();
  let number = 0;
  let searchMs = 0;
  for (const { person, label, values } of planted(evaluations)) {
    number++;
    if (!label) continue;
    const from = performance.now();
    collector.add({ person, label, values });
    searchMs += performance.now() - from;
  }
  const from = performance.now();
  const { result, longestMs } = run(collector.samples(), 7);
  searchMs += performance.now() - from;
  if (!('when' in result)) throw new Error(`No rule was found: ${result.outcome}`);
  const { countingMs, ...truth } = matchAll(evaluations, matcher(result.when));
  const percents = (/** @type {number[]} */ ...shares) =>
    shares.map((share) => `${(100 * share).toFixed(3)}%`).join(', ');
  const { labelled, when, fraud, honest } = result;
  return [
    [`labelled people in ${formatNumber(number)} evaluations: fraud, honest`, `${labelled.fraud}, ${labelled.honest}`],
    ['found rule', `\`${when}\``],
    ['caught: held out, bound, all fraud', percents(fraud.hits / fraud.people, fraud.bound, truth.caught)],
    [
      'honest people: held out, bound; all honest evaluations',
      percents(honest.hits / honest.people, honest.bound, truth.honest),
    ],
    ['target', result.outcome],
    ['all evaluations that match', percents(truth.all)],
    ['time of the search', `${formatNumber(searchMs / 1000)} s`],
    ['time to count the matches of all evaluations', `${formatNumber(countingMs / 1000)} s`],
    ['longest step', `${formatNumber(longestMs)} ms`],
  ];
}

/** Yields the same evaluations each time. */
function* planted(/** @type {number} */ evaluations) {
  const { random, person } = population(1, { rings });
  for (let n = 0, id = 0; n < evaluations; id++) {
    const isFraud = random() < shares.fraud;
    for (const { values, label } of person(isFraud)) {
      n++;
      const isLabelled = random() < (isFraud ? shares.fraudLabelled : shares.honestLabelled);
      yield { person: String(id), isFraud, label: isLabelled ? label : undefined, values };
    }
  }
}

/** Returns the shares of all evaluations, of all fraud, and of all honest evaluations that match a rule. */
function matchAll(/** @type {number} */ evaluations, matches) {
  const all = { evaluations: 0, matched: 0, fraud: 0, caught: 0 };
  let countingMs = 0;
  for (const { isFraud, values } of planted(evaluations)) {
    const from = performance.now();
    const isMatched = matches(values);
    countingMs += performance.now() - from;
    all.evaluations++;
    if (isMatched) all.matched++;
    if (isFraud) all.fraud++;
    if (isFraud && isMatched) all.caught++;
  }
  const honest = (all.matched - all.caught) / (all.evaluations - all.fraud);
  return { caught: all.caught / all.fraud, honest, all: all.matched / all.evaluations, countingMs };
}

/** Populations of another structure: 1 to 4 rings of random traits, fewer labels, and some wrong ones. */
function measureTrials(/** @type {number} */ number) {
  let [held, shown, found] = [0, 0, 0];
  for (let trial = 0; trial < number; trial++) {
    const random = seeded(1000 + trial);
    const chosen = Array.from({ length: 1 + Math.floor(4 * random()) }, () =>
      Object.values(traits)
        .filter(() => random() < 0.18)
        .slice(0, 3),
    ).filter((ring) => ring.length > 0);
    const options = {
      rings: chosen.length > 0 ? chosen : [[traits.crowd]],
      lone: 0.1 * random(),
      mislabelled: 0.002 * random(),
    };
    const people = { fraud: 60 + 400 * random(), honest: 4000 + 6000 * random() };
    const own = { caught: 0.5 + 0.3 * random(), honest: 0.002 + 0.02 * random() };
    const labels = samplesOf(population(5000 + trial, options), people);
    const { result } = run(labels.samples, trial, own);
    if (!result.when) continue;
    found++;
    // In the same proportion, because some labels are wrong.
    const scale = others / (people.fraud + people.honest);
    const more = { fraud: scale * people.fraud, honest: scale * people.honest };
    const fresh = samplesOf(population(9000 + trial, options), more, matcher(result.when));
    const holds = fresh.caught >= result.fraud.bound && fresh.honest <= result.honest.bound;
    if (holds) held++;
    else console.error({ trial, ...fresh, samples: undefined, result });
    if (result.outcome === 'proven') shown++;
  }
  return [
    ['trials with a rule', `${found} of ${number}`],
    [`of these, both bounds hold for ${formatNumber(others)} other people`, `${held}`],
    ['of these, the target is shown', `${shown}`],
  ];
}

/** Draws labelled people. Returns the shares that match, of one evaluation with fraud and of honest people. */
function samplesOf({ person }, { fraud, honest }, matches = () => false) {
  const collector = new SampleCollector();
  const hits = { fraud: 0, honest: 0 };
  const people = { fraud: 0, honest: 0 };
  for (let id = 0; id < fraud + honest; id++) {
    const evaluations = person(id < fraud);
    for (const { values, label } of evaluations) collector.add({ person: String(id), label, values });
    const of = (label) => evaluations.filter((each) => each.label === label);
    const [own, other] = [of('fraud'), of('legitimate')];
    // Of a person's fraud, one evaluation counts. The first is as random as any.
    if (own[0]) people.fraud++;
    if (own[0] && matches(own[0].values)) hits.fraud++;
    if (other.length > 0) people.honest++;
    if (other.some(({ values }) => matches(values))) hits.honest++;
  }
  return { samples: collector.samples(), caught: hits.fraud / people.fraud, honest: hits.honest / people.honest };
}

function run(samples, seed, wanted = target) {
  const steps = findRule(samples, { target: wanted, random: seeded(seed) });
  let longestMs = 0;
  for (;;) {
    const from = performance.now();
    const { done, value } = steps.next();
    longestMs = Math.max(longestMs, performance.now() - from);
    if (done) return { result: value, longestMs };
  }
}

function matcher(when) {
  const { condition } = compileCondition(when);
  return (values) => condition.evaluate(bindFacts(values)) === 'matched';
}
