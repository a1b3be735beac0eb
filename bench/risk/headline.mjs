// The headline of the score in other traces: other people, other assumptions, frequent users, and a month of daily use.
// Usage: node headline.mjs [--people N] [--set seeds,assumptions,frequent,daily]
import { parseArgs } from 'node:util';
import { shareAt, thresholdFor } from './metrics.mjs';
import { replay } from './replay.mjs';
import { markdown, percent, targets } from './report.mjs';
import * as byRisk from './scorers/risk.mjs';
import * as byScore from './scorers/risk-score.mjs';
import { given } from './sources.mjs';
import { generate, traceOf } from './trace.mjs';

const { values: options } = parseArgs({
  options: {
    people: { type: 'string', default: '2000' },
    set: { type: 'string', default: 'seeds,assumptions,frequent,daily' },
    proofs: { type: 'string', default: '0,0.9' },
  },
});
const people = Number(options.people);
const sets = options.set.split(',');
/** The default `risk.threshold`. */
const threshold = 0.15;
/** Seeds that were not looked at while anything was chosen. */
const freshSeeds = [101, 202];
/** The six assumptions that matter most. */
const varied = {
  wifiShare: 'Wi-Fi of phones',
  homeLeaseDays: 'days of a home address',
  phoneMonths: 'months until a phone is replaced',
  vpnUsers: 'users of VPNs',
  ratePerYear: 'logins a year',
  tripsPerYear: 'journeys',
};
/** Logins a year of people who come often. */
const often = 100;
const shownAttackers = ['targeted', 'copied', 'copiedElsewhere', 'neighbour'];

const allShares = options.proofs.split(',').map(Number);
const rows = [];
const measure = (title, trace, { only = () => true, scorer = byRisk, shares = allShares } = {}) => {
  for (const proofShare of shares) {
    const { honest, attacks } = replay(trace, { scorer, proofShare });
    const ours = honest.filter(only);
    const tried = Object.fromEntries(Object.entries(attacks).map(([name, list]) => [name, list.filter(only)]));
    const atTarget = targets.map((share) => percent(shareAt(ours, thresholdFor(tried.targeted, share)), 2));
    const atDefault = [ours, ...shownAttackers.map((name) => tried[name])].map((list) =>
      percent(shareAt(list, threshold)),
    );
    rows.push([title, percent(proofShare, 0), ours.length, ...atTarget, ...atDefault]);
    console.error(title, proofShare);
  }
};

if (sets.includes('seeds')) {
  for (const seed of freshSeeds) measure(`other people (seed ${seed})`, traceOf({ people, seed }));
}
if (sets.includes('frequent')) {
  const trace = traceOf({ people, seed: 1 });
  measure('all people of the tables above', trace);
  const title = `of them, people with ${often} logins a year and more`;
  measure(title, trace, { only: ({ login: { truth } }) => truth.perYear >= often });
}
if (sets.includes('daily')) {
  const trace = generate({ people: Math.round(people / 4), seed: 1, days: 30, perYear: 365 });
  const later = { ...trace, from: 15 };
  measure('30 days of daily use, judged from the second login on', { ...trace, from: 0 });
  measure('the same, judged in the second half', later);
  measure('… with a new device at a known address by its score', later, { scorer: byScore });
}
if (sets.includes('assumptions')) {
  measure('as above', traceOf({ people, seed: 1 }), { shares: [0] });
  for (const [name, title] of Object.entries(varied)) {
    for (const factor of [0.5, 1.5]) {
      const value = given[name];
      given[name] *= factor;
      measure(`${title} × ${factor} (\`${name}\`)`, generate({ people, seed: 1 }), { shares: [0] });
      given[name] = value;
    }
  }
}
console.log(
  markdown(
    [
      'trace',
      'proofs',
      'logins',
      ...targets.map((share) => `honest at ${percent(share, 2)} of targeted`),
      ...['honest', ...shownAttackers].map((name) => `${name} at ${threshold}`),
    ],
    rows,
  ),
);
