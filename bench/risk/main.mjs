// Compares methods that decide which logins to challenge, on one trace. Usage: node main.mjs [options], see below.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { campaigns, watch } from './campaigns.mjs';
import { readTrace } from './csv.mjs';
import { calibration } from './metrics.mjs';
import { replay } from './replay.mjs';
import {
  attackerTable,
  campaignTable,
  drawCurves,
  drawReliability,
  mainTable,
  operatingPoints,
  specialTable,
  traceTable,
} from './report.mjs';
import { attackMix, given, parameterPage } from './sources.mjs';
import { matchTable, thresholdTable } from './thresholds.mjs';
import { traceOf } from './trace.mjs';

const { values: options } = parseArgs({
  options: {
    people: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    /** Names of files in `scorers/` and `detectors/`; all by default. With detectors alone, only campaigns are measured. */
    only: { type: 'string' },
    proofs: { type: 'string', default: '0,0.5,0.9' },
    'no-campaigns': { type: 'boolean', default: false },
    /** A file in the format of the public data set, and how many of its rows to read, instead of a simulated trace. */
    csv: { type: 'string' },
    rows: { type: 'string', default: '1000000' },
    /** Folder for the results: a JSON file and the diagrams. */
    out: { type: 'string' },
    /** Compares our implementation of Freeman's model with the notebook of github.com/das-group/rba-algorithm instead. */
    'check-freeman': { type: 'string' },
    /** Multiplies parameters of the trace: `wifiShare=0.5,homeDaily=1.5`. */
    vary: { type: 'string', default: '' },
    /** Prints the parameters with their sources instead. */
    sources: { type: 'boolean', default: false },
  },
});

if (options.sources) {
  console.log(parameterPage());
  process.exit(0);
}
if (options['check-freeman']) {
  const { checkFreeman } = await import('./check-freeman.mjs');
  process.exit(checkFreeman(options['check-freeman'], { seed: Number(options.seed) }) ? 0 : 1);
}

const load = async (folder) => {
  const names = readdirSync(new URL(folder, import.meta.url))
    .filter((file) => file.endsWith('.mjs'))
    .map((file) => file.slice(0, -4));
  const chosen = options.only ? names.filter((name) => options.only.split(',').includes(name)) : names;
  return Promise.all(chosen.map(async (name) => ({ name, ...(await import(`./${folder}/${name}.mjs`)) })));
};

for (const [name, factor] of options.vary
  .split(',')
  .filter(Boolean)
  .map((each) => each.split('='))) {
  if (typeof given[name] !== 'number') throw new Error(`The trace has no number "${name}".`);
  given[name] *= Number(factor);
}
const people = Number(options.people);
const trace = options.csv
  ? await readTrace(options.csv, { limit: Number(options.rows) })
  : traceOf({ people, seed: Number(options.seed) });
console.log(traceTable(trace));

const results = [];
for (const scorer of await load('scorers')) {
  for (const proofShare of scorer.usesProof ? options.proofs.split(',').map(Number) : [0]) {
    const began = performance.now();
    const { honest, attacks } = replay(trace, { scorer, proofShare });
    const seconds = (performance.now() - began) / 1000;
    const points = operatingPoints({ honest, attacks, isDecision: scorer.isDecision });
    const reliability = scorer.isProbability &&
      !options.csv && {
        atBase: calibration({ honest, attacks, mix: attackMix, fittedAt: given.attackShare, share: given.attackShare }),
        atEven: calibration({ honest, attacks, mix: attackMix, fittedAt: given.attackShare, share: 0.5 }),
      };
    results.push({ scorer, proofShare, honest, attacks, points, reliability, seconds });
    console.error(`${scorer.title}, ${proofShare * 100}% proofs: ${seconds.toFixed(0)} s`);
  }
}
if (results.length > 0) {
  console.log(mainTable(results));
  console.log(attackerTable(results));
}
if (results.length > 0 && !options.csv) {
  console.log(specialTable(results));
  console.log(thresholdTable(results));
  console.log(matchTable(trace));
}
for (const { scorer, proofShare, reliability } of results) {
  if (!reliability) continue;
  const { atBase, atEven } = reliability;
  console.log(
    `Calibration, ${scorer.title}, ${proofShare * 100}% proofs: error ${atBase.error.toFixed(2)} points at ${given.attackShare * 100}% attacks, ${atEven.error.toFixed(2)} at even odds`,
  );
}

const watched = [];
if (!options['no-campaigns'] && !options.csv) {
  for (const detector of await load('detectors')) watched.push({ detector, ...watch(trace, { detector }) });
  console.log(campaignTable(watched, campaigns));
}

if (options.out && results.length > 0) {
  mkdirSync(options.out, { recursive: true });
  const summary = results.map(({ scorer, proofShare, points }) => ({ scorer: scorer.name, proofShare, points }));
  const write = (file, content) => writeFileSync(`${options.out}/${file}`, content);
  write(
    'risk.json',
    `${JSON.stringify({ people, seed: options.seed, summary, watched: watched.map(({ detector, ...rest }) => ({ detector: detector.name, ...rest })) }, null, 2)}\n`,
  );
  write('risk-curves.svg', drawCurves(results));
  for (const { scorer, proofShare, reliability } of results) {
    if (reliability && proofShare === 0)
      write(`${scorer.name}-reliability.svg`, drawReliability(reliability.atEven.bins));
  }
}
