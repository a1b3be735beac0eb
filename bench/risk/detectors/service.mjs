import {
  campaignOf,
  credentialStuffing,
  isCountedEnough,
  isUnfamiliar,
  judge,
  observeFailure,
  passwordGuessing,
} from '../../../service/dist/testing.js';
import { createJudging } from '../judging.mjs';
import { createVelocity } from '../velocity.mjs';

export const title = 'the service’s own `credential_stuffing` and `password_guessing`';

/**
 * The service's own rules, with facts and counts as the service gathers them, in the order in which it does. Honest
 * people complete every challenge, and attackers none.
 */
export function createDetector() {
  const judging = createJudging();
  const velocity = createVelocity();
  let baseline;
  return {
    observe(attempt) {
      const plain = judging.factsOf(attempt);
      const isUnfamiliarAttempt = isUnfamiliar(plain);
      const isJudged = isUnfamiliarAttempt || attempt.outcome === 'failed';
      const facts = {
        ...plain,
        velocity: isJudged ? velocity.countsOf(attempt) : {},
        campaign: isUnfamiliarAttempt ? campaignOf(baseline, plain.now) : undefined,
      };
      velocity.add(attempt);
      if (attempt.outcome === 'failed') {
        const isFirst = facts.velocity.user.hour.failures === 0;
        const failure = { userExists: facts.user.exists, network: attempt.place.network };
        const changes = isFirst && isUnfamiliarAttempt && !(baseline && isCountedEnough(baseline, failure, facts.now));
        if (changes) baseline = observeFailure(baseline, failure, facts.now);
      } else if (attempt.isOwner) {
        const { verdict, trustsFirstDevice } = judge(facts);
        judging.learn(attempt, { confirmed: verdict !== 'allow' || trustsFirstDevice });
      }
      return alarmOf(facts);
    },
  };
}

/** Returns the reason that the service raises, and for stuffing whether the whole project or only a source shows it. */
function alarmOf(facts) {
  if (passwordGuessing.detect(facts)) return 'guessing';
  const stuffing = credentialStuffing.detect(facts);
  if (!stuffing) return undefined;
  return stuffing.evidence.project ? 'stuffing, project' : `stuffing, ${Object.keys(stuffing.evidence).join(' and ')}`;
}
