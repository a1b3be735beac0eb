// Shows what happens to attackers who come back after they completed a challenge once. Usage: node returning.mjs [people]
// [seed] [share of proofs].

import { dayMs } from '../../service/dist/testing.js';
import { seeded } from '../identity/population/random.mjs';
import { createLinking } from '../identity/population/service.mjs';
import { attack } from './attackers.mjs';
import { viewOf, visitOf } from './replay.mjs';
import { markdown, percent } from './report.mjs';
import { createScorer as byRisk } from './scorers/risk.mjs';
import { createScorer as byRules } from './scorers/rules.mjs';
import { given } from './sources.mjs';
import { traceOf } from './trace.mjs';

/** From this day on, a share of the people are taken over, each once, after some logins. */
const from = 180;
const kinds = ['targeted', 'copiedNear', 'vpn'];
const pauses = [1, 7, 30];
/** What an attacker comes back with. */
const returns = {
  'the same device and address': ({ login }) => login,
  'the same device, another address of the provider': ({ login, place }) => ({ ...login, place }),
  'another device, the same address': ({ login, other }) => ({
    ...login,
    shown: other.shown,
    kept: { last: undefined, key: `${login.kept.key} other` },
  }),
};
/** The default `risk.threshold`. */
const threshold = 0.15;

const people = Number(process.argv[2] ?? 2000);
const seed = Number(process.argv[3] ?? 1);
const proofShare = Number(process.argv[4] ?? 0);
const trace = traceOf({ people, seed });
const methods = { risk: byRisk({ proofShare }), rules: byRules({ proofShare }) };
const tally = new Map();
const count = (key, name, isChallenged) => {
  const entry = tally.get(key) ?? { all: 0, risk: 0, rules: 0 };
  tally.set(key, entry);
  if (name === 'risk') entry.all++;
  entry[name] += isChallenged ? 1 : 0;
};
const isChallenged = (name, score) => score >= (name === 'risk' ? threshold : 1);
replayWithReturns();
report();

/** Returns the logins of a takeover: the first one, whose challenge the attacker completes, and those of the return. */
function planTakeover(random, login) {
  const kind = kinds[Math.floor(random() * kinds.length)];
  const draw = () => attack(kind, random, { world: trace.world, login });
  // The attacker's browser keeps a key of its own, and proves it.
  const owned = { last: undefined, key: `attacker of ${login.user}` };
  const first = { ...draw(), kind, kept: owned, proofDraw: 0, failures: 0, at: login.at + 60_000 };
  const again = draw();
  const later = pauses.flatMap((days) =>
    Object.entries(returns).map(([title, change]) => ({
      ...change({
        login: { ...first, kept: { ...owned, last: first.shown.fingerprint } },
        place: again.place,
        other: again,
      }),
      kind,
      title,
      days,
      at: first.at + days * dayMs,
      day: first.day + days,
    })),
  );
  return [first, ...later];
}

function replayWithReturns() {
  const random = seeded(seed + 40);
  const { link, identify } = createLinking({ random: seeded(seed + 41) });
  const logins = new Map();
  const done = new Set();
  let planned = [];
  let strangers = 0;
  const judge = (login, found, identity) => {
    const seen = viewOf(login, { proofShare, failures: 0, signup: !logins.get(login.user), identity, found });
    return Object.entries(methods).map(([name, { score, learn }]) => ({ name, score: score(seen), seen, learn }));
  };
  const accept = (login, isAttack) => {
    const visit = visitOf(login, proofShare);
    const found = identify(visit);
    for (const { name, score, seen, learn } of judge(login, found, link(visit, found))) {
      if (isAttack) count(`${login.kind}|the first time|`, name, isChallenged(name, score));
      // Whoever is challenged completes it: the owner always, the attacker this once.
      learn(seen, { challenged: isAttack || isChallenged(name, score) });
    }
    logins.set(login.user, (logins.get(login.user) ?? 0) + 1);
  };
  for (const honest of trace.logins.filter(({ outcome }) => outcome === 'succeeded')) {
    const due = planned.filter(({ at }) => at <= honest.at);
    planned = planned.filter(({ at }) => at > honest.at);
    for (const login of due.sort((one, other) => one.at - other.at)) {
      if (!login.title) accept(login, true);
      else {
        const found = identify(visitOf(login, proofShare));
        const identity = found.identityId ?? `stranger ${strangers++}`;
        // A return leaves nothing behind, so that one does not help the next.
        for (const { name, score } of judge(login, found, identity))
          count(`${login.kind}|${login.title}|${login.days}`, name, isChallenged(name, score));
      }
    }
    const mayBeTaken =
      honest.day >= from && !done.has(honest.user) && (logins.get(honest.user) ?? 0) >= given.takenOverAfter;
    accept(honest, false);
    if (!mayBeTaken) continue;
    done.add(honest.user);
    if (random() < given.takenOver) planned.push(...planTakeover(random, honest));
  }
}

function report() {
  const comes = ['the first time', ...Object.keys(returns)];
  const rows = kinds.flatMap((kind) =>
    comes.map((title) => {
      const found = title === comes[0] ? [''] : pauses;
      const entries = found.map((days) => tally.get(`${kind}|${title}|${days}`) ?? { all: 0, risk: 0, rules: 0 });
      const shares = (name) => entries.map((entry) => percent(entry[name] / entry.all)).join(', ');
      return [kind, title, entries.map(({ all }) => all).join(', '), shares('risk'), shares('rules')];
    }),
  );
  console.log(`${percent(proofShare, 0)} proofs\n`);
  console.log(
    markdown(['attacker', `comes, ${pauses.join(', ')} days later`, 'logins', 'challenged by risk', 'by rules'], rows),
  );
}
