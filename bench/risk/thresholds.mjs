import { addressLevels, deviceLevelOf, isKnown } from '../../service/dist/testing.js';
import { createHistory } from './history.mjs';
import { shareAt } from './metrics.mjs';
import { replay } from './replay.mjs';
import { markdown, percent } from './report.mjs';

/** Values of the setting `risk.threshold`. */
const thresholds = [0.05, 0.1, 0.15, 0.2, 0.5];
/** The setting `risk.new_device_at_known_address` of each scorer. */
const settings = { risk: '`challenge`', 'risk-score': '`score`' };

/** Returns what the service's score does at each threshold. */
export function thresholdTable(results) {
  const own = results.filter(({ scorer }) => scorer.name in settings);
  const tried = Object.keys(own[0]?.attacks ?? {});
  const rows = own.flatMap(({ scorer, proofShare, honest, attacks }) =>
    thresholds.map((threshold) => [
      threshold,
      settings[scorer.name],
      percent(proofShare, 0),
      percent(shareAt(honest, threshold)),
      ...tried.map((name) => percent(shareAt(attacks[name], threshold))),
    ]),
  );
  return markdown(['threshold', 'new device at known address', 'proofs', 'honest logins', ...tried], rows);
}

/** Returns how many logins of honest people and of each attacker come from a known or new device, by the match of the address. */
export function matchTable(trace) {
  const scorer = {
    createScorer() {
      const { factsOf, learn } = createHistory();
      return { score: (login) => matchOf(factsOf(login)), learn };
    },
  };
  const { honest, attacks } = replay(trace, { scorer });
  const shareOf = (list, match) => percent(list.filter(({ score }) => score === match).length / list.length, 2);
  const matches = ['known', 'new'].flatMap((device) =>
    [...addressLevels.toReversed(), 'abroad'].map((address) => `${device} device, ${address}`),
  );
  const rows = matches.map((match) => [
    match,
    ...[honest, ...Object.values(attacks)].map((all) => shareOf(all, match)),
  ]);
  return markdown(['share of logins', 'honest', ...Object.keys(attacks)], rows);
}

function matchOf(facts) {
  const device = isKnown(deviceLevelOf(facts)) ? 'known' : 'new';
  const address = addressLevels.findLast((level) => (facts.address?.[level]?.own ?? 0) > 0) ?? 'abroad';
  return `${device} device, ${address}`;
}
