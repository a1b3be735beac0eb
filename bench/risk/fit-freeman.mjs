// Fits the weights of Freeman's model, freeman-weights.mjs, to the same people, attackers and odds as those of the score.
// Usage: node fit-freeman.mjs [people] [seed]
import { writeFileSync } from 'node:fs';
import { training, trainingReplay, weighted } from './fitting.mjs';
import { createFreeman, weightedScore } from './freeman.mjs';
import { replay } from './replay.mjs';
import { traceOf } from './trace.mjs';

const trace = traceOf({
  people: Number(process.argv[2] ?? training.people),
  seed: Number(process.argv[3] ?? training.seed),
});
/** Steps of the search, as factors of a weight. */
const steps = [4, 2, 1.3, 1.1];
const least = 1e-6;

const fitted = Object.fromEntries(
  ['published', 'withFingerprint'].map((features) => [features, fit(collect(features))]),
);
const file = new URL('./freeman-weights.mjs', import.meta.url);
writeFileSync(
  file,
  `/** Weights of Freeman's model that were fitted to simulated people. Written by \`npm run --prefix bench fit-freeman\`. */
export const freemanWeights = ${JSON.stringify(fitted, null, 2)};
`,
);
console.log(JSON.stringify(fitted));

function collect(features) {
  const scorer = {
    createScorer() {
      const { termsOf, learn } = createFreeman({ features });
      return { score: (login) => ({ terms: termsOf(login) }), learn };
    },
  };
  return weighted(replay(trace, { scorer, ...trainingReplay }));
}

/** Returns the weights of the least loss that a search along one weight after the other finds. */
function fit(rows) {
  const count = (of) => rows[0].terms.parts.map(of);
  const start = {
    levels: count(({ ratios }) => ratios.map(() => 1 / ratios.length)),
    rest: count(() => 1),
    features: count(() => 1),
    user: 1,
    offset: 0,
  };
  const places = [
    ...start.levels.flatMap((list, feature) => list.map((_, level) => ['levels', feature, level])),
    ...['rest', 'features'].flatMap((name) => start[name].map((_, feature) => [name, feature])),
    ['user'],
  ];
  let best = { weights: start, loss: lossOf(rows, start) };
  const attempt = (weights) => {
    const loss = lossOf(rows, weights);
    if (loss >= best.loss) return false;
    best = { weights, loss };
    return true;
  };
  for (const step of steps) {
    for (let round = 0; round < 6; round++) {
      const before = best.loss;
      for (const place of places) {
        for (const factor of [step, 1 / step])
          while (attempt(changed(best.weights, place, (w) => Math.max(least, w) * factor)));
      }
      for (const shift of [step, -step, step / 8, -step / 8])
        while (attempt({ ...best.weights, offset: best.weights.offset + shift }));
      if (before - best.loss < 1e-4 * best.loss) break;
    }
    console.error(`${(best.loss / rows.length).toFixed(5)} bits a login`);
  }
  return rounded(best.weights);
}

function changed(weights, [name, ...path], change) {
  const copy = structuredClone(weights);
  const last = path.pop();
  if (last === undefined) return { ...copy, [name]: change(copy[name]) };
  const list = path.reduce((inner, at) => inner[at], copy[name]);
  list[last] = change(list[last]);
  return copy;
}

/** Returns the loss in bits. The offset makes a probability of the score and changes no order. */
function lossOf(rows, weights) {
  return rows.reduce((sum, { terms, y, weight }) => {
    const p = 1 / (1 + Math.exp(-weightedScore(terms, weights) - weights.offset));
    return sum - weight * Math.log2(Math.max(1e-12, y ? p : 1 - p));
  }, 0);
}

function rounded(value) {
  if (typeof value === 'number') return Number(value.toPrecision(4));
  if (Array.isArray(value)) return value.map(rounded);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, rounded(inner)]));
}
