import { impossibleKmh } from '../history.js';
import { addressEvidence } from './address.js';
import { type DeviceLevel, deviceEvidence } from './device.js';
import type { RiskFacts } from './score-facts.js';
import { say } from './sentences.js';
import type { Evidence, Term } from './terms.js';
import type { Context } from './weights.js';

const mostFailures = 4;

/**
 * Returns the evidence of every fact that is known, but for proofs. Without earlier accesses there is nothing to compare
 * with, so only the kind of network and failures are evidence. Pure: the same facts give the same evidence.
 */
export function evidenceOf(facts: RiskFacts, device: DeviceLevel): readonly Evidence[] {
  const compared =
    facts.history.logins === 0
      ? [kindEvidence(facts)]
      : [
          deviceEvidence(facts, device),
          addressEvidence(facts, device),
          kindEvidence(facts),
          travelEvidence(facts),
          timeEvidence(facts),
          historyEvidence(facts),
        ];
  return [...compared, failureEvidence(facts)].filter((evidence) => evidence !== undefined);
}

function kindEvidence({ kind: known }: RiskFacts): Evidence | undefined {
  if (!known) return undefined;
  const { kind, isUsual } = known;
  const name = kind === 'mobile' || kind === 'relay' || kind === 'hosting' ? kind : 'anonymous';
  const text = say(isUsual ? 'usual_kind' : 'new_kind', kind);
  return { fact: 'kind', suspicion: [[isUsual ? `${name}_usual` : `${name}_unusual`, 1]], text };
}

function travelEvidence({ speedKmh }: RiskFacts): Evidence | undefined {
  if (speedKmh === undefined || speedKmh <= impossibleKmh) return undefined;
  const text = say('travel', Math.round(speedKmh).toLocaleString('en'));
  return { fact: 'travel', suspicion: [['impossible_travel', 1]], text };
}

function timeEvidence({ history }: RiskFacts): Evidence {
  const { logins, hourShare, generalHourShare } = history;
  // The share among a few logins says little, so the general one counts like four of them.
  const expected = (hourShare * logins + generalHourShare * 4) / (logins + 4);
  const hour = Math.log2(Math.max(generalHourShare, 0.01) / Math.max(expected, 0.001));
  const text = say('time', Math.round(expected * 100));
  return { fact: 'time', context: [['hour', hour]], text };
}

/** The longer the history, the more is expected to be known by now. */
function historyEvidence({ history: { logins, daysSinceLast } }: RiskFacts): Evidence {
  const days = Math.round(daysSinceLast);
  const sentence = `${logins === 1 ? 'login' : 'logins'}_${days === 1 ? 'a_day' : 'days'}_ago` as const;
  const text = say(sentence, logins, days);
  const context: Term<Context>[] = [
    ['pause', Math.log2(1 + daysSinceLast)],
    ['history', Math.log2(1 + logins)],
  ];
  return { fact: 'history', context, text };
}

function failureEvidence({ failures }: RiskFacts): Evidence | undefined {
  if (failures === 0) return undefined;
  const text = say(failures === 1 ? 'one_failure' : 'failures', failures);
  return { fact: 'failures', suspicion: [['failures', Math.min(mostFailures, failures)]], text };
}
