// Fits the table of src/fingerprint/weights.ts to a simulated population and the recorded upgrades, and draws the
// reliability diagram of pairs that were held out. Usage: node fit.mjs [devices] [seed]; writes both files.
import { readFileSync, writeFileSync } from 'node:fs';
import { facets, lowestShare } from '../../dist/fingerprint.js';
import { accident, dampings, frequencies, keeping, typical } from './population/fitting.mjs';
import { lookAlikes, samplePairs } from './population/pairs.mjs';
import { seeded } from './population/random.mjs';
import { perRelease } from './population/recorded.mjs';
import { diagram, reliability } from './population/reliability.mjs';
import { priors, scorer } from './population/scoring.mjs';
import { simulate } from './population/simulate.mjs';

const devices = Number(process.argv[2] ?? 20_000);
const seed = Number(process.argv[3] ?? 2);
/** The prior odds for weighting pairs: between those of a project and those of one user. */
const priorOdds = 1 / 100;
/**
 * A lower value would mean that a facet has no evidence of its own. The model cannot show that, because its facets
 * depend on each other.
 */
const minDamping = 0.05;
/** Upper bounds, because no population is large enough, and no year long enough, to measure more. */
const maxKept = 0.999;
const maxHardwareKept = { engine: 0.99999, platform: 0.9999, cpu: 0.9995, memory: 0.9995, gpu: 0.999, touch: 0.9995 };
const maxHalfLifeDays = 1250;

/**
 * A monitor, a mouse or dark mode can change within an hour, so what changes within a week counts as an immediate
 * change.
 */
function withinAWeek({ m, lasting, halfLifeDays }) {
  const left = (1 - lasting) * 2 ** (-7 / halfLifeDays);
  return {
    m: Math.min(maxKept, m * (lasting + left)),
    lasting: Math.min(0.98, lasting / (lasting + left)),
    halfLifeDays,
  };
}

const population = simulate({ devices, seed, perRelease, visitEveryDays: 7 });
const visits = Array.from({ length: devices }, () => []);
for (const { day, device, fingerprint } of population.visits()) visits[device].push({ day, fingerprint });
const fitted = visits.filter((own, device) => own.length > 1 && device % 2 === 0);
const heldOut = visits.filter((own, device) => own.length > 1 && device % 2 === 1);

const random = seeded(seed + 1);
// New versions bring new values during the year, so frequencies cover the whole year.
const shares = frequencies(
  fitted.flatMap((own) => own.filter((_, at) => at % 13 === 0).map(({ fingerprint }) => fingerprint)),
);
const u = shares.map(typical);
const { same } = samplePairs({ visits: fitted, random, same: 60_000, different: 0 });
const table = facets.map(({ name, group }, at) => {
  if (group === 'hardware') return { u: u[at], m: maxHardwareKept[name], lasting: 1, halfLifeDays: 3650, damping: 1 };
  const { m, lasting, halfLifeDays } = keeping(same, at, accident(shares[at]));
  // A facet that never changed with time in the model may still change with a future update.
  const never = lasting === 1 || halfLifeDays > maxHalfLifeDays;
  if (group === 'setting') return { u: u[at], ...withinAWeek({ m, lasting, halfLifeDays }), damping: 1 };
  return {
    u: u[at],
    m: Math.min(maxKept, m),
    lasting: never ? 0 : Math.min(lasting, 0.5),
    halfLifeDays: never ? maxHalfLifeDays : halfLifeDays,
    damping: 1,
  };
});

// Only pairs with equal hardware matter here: for the others, the hardware decides.
const alike = lookAlikes({ visits: fitted, random, count: 60_000 });
const hardwareEnd = facets.filter(({ group }) => group === 'hardware').length;
const bitsOf = ({ a, b, days }) => {
  const bits = new Float64Array(1 + facets.length - hardwareEnd);
  for (let at = 0; at < facets.length; at++) {
    if (a[at] === 0 || b[at] === 0) continue;
    const { m, lasting, halfLifeDays } = table[at];
    const kept = m * (lasting + (1 - lasting) * 2 ** (-days / halfLifeDays));
    const share = Math.max(lowestShare, shares[at].get(a[at]) ?? 0);
    const bit = a[at] === b[at] ? Math.log2(kept / share + 1 - kept) : Math.log2(1 - kept);
    bits[at < hardwareEnd ? 0 : 1 + at - hardwareEnd] += bit;
  }
  return bits;
};
const sameHardware = ({ a, b }) => a.slice(0, hardwareEnd).every((value, at) => value === b[at]);
const sameHardwarePairs = same.filter(sameHardware);
const rows = [
  ...sameHardwarePairs.map((pair) => ({
    bits: bitsOf(pair),
    same: true,
    weight: priorOdds / sameHardwarePairs.length,
  })),
  ...alike.pairs.map((pair) => ({ bits: bitsOf(pair), same: false, weight: alike.share / alike.pairs.length })),
];
const damping = dampings(rows, priorOdds, { lowest: minDamping });
for (const [at, row] of table.entries()) row.damping = damping[at < hardwareEnd ? 0 : 1 + at - hardwareEnd];

const round = (number, digits) => Number(number.toPrecision(digits));
const weights = Object.fromEntries(
  facets.map(({ name }, at) => {
    const row = table[at];
    return [
      name,
      {
        u: round(row.u, 2),
        m: Math.round(row.m * 1e5) / 1e5,
        lasting: Math.round(row.lasting * 100) / 100,
        halfLifeDays: row.lasting === 1 ? 3650 : round(row.halfLifeDays, 2),
        damping: Math.max(minDamping, Math.round(row.damping * 100) / 100),
      },
    ];
  }),
);
console.table(weights);

const target = new URL('../../src/fingerprint/weights.ts', import.meta.url);
const source = readFileSync(target, 'utf8');
const head = source.slice(0, source.indexOf('/**\n * The'));
const date = new Date().toISOString().slice(0, 10);
writeFileSync(
  target,
  `${head}/**
 * The table of weights, fitted on ${date} by bench/identity/fit.mjs (do not edit, run it again) to ${devices.toLocaleString('en')} simulated devices,
 * seed ${seed}, with the upgrades recorded in bench/identity/recorded. See docs/comparing.md.
 */
export const weights: Readonly<Record<FacetName, Weight>> = {
${Object.entries(weights)
  .map(
    ([name, row]) =>
      `  ${name}: { ${Object.entries(row)
        .map((entry) => entry.join(': '))
        .join(', ')} },`,
  )
  .join('\n')}
};
`,
);

const score = scorer(weights);
const withShares = (a, b, days) => score(a, b, days, shares);
const methods = [
  { name: 'project, frequencies known', prior: priors.project, score: withShares },
  { name: 'user, frequencies known', prior: priors.user, score: withShares },
  { name: 'project, table only', prior: priors.project, score },
  { name: 'user, table only', prior: priors.user, score },
];
const test = samplePairs({ visits: heldOut, random, same: 60_000, different: 400_000 });
const near = lookAlikes({ visits: heldOut, random, count: 100_000 });
const bins = reliability({ methods, same: test.same, different: test.different, lookAlikes: near });
console.table(bins);
writeFileSync(new URL('../../docs/reliability.svg', import.meta.url), diagram(bins));
