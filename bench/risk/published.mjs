// Compares the trace, tuned to the population of the public data set, with what Wiefling, Jørgensen, Thunem and Lo Iacono
// published about it. Usage: node published.mjs [people] [seed]
import { attack } from './attackers.mjs';
import { shareAt, thresholdFor } from './metrics.mjs';
import { replay } from './replay.mjs';
import { markdown, percent } from './report.mjs';
import { createScorer as createFreeman } from './scorers/freeman-summed.mjs';
import { given } from './sources.mjs';
import { generate } from './trace.mjs';

/** One country, and people who log in once a year or less too. The public data set has 375 days. */
const tuned = { homeMarket: 1, minPerYear: 0 };
const days = 375;
const fortnight = 14;

/** Median number of re-authentications after this many logins, read from the diagram `images/rq1-general.png` of rba-dataset. */
const sizes = [12, 18];
const medians = {
  naive: { 0.98: [1, 1], 0.99: [2, 2], 0.995: [3, 3] },
  vpn: { 0.98: [2, 2], 0.99: [3, 3], 0.995: [4, 5] },
  targeted: { 0.98: [2, 2], 0.99: [4, 4], 0.995: [5, 5] },
};

Object.assign(given, tuned);
const people = Number(process.argv[2] ?? 10_000);
const { world, logins: attempts } = generate({ people, seed: Number(process.argv[3] ?? 1), days });
const logins = attempts.filter(({ outcome }) => outcome === 'succeeded');

const rows = [
  ['logins of a user in 375 days', '3.9', decimal(logins.length / new Set(logins.map(({ user }) => user)).size)],
  [
    'days with a login, of a user in 375 days',
    '3.0',
    decimal(userDays() / new Set(logins.map(({ user }) => user)).size),
  ],
  ['users who log in within 14 days', '8.2%', percent(activeUsers().length / people)],
  ['logins of each of these in the 14 days', '1.75', decimal(activeLogins().length / activeUsers().length, 2)],
  ['logins at a new address', 'no figure found', percent(newAddresses())],
];
// Freeman's model needs no recognition of devices, so the replay gets no world.
const replayed = replay(
  {
    logins: attempts,
    from: 0,
    attackers: Object.keys(medians),
    attack: (name, random, { login }) => attack(name, random, { world, login }),
  },
  { scorer: { createScorer: createFreeman } },
);
for (const [name, byShare] of Object.entries(medians)) {
  for (const [share, published] of Object.entries(byShare)) {
    const threshold = thresholdFor(replayed.attacks[name], Number(share));
    const reached = shareAt(replayed.attacks[name], threshold);
    const measured = sizes.map((size) => medianChallenges(threshold, size));
    const title = `challenges of a user in ${sizes.join(' and ')} logins, median, at ${percent(Number(share))} of ${name}`;
    rows.push([title, published.join(' and '), `${measured.join(' and ')} (at ${percent(reached)})`]);
  }
}
console.log(markdown(['statistic', 'published', 'trace'], rows));

function decimal(value, digits = 1) {
  return value.toFixed(digits);
}

function userDays() {
  return new Set(logins.map(({ user, day }) => `${user} ${Math.floor(day)}`)).size;
}

/** The public notebook reads the first two weeks of the year. */
function activeLogins() {
  return logins.filter(({ day }) => day < fortnight);
}

function activeUsers() {
  return [...new Set(activeLogins().map(({ user }) => user))];
}

/** Returns the share of logins, but for a user's first one, that are at an address that the user never had. */
function newAddresses() {
  const seen = new Map();
  let counted = 0;
  let fresh = 0;
  for (const { user, place } of logins) {
    const known = seen.get(user);
    if (known) {
      counted++;
      if (!known.has(place.address)) fresh++;
    }
    seen.set(user, (known ?? new Set()).add(place.address));
  }
  return fresh / counted;
}

/** Returns the median number of challenges in the first logins after the sign-up, of people who logged in that often. */
function medianChallenges(threshold, size) {
  const byUser = new Map();
  for (const { user, score } of replayed.honest) byUser.set(user, [...(byUser.get(user) ?? []), score]);
  const counts = [...byUser.values()]
    .filter((scores) => scores.length >= size)
    .map((scores) => scores.slice(0, size).filter((score) => score >= threshold).length)
    .sort((one, other) => one - other);
  return counts[Math.floor(counts.length / 2)];
}
