import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createFreeman } from './freeman.mjs';
import { generate } from './trace.mjs';

/**
 * Scores the same simulated logins with our implementation and with the notebook's functions, which
 * `check-freeman.py` takes from the file at run time. That needs Python with pandas (`PYTHON` names it).
 *
 * @returns Whether the scores are equal up to rounding, for logins before which only earlier ones are known.
 */
export function checkFreeman(notebook, { seed, people = 15 }) {
  const logins = generate({ people, seed }).logins.filter(({ outcome }) => outcome === 'succeeded');
  const rows = logins.map(({ user, place, shown }) => ({
    userid: user,
    requestXRealIP: place.address,
    ipASN: place.asn,
    ipCountry: place.country,
    trackingdatauserAgent: shown.userAgent,
    browser_name_version: shown.browserVersion,
    os_name_version: shown.os,
    device_type: shown.kind,
  }));
  const script = fileURLToPath(new URL('check-freeman.py', import.meta.url));
  const options = { input: JSON.stringify(rows), encoding: 'utf8', maxBuffer: 2 ** 26 };
  const { status, stdout, stderr, error } = spawnSync(process.env.PYTHON ?? 'python3', [script, notebook], options);
  if (status !== 0) throw error ?? new Error(stderr);
  const theirs = JSON.parse(stdout);
  const scored = logins.map((_, at) => at).filter((at) => theirs[at]);
  const ofKind = (list) => scored.map((at) => list[at]);
  const [past, whole] = [0, 1].map((kind) => ofKind(theirs.map((scores) => scores?.[kind])));
  const [summed, interpolated] = ['summed', 'interpolated'].map((name) => ofKind(scoresOf(logins, name)));
  const difference = Math.max(...past.map((score, at) => Math.abs(summed[at] / score - 1)));
  const rank = (list) => correlation(list, past).toFixed(3);
  console.log(`${scored.length} logins. Weighted sums: relative difference at most ${difference.toExponential(1)}.
Rank correlation with the notebook: interpolation ${rank(interpolated)}, the notebook with the whole log ${rank(whole)}.`);
  return difference < 1e-9;
}

function scoresOf(logins, smoothing) {
  const model = createFreeman({ smoothing });
  return logins.map((login) => {
    const score = Math.exp(model.score(login));
    model.learn(login);
    return score;
  });
}

/** Spearman's rank correlation. */
function correlation(a, b) {
  const ranked = [a, b].map((list) => {
    const sorted = [...list].sort((one, other) => one - other);
    return list.map((score) => (sorted.indexOf(score) + sorted.lastIndexOf(score)) / 2 - (list.length - 1) / 2);
  });
  const product = (one, other) => one.reduce((sum, rank, at) => sum + rank * other[at], 0);
  return product(...ranked) / Math.sqrt(product(ranked[0], ranked[0]) * product(ranked[1], ranked[1]));
}
