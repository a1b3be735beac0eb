// Fits service/src/evaluation/rules/risk/weights.ts to simulated people other than those of the comparison. Usage: node fit.mjs
// [people] [seed]. Build the service before, and again afterwards.
import { readFileSync, writeFileSync } from 'node:fs';
import { evidenceOf } from '../../service/dist/evaluation/rules/risk/evidence.js';
import { weights as current } from '../../service/dist/evaluation/rules/risk/weights.js';
import { createHistory } from './history.mjs';
import { attackerNames, replay } from './replay.mjs';
import { attackMix } from './sources.mjs';
import { generate } from './trace.mjs';

const people = Number(process.argv[2] ?? 10_000);
const seed = Number(process.argv[3] ?? 2);
const names = Object.keys(current);
const indexOf = new Map(names.map((name, at) => [name, at]));
/** Keeps weights of rare facts near 0: as much as this many logins would. */
const ridge = 2;
const rounds = 30;
/** Fixed weights are 0 but for rounding. */
const tiny = 1e-9;
/**
 * Weights that must not excuse anybody. That the simulated attackers avoid such networks says nothing about real ones,
 * who could use them as well.
 */
const notNegative = [
  ...['mobile', 'relay', 'hosting', 'anonymous'].flatMap((kind) => [`${kind}_usual`, `${kind}_unusual`]),
  // Nor must another device than a similar one: the simulated attackers near the victim always have a similar one.
  ...['device_new', 'device_hardware_new', 'device_descriptor_new'],
  'impossible_travel',
  'failures',
];
/** Weights that must not accuse anybody of having what is rare. */
const notPositive = ['device_recognised_rarity', 'device_fingerprint_rarity'];

const file = new URL('../../service/src/evaluation/rules/risk/weights.ts', import.meta.url);

/** Collects the terms of every login instead of a score. A shallow list per login keeps the memory small. */
const collector = {
  createScorer() {
    const { factsOf, learn } = createHistory();
    return { score: (login) => rowOf(evidenceOf(factsOf(login))), learn };
  },
};

function rowOf(evidence) {
  const at = [0];
  const value = [1];
  let fixed = 0;
  for (const { terms, fixedBits = 0 } of evidence) {
    fixed += fixedBits;
    for (const [name, times] of Object.entries(terms)) {
      const index = indexOf.get(name);
      if (index === undefined) throw new Error(`weights.ts has no weight "${name}"`);
      at.push(index);
      value.push(times);
    }
  }
  return { at, value, fixed };
}

const trace = generate({ people, seed });
const rows = [];
// Proofs have no fitted weight. Without them, every fact has to say what it can.
const { honest, attacks } = replay(trace, {
  scorer: collector,
  proofShare: 0,
  from: 60,
  attackShare: 0.3,
  seed: seed + 1,
});
for (const { score } of honest) rows.push({ ...score, y: 0, weight: 1 });
for (const name of attackerNames.filter((each) => attackMix[each] !== undefined)) {
  // Even odds: the prior is added in score.ts.
  const weight = (attackMix[name] * honest.length) / attacks[name].length;
  for (const { score } of attacks[name]) rows.push({ ...score, y: 1, weight });
}

let fitted = fit(new Set());
const fixed = new Set();
for (;;) {
  const wrong = [
    ...notNegative.filter((name) => fitted[indexOf.get(name)] < -tiny),
    ...notPositive.filter((name) => fitted[indexOf.get(name)] > tiny),
  ];
  if (wrong.length === 0) break;
  for (const name of wrong) fixed.add(indexOf.get(name));
  fitted = fit(fixed);
}

const table = names.map((name, index) => `  ${name}: ${Number(fitted[index].toFixed(3))},`).join('\n');
const source = readFileSync(file, 'utf8');
writeFileSync(file, source.replace(/(export const weights = \{\n)[^}]*\}/, `$1${table}\n}`));
console.log(table);

/** Logistic regression by Newton's method. Weights in `fixed` stay 0. */
function fit(fixed) {
  const weights = new Float64Array(names.length);
  let before = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const { gradient, hessian, loss } = slopes(weights);
    for (const index of fixed) {
      gradient[index] = 0;
      hessian[index] = Float64Array.from(names, (_, other) => (other === index ? 1 : 0));
    }
    solve(hessian, gradient).forEach((step, index) => {
      weights[index] -= step;
    });
    console.error(`round ${round}: ${(loss / rows.length).toFixed(5)} bits a login`);
    if (Math.abs(before - loss) < 1e-6 * loss) break;
    before = loss;
  }
  return weights;
}

/** Returns the loss in bits, and its first and second derivatives. */
function slopes(weights) {
  const gradient = weights.map((weight, index) => (index === 0 ? 0 : ridge * weight * Math.LN2));
  const hessian = names.map((_, index) => {
    const row = new Float64Array(names.length);
    row[index] = index === 0 ? 1e-6 : ridge * Math.LN2;
    return row;
  });
  let loss = 0;
  for (const { at, value, fixed, y, weight } of rows) {
    let bits = fixed;
    for (let k = 0; k < at.length; k++) bits += weights[at[k]] * value[k];
    const p = 1 / (1 + 2 ** -bits);
    loss -= weight * Math.log2(Math.max(1e-12, y ? p : 1 - p));
    const slope = weight * (p - y) * Math.LN2;
    const bend = weight * p * (1 - p) * Math.LN2 * Math.LN2;
    for (let k = 0; k < at.length; k++) {
      gradient[at[k]] += slope * value[k];
      const row = hessian[at[k]];
      for (let j = 0; j < at.length; j++) row[at[j]] += bend * value[k] * value[j];
    }
  }
  return { gradient, hessian, loss };
}

/** Solves a system of linear equations by Gaussian elimination with pivoting. */
function solve(matrix, right) {
  const size = right.length;
  const a = matrix.map((row, index) => Float64Array.of(...row, right[index]));
  for (let column = 0; column < size; column++) {
    let pivot = column;
    for (let row = column + 1; row < size; row++)
      if (Math.abs(a[row][column]) > Math.abs(a[pivot][column])) pivot = row;
    [a[column], a[pivot]] = [a[pivot], a[column]];
    for (let row = column + 1; row < size; row++) {
      const factor = a[row][column] / a[column][column];
      for (let k = column; k <= size; k++) a[row][k] -= factor * a[column][k];
    }
  }
  const x = new Float64Array(size);
  for (let row = size - 1; row >= 0; row--) {
    let sum = a[row][size];
    for (let k = row + 1; k < size; k++) sum -= a[row][k] * x[k];
    x[row] = sum / a[row][row];
  }
  return x;
}
