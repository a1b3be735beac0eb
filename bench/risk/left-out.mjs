// Fits the weights of the score again without each kind of attacker, and shows how that kind and honest people fare.
// Usage: node left-out.mjs [people] [seed] of the people who are judged, and [people] to fit to.
import { isNewDeviceAtKnownAddress, percentOf, riskOfLogin } from '../../service/dist/testing.js';
import { collect, fitGeneral, tableOf, training, weighted } from './fitting.mjs';
import { createHistory } from './history.mjs';
import { shareAt, thresholdFor } from './metrics.mjs';
import { replay } from './replay.mjs';
import { markdown, percent } from './report.mjs';
import { attackMix } from './sources.mjs';
import { traceOf } from './trace.mjs';

const trained = collect(traceOf({ ...training, people: Number(process.argv[4] ?? training.people) }), 'default');
const tables = [undefined, ...Object.keys(attackMix)].map((without) => {
  const { [without]: _, ...mix } = attackMix;
  return { without, weights: tableOf(fitGeneral(weighted(trained, mix))) };
});

const scorer = {
  createScorer() {
    const { factsOf, learn } = createHistory();
    return { score: factsOf, learn };
  },
};
const trace = traceOf({ people: Number(process.argv[2] ?? 2000), seed: Number(process.argv[3] ?? 1) });
const { honest, attacks } = replay(trace, { scorer });
/** The default `risk.threshold`. */
const threshold = 0.15;

const judged = tables.map(({ without, weights }) => {
  const score = ({ score: facts }) => ({
    score: isNewDeviceAtKnownAddress(facts) ? 100 : percentOf(riskOfLogin(facts, weights).bits),
  });
  const scores = Object.entries(attacks).map(([name, list]) => [name, list.map(score)]);
  return { without, honest: honest.map(score), attacks: Object.fromEntries(scores) };
});
const [all] = judged;
const cells = ({ honest: people, attacks: tried }, name) => [
  percent(shareAt(tried[name], threshold)),
  percent(shareAt(people, threshold)),
  percent(shareAt(people, thresholdFor(tried[name], 0.9)), 2),
];
console.log(
  markdown(
    [
      'kind of attacker',
      ...['fitted with it: challenged', 'honest', 'honest at 90% of it'],
      ...['fitted without it: challenged', 'honest', 'honest at 90% of it'],
    ],
    judged.slice(1).map((fit) => [fit.without, ...cells(all, fit.without), ...cells(fit, fit.without)]),
  ),
);
