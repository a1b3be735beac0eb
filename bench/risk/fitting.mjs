import { weights as current, deviceLevelOf, evidenceOf } from '../../service/dist/testing.js';
import { createHistory } from './history.mjs';
import { replay } from './replay.mjs';
import { attackMix } from './sources.mjs';

export const groups = ['relief', 'suspicion', 'context'];
export const names = [
  'offset',
  ...groups.flatMap((group) => Object.keys(current[group]).map((name) => `${group}.${name}`)),
];
const indexOf = new Map(names.map((name, at) => [name, at]));
/** Keeps weights of rare facts near 0: as much as this many logins would. */
const ridge = 2;
const rounds = 30;
/** Fixed weights are 0 but for rounding. */
const tiny = 1e-9;
/** Facts that only cities and lists tell. They are fitted second, with all other weights as they are without such data. */
const isOfFullData = (name) => /city|mobile|relay_|hosting|anonymous|travel/.test(name);
const mayBeNegative = (name) => name === 'offset' || name.startsWith('context.');

/** The people that weights are fitted to: another seed than that of any table. */
export const training = { people: 4000, seed: 2 };
/** Proofs have no fitted weight. Without them, every fact has to say what it can. */
export const trainingReplay = { proofShare: 0, from: 60, attackShare: 0.3, seed: 3 };

/** Returns the results of a replay as logins with `y`, 1 for an attack, and the weight that each has at even odds of attack. */
export function weighted({ honest, attacks }, mix = attackMix) {
  const total = Object.values(mix).reduce((sum, share) => sum + share, 0);
  return [
    ...honest.map(({ score }) => ({ ...score, y: 0, weight: 1 })),
    ...Object.entries(mix).flatMap(([name, share]) => {
      const weight = ((share / total) * honest.length) / attacks[name].length;
      return attacks[name].map(({ score }) => ({ ...score, y: 1, weight }));
    }),
  ];
}

/** Returns the terms of every login of a trace, by who logged in. */
export function collect(trace, data) {
  const scorer = {
    createScorer() {
      const { factsOf, learn } = createHistory({ data });
      return { score: (login) => rowOf(factsOf(login)), learn };
    },
  };
  return replay(trace, { scorer, ...trainingReplay });
}

/** A shallow list per login keeps the memory small. */
function rowOf(facts) {
  const at = [0];
  const value = [1];
  for (const evidence of evidenceOf(facts, deviceLevelOf(facts))) {
    for (const group of groups) {
      for (const [name, times] of evidence[group] ?? []) {
        const index = indexOf.get(`${group}.${name}`);
        if (index === undefined) throw new Error(`weights.ts has no weight "${name}"`);
        at.push(index);
        value.push(group === 'relief' ? -times : times);
      }
    }
  }
  return { at, value };
}

/** Fits all weights that need no more than the default data. Those of cities and lists are 0. */
export function fitGeneral(rows) {
  return bounded(rows, new Map(names.filter(isOfFullData).map((name) => [indexOf.get(name), 0])));
}

/** Fits the weights of cities and lists, with all others as given. */
export function fitFull(rows, general) {
  const others = names.filter((name) => !isOfFullData(name)).map((name) => indexOf.get(name));
  return bounded(rows, new Map(others.map((index) => [index, general[index]])));
}

/** Returns fitted weights as the table of weights.ts. */
export function tableOf(fitted) {
  const fittedValue = (name) => Math.max(mayBeNegative(name) ? -99 : 0, Number(fitted[indexOf.get(name)].toFixed(3)));
  const entries = (group) => Object.keys(current[group]).map((name) => [name, fittedValue(`${group}.${name}`)]);
  return {
    offset: fittedValue('offset'),
    ...Object.fromEntries(groups.map((group) => [group, Object.fromEntries(entries(group))])),
  };
}

/** Returns the weights of the best fit in which none of relief or suspicion is negative. */
function bounded(rows, given) {
  const fixed = new Map(given);
  for (;;) {
    const found = fit(rows, fixed);
    const wrong = names.filter((name) => !mayBeNegative(name) && found[indexOf.get(name)] < -tiny);
    if (wrong.length === 0) return found;
    for (const name of wrong) fixed.set(indexOf.get(name), 0);
  }
}

/** Logistic regression by Newton's method. Weights in `fixed` keep their values. */
function fit(rows, fixed) {
  const weights = new Float64Array(names.length);
  for (const [index, value] of fixed) weights[index] = value;
  let before = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const { gradient, hessian, loss } = slopes(rows, weights);
    for (const index of fixed.keys()) {
      gradient[index] = 0;
      hessian[index] = Float64Array.from(names, (_, other) => (other === index ? 1 : 0));
    }
    solve(hessian, gradient).forEach((step, index) => {
      weights[index] -= step;
    });
    if (Math.abs(before - loss) < 1e-6 * loss) break;
    before = loss;
  }
  return weights;
}
/** Returns the loss in bits, and its first and second derivatives. */
function slopes(rows, weights) {
  const gradient = weights.map((weight, index) => (index === 0 ? 0 : ridge * weight * Math.LN2));
  const hessian = names.map((_, index) => {
    const row = new Float64Array(names.length);
    row[index] = index === 0 ? 1e-6 : ridge * Math.LN2;
    return row;
  });
  let loss = 0;
  for (const { at, value, y, weight } of rows) {
    let bits = 0;
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
