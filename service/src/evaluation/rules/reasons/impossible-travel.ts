import { impossibleKmh, journeyTo } from '../history.js';
import { placeOf } from '../place.js';
import type { ReasonRule } from '../reason.js';

/**
 * Nobody could have travelled here since the user's last access whose place is known. Relays, anonymisers, servers and
 * mobile gateways are not where the person is, so they are not compared.
 */
export const impossibleTravel: ReasonRule<'impossible_travel'> = {
  name: 'impossible_travel',
  words: {
    title: 'Impossible travel',
    explanation: 'Nobody could have travelled here since the last access of this user.',
    toVisitor: 'nobody could have travelled here since the last visit',
    raisedWhen: `nobody could have travelled here since the user's last access: faster than ${impossibleKmh} km/h ([how](#places))`,
  },
  policy: { login: ['challenge'], signup: ['off'], referral: ['off'] },
  traits: ['denies_with_proof'],
  detect: (facts) => {
    const journey = journeyTo(placeOf(facts), facts.history, facts.now);
    if (!journey || journey.kmh <= impossibleKmh) return undefined;
    return {
      evidence: {
        km: Math.round(journey.km),
        hours: Math.round(journey.hours * 100) / 100,
        km_per_hour: Math.round(journey.kmh),
      },
    };
  },
};
