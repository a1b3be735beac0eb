// Simulates a year of a population: how long devices are recognised, how often two are confused, and how many devices
// share each facet, compared with exact match and FP-Stalker's rules. Options: --devices 100000, --seed 1, --every 7
// (days between visits), --no-linking (errors and group sizes only: minutes instead of an hour), --out <file> for the
// figures.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { priors } from '../../../dist/fingerprint.js';
import { equalErrorRate, sortScores } from '../../../service/dist/study/rules/error-rates.js';
import { confidenceOf, scorer } from '../../../service/dist/study/rules/scoring.js';
import { serviceLinking } from './linking.mjs';
import { marginals } from './marginals.mjs';
import { samplePairs } from './pairs.mjs';
import { exactMatch, ruleBased } from './peers.mjs';
import { seeded } from './random.mjs';
import { perRelease } from './recorded.mjs';
import { crowds, report } from './report.mjs';
import { check } from './scoring.mjs';
import { simulate } from './simulate.mjs';
import { trackedTime } from './tracking.mjs';

const { values: options } = parseArgs({
  options: {
    devices: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    every: { type: 'string', default: '7' },
    'no-linking': { type: 'boolean', default: false },
    out: { type: 'string' },
  },
});
const devices = Number(options.devices);
const seed = Number(options.seed);
const visitEveryDays = Number(options.every);
const links = !options['no-linking'];
const started = Date.now();
const score = scorer();
const population = simulate({ devices, seed, perRelease, visitEveryDays, withRaw: links });

const shares = population.names.map(() => new Map());
const recount = () => {
  for (const [at, share] of shares.entries()) {
    share.clear();
    for (const { values } of population.now) share.set(values[at], (share.get(values[at]) ?? 0) + 1 / devices);
  }
};
recount();
const crowd = crowds(population);
const compared = marginals(population);

const own = ({ own: number }) => number;
const linkings = links && {
  'whorl, with the saved fingerprint': serviceLinking({ score, devices, withLast: true, shares }),
  'whorl, without it': serviceLinking({ score, devices, withLast: false, shares }),
  'rules of FP-Stalker, canvas may change with the version': ruleBased({ canvasMayUpdate: true }),
  'rules of FP-Stalker, as published': ruleBased(),
  'exact match of the same attributes (Eckersley)': exactMatch(({ raw }) => raw.id),
  'exact match of our fingerprint': exactMatch(own),
};
const maxVisits = Math.ceil((devices * 365 * 1.1) / visitEveryDays) + 1000;
const columns = { days: new Uint16Array(maxVisits), devices: new Uint32Array(maxVisits) };
const identities = Object.fromEntries(Object.keys(linkings || {}).map((name) => [name, new Uint32Array(maxVisits)]));
const last = new Array(devices);
const visits = Array.from({ length: devices }, () => []);
const spent = Object.fromEntries(Object.keys(linkings || {}).map((name) => [name, 0]));
let length = 0;
let recounted = 0;
for (const { day, device, fingerprint } of population.visits()) {
  if (links && day >= recounted + 7) {
    recounted = day;
    recount();
  }
  columns.days[length] = day;
  columns.devices[length] = device;
  for (const [name, link] of Object.entries(linkings || {})) {
    const from = performance.now();
    identities[name][length] = link(fingerprint, day, last[device]);
    spent[name] += performance.now() - from;
  }
  last[device] = fingerprint;
  visits[device].push({ day, fingerprint });
  length++;
}

const tracked = Object.keys(linkings || {}).map((name) => ({
  name,
  ...trackedTime({ ...columns, identities: identities[name], length, count: devices }),
}));

const { same, different } = samplePairs({
  visits,
  random: seeded(seed + 1),
  same: Math.min(200_000, 20 * devices),
  different: Math.min(2_000_000, 200 * devices),
});
check(score, [...same.slice(0, 500), ...different.slice(0, 500)]);
const bitsOf = (pairs) => pairs.map(({ a, b, days }) => score(a, b, days));
const sameBits = bitsOf(same);
const differentBits = bitsOf(different);
const next = samplePairs({ visits, random: seeded(seed + 2), same: same.length, different: 0, neighbours: 1 });
const errors = Object.entries(priors).map(([name, prior]) => ({
  name,
  missed: sameBits.filter((bits) => confidenceOf(bits, prior) < 0.5).length / same.length,
  mergedPerMillion: (differentBits.filter((bits) => confidenceOf(bits, prior) >= 0.5).length / different.length) * 1e6,
}));
const exactBits = (pairs) => pairs.map(({ a, b }) => a.filter((value, at) => value === b[at]).length);
const results = {
  date: new Date().toISOString(),
  devices,
  seed,
  visitEveryDays,
  visits: length,
  seconds: (Date.now() - started) / 1000,
  perRelease,
  tracked,
  equalErrorRate: equalErrorRate(sortScores(sameBits, differentBits)),
  equalErrorRateOfNeighbours: equalErrorRate(sortScores(bitsOf(next.same), differentBits)),
  hardwareMoved: same.filter(({ a, b }) => a.slice(0, 7).some((value, at) => value !== b[at])).length / same.length,
  equalErrorRateOfCounting: equalErrorRate(sortScores(exactBits(same), exactBits(different))),
  errors,
  crowds: crowd,
  spentMs: spent,
};
console.log(`${report(results)}\n\n${compared}`);
if (options.out) writeFileSync(options.out, `${JSON.stringify(results, null, 2)}\n`);
