// Fits the table of src/fingerprint/weights.ts to a simulated population and the recorded upgrades, and draws the
// reliability diagram of pairs that were held out. Usage: node fit.mjs [devices] [seed]; writes both files.
import { readFileSync, writeFileSync } from 'node:fs';
import { priors } from '../../dist/fingerprint.js';
import { fitWeights, frequencies, lookAlikes, reliability, scorer } from '../../service/dist/testing.js';
import { samplePairs } from './population/pairs.mjs';
import { seeded } from './population/random.mjs';
import { perRelease } from './population/recorded.mjs';
import { diagram } from './population/reliability.mjs';
import { simulate } from './population/simulate.mjs';

const devices = Number(process.argv[2] ?? 20_000);
const seed = Number(process.argv[3] ?? 2);
/** Upper bounds, because no population is large enough, and no year long enough, to measure more. */
const maxHardwareKept = {
  engine: 0.99999,
  platform: 0.9999,
  cpu: 0.9995,
  memory: 0.9995,
  gpu: 0.999,
  touch: 0.9995,
  memoryFrom8: 0.9995,
};

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
const { same } = samplePairs({ visits: fitted, random, same: 60_000, different: 0 });
// Only pairs with equal hardware matter for dampings: for the others, the hardware decides.
const alike = lookAlikes({ visits: fitted, random, count: 60_000 });
const weights = fitWeights({ same, lookAlikes: alike, shares, hardwareKept: (name) => maxHardwareKept[name] });
console.table(weights);

const target = new URL('../../src/fingerprint/weights.ts', import.meta.url);
const source = readFileSync(target, 'utf8');
const head = source.slice(0, source.indexOf('/**\n * The'));
const date = new Date().toISOString().slice(0, 10);
writeFileSync(
  target,
  `${head}/**
 * The table of weights. bench/identity/fit.mjs fitted it on ${date} to ${devices.toLocaleString('en')} simulated devices (seed ${seed}) with the
 * upgrades recorded in bench/identity/recorded. Do not edit it by hand: run the script again. docs/research/comparing.md
 * explains the method.
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
writeFileSync(new URL('../../docs/research/reliability.svg', import.meta.url), diagram(bins));
