/** Returns the share of results that a threshold challenges. */
export function shareAt(results, threshold) {
  if (results.length === 0) return 0;
  return results.reduce((sum, { score }) => sum + (score >= threshold ? 1 : 0), 0) / results.length;
}

/** Returns the highest threshold that challenges at least a share of the results; undefined if none does. */
export function thresholdFor(results, share) {
  const scores = results.map(({ score }) => score).sort((a, b) => b - a);
  const at = Math.ceil(share * scores.length) - 1;
  return scores[Math.max(0, at)];
}

/** Returns points from no challenge to all: shares of attackers and of honest logins challenged at each threshold. */
export function curve(attacks, honest, points = 400) {
  const thresholds = [...new Set([...attacks, ...honest].map(({ score }) => score))].sort((a, b) => b - a);
  const step = Math.max(1, Math.floor(thresholds.length / points));
  const chosen = thresholds.filter((_, at) => at % step === 0 || at === thresholds.length - 1);
  const attackScores = attacks.map(({ score }) => score).sort((a, b) => b - a);
  const honestScores = honest.map(({ score }) => score).sort((a, b) => b - a);
  let a = 0;
  let h = 0;
  return chosen.map((threshold) => {
    while (a < attackScores.length && attackScores[a] >= threshold) a++;
    while (h < honestScores.length && honestScores[h] >= threshold) h++;
    return { threshold, attackers: a / attackScores.length, honest: h / honestScores.length };
  });
}

/**
 * Returns the median number of logins of a person from one challenge to the next (Kaplan and Meier, because most
 * people’s last interval ends with the trace). If fewer than half of the intervals end in a challenge, `median` is
 * undefined and `longest` is the longest interval that was observed with enough people.
 */
export function loginsBetween(honest, threshold) {
  const since = new Map();
  const intervals = [];
  for (const { user, score } of honest) {
    const logins = (since.get(user) ?? 0) + 1;
    if (score >= threshold) {
      intervals.push({ logins, ended: true });
      since.set(user, 0);
    } else since.set(user, logins);
  }
  for (const logins of since.values()) if (logins > 0) intervals.push({ logins, ended: false });
  const byLength = new Map();
  for (const { logins, ended } of intervals) {
    const entry = byLength.get(logins) ?? { all: 0, ended: 0 };
    entry.all++;
    if (ended) entry.ended++;
    byLength.set(logins, entry);
  }
  let left = intervals.length;
  let surviving = 1;
  let longest = 0;
  for (const [logins, { all, ended }] of [...byLength].sort(([a], [b]) => a - b)) {
    if (left < 30) break;
    longest = logins;
    surviving *= 1 - ended / left;
    left -= all;
    if (surviving <= 0.5) return { median: logins, longest };
  }
  return { median: undefined, longest };
}

/**
 * Returns how well scores in per cent predict attacks. `odds` weights attacks so that they are that share of logins;
 * predictions are moved from `fittedAt` to the same odds. `error` is the mean distance of prediction and truth in
 * percentage points, over `bins`, by weight.
 */
export function calibration({ honest, attacks, mix, fittedAt, share }) {
  const logOdds = (p) => Math.log2(p / (1 - p));
  const shift = logOdds(share) - logOdds(fittedAt);
  const bins = Array.from({ length: 20 }, () => ({ weight: 0, predicted: 0, attacks: 0, count: 0 }));
  const add = (results, weight, truth) => {
    for (const { score } of results) {
      const p = Math.min(1 - 1e-12, Math.max(1e-12, score / 100));
      const moved = 1 / (1 + 2 ** -(logOdds(p) + shift));
      const bin = bins[Math.min(bins.length - 1, Math.floor(moved * bins.length))];
      bin.weight += weight;
      bin.predicted += moved * weight;
      bin.attacks += truth * weight;
      bin.count++;
    }
  };
  add(honest, (1 - share) / honest.length, 0);
  for (const [name, part] of Object.entries(mix)) add(attacks[name], (share * part) / attacks[name].length, 1);
  const used = bins.filter(({ weight }) => weight > 0);
  const error = used.reduce((sum, { predicted, attacks: found }) => sum + Math.abs(predicted - found), 0) * 100;
  return {
    error,
    bins: used.map(({ weight, predicted, attacks: found, count }) => ({
      predicted: predicted / weight,
      truth: found / weight,
      weight,
      count,
    })),
  };
}
