// Simulates a year of a population: how long the service recognises devices, how often it confuses two, and, with
// --no-linking, how often `compare` errs and how many devices share each facet. Options: --devices 100000, --seed 1,
// --every 7 (days between visits), --followed (number of devices that visit at this interval; the others visit once,
// as a crowd; default: all), --proofs 0,0.5,0.9 (shares of visits with a proof), --crowds (values of the service's
// `maxCrowd`; default: its own), --fleets 0 (share of workplaces whose computers are all alike), --no-peers, --out <file>.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { priors } from '../../../dist/fingerprint.js';
import {
  chooseIdentity,
  confidenceOf,
  equalErrorRate,
  maxCrowd,
  scorer,
  sortScores,
} from '../../../service/dist/testing.js';
import { marginals } from './marginals.mjs';
import { samplePairs } from './pairs.mjs';
import { exactMatch, ruleBased } from './peers.mjs';
import { arrangePeople, keepStorage } from './people.mjs';
import { seeded } from './random.mjs';
import { perRelease } from './recorded.mjs';
import { crowds, linkingReport, report } from './report.mjs';
import { check } from './scoring.mjs';
import { createLinking } from './service.mjs';
import { fingerprintText, simulate } from './simulate.mjs';
import { trackedTime } from './tracking.mjs';

const { values: options } = parseArgs({
  options: {
    devices: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    every: { type: 'string', default: '7' },
    followed: { type: 'string' },
    proofs: { type: 'string', default: '0,0.5,0.9' },
    crowds: { type: 'string', default: String(maxCrowd) },
    fleets: { type: 'string', default: '0' },
    'no-linking': { type: 'boolean', default: false },
    'no-peers': { type: 'boolean', default: false },
    out: { type: 'string' },
  },
});
const devices = Number(options.devices);
const seed = Number(options.seed);
const visitEveryDays = Number(options.every);
const followed = Number(options.followed ?? devices);
const started = Date.now();
const results = { date: new Date().toISOString(), devices, followed, seed, visitEveryDays, perRelease };
Object.assign(results, options['no-linking'] ? measureErrors() : measureLinking());
results.seconds = (Date.now() - started) / 1000;
console.log(options['no-linking'] ? `${report(results)}\n\n${results.marginals}` : linkingReport(results));
if (options.out) writeFileSync(options.out, `${JSON.stringify(results, null, 2)}\n`);

/** Links the visits of all devices, with each share of proofs and each operating point, and by the peers' rules. */
function measureLinking() {
  let visitOf;
  const population = simulate({
    devices,
    seed,
    perRelease,
    visitEveryDays,
    followed,
    withRaw: !options['no-peers'],
    arrange: (all) => {
      visitOf = arrangePeople(all, seeded(seed + 3), { fleets: Number(options.fleets) });
    },
  });
  const list = (text) => text.split(',').map(Number);
  const service = (proofs, largestCrowd, see = (visit) => visit) => {
    const choose = (text, candidates, scales) => chooseIdentity(text, candidates, scales, { largestCrowd });
    const { link } = createLinking({ random: seeded(seed + 4), choose });
    return (visit) => link(see({ ...visit, key: visit.proofDraw < proofs ? visit.key : undefined }));
  };
  const linkings = list(options.proofs).flatMap((proofs) =>
    list(options.crowds).map((crowd) => [
      `the service, ${proofs * 100}% proofs${crowd === maxCrowd ? '' : `, at most ${crowd} look-alikes`}`,
      service(proofs, crowd),
    ]),
  );
  linkings.push(['… without users and proofs', service(0, maxCrowd, ({ user: _, ...visit }) => visit)]);
  linkings.push([
    '… and without the saved fingerprint: the inputs of FP-Stalker',
    service(0, maxCrowd, ({ user: _, last: __, ...visit }) => visit),
  ]);
  if (!options['no-peers']) {
    const lenient = ruleBased({ canvasMayUpdate: true });
    const strict = ruleBased();
    const eckersley = exactMatch(({ raw }) => raw.id);
    linkings.push(['rules of FP-Stalker, canvas may change with the version', (v) => lenient(v.fingerprint, v.day)]);
    linkings.push(['rules of FP-Stalker, as published', (v) => strict(v.fingerprint, v.day)]);
    linkings.push(['exact match of the same attributes (Eckersley)', (v) => eckersley(v.fingerprint)]);
  }
  const columns = { days: [], devices: [] };
  const identities = linkings.map(() => []);
  const browsers = keepStorage(seeded(seed + 5), { devices, followed });
  for (const { day, device, fingerprint } of population.visits()) {
    fingerprint.text ??= fingerprintText(fingerprint);
    const visit = {
      day,
      fingerprint,
      text: fingerprint.text,
      ...browsers(device, fingerprint.text, visitOf(device, day)),
    };
    columns.days.push(day);
    columns.devices.push(device);
    for (const [at, [, link]] of linkings.entries()) identities[at].push(link(visit));
  }
  const { length } = columns.days;
  const shared = { ...columns, length, count: devices, followed };
  return {
    visits: length,
    tracked: linkings.map(([name], at) => ({ name, ...trackedTime({ ...shared, identities: identities[at] }) })),
  };
}

/** Measures the errors of `compare` between any two fingerprints, and how many devices share each facet. */
function measureErrors() {
  const score = scorer();
  const population = simulate({ devices, seed, perRelease, visitEveryDays, withRaw: false });
  const crowd = crowds(population);
  const compared = marginals(population);
  const visits = Array.from({ length: devices }, () => []);
  let length = 0;
  for (const { day, device, fingerprint } of population.visits()) {
    visits[device].push({ day, fingerprint });
    length++;
  }
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
  const countEqual = (pairs) => pairs.map(({ a, b }) => a.filter((value, at) => value === b[at]).length);
  const sameCounts = countEqual(same);
  const differentCounts = countEqual(different);
  const perMillion = (count) => (count / different.length) * 1e6;
  const isMerged = (bits, prior) => confidenceOf(bits, prior) >= 0.5;
  /** The lowest number of equal facets that merges no more devices than a limit, with its errors. */
  const countingAt = (limit) => {
    let least = 0;
    const merged = () => perMillion(differentCounts.filter((count) => count >= least).length);
    while (merged() > limit) least++;
    return {
      least,
      missed: sameCounts.filter((count) => count < least).length / same.length,
      mergedPerMillion: merged(),
    };
  };
  return {
    visits: length,
    equalErrorRate: equalErrorRate(sortScores(sameBits, differentBits)),
    equalErrorRateOfNeighbours: equalErrorRate(sortScores(bitsOf(next.same), differentBits)),
    equalErrorRateOfCounting: equalErrorRate(sortScores(sameCounts, differentCounts)),
    hardwareMoved: same.filter(({ a, b }) => a.slice(0, 7).some((value, at) => value !== b[at])).length / same.length,
    errors: Object.entries(priors).map(([name, prior]) => {
      const mergedPerMillion = perMillion(differentBits.filter((bits) => isMerged(bits, prior)).length);
      return {
        name,
        missed: sameBits.filter((bits) => !isMerged(bits, prior)).length / same.length,
        mergedPerMillion,
        counting: countingAt(mergedPerMillion),
      };
    }),
    crowds: crowd,
    marginals: compared,
  };
}
