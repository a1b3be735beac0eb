import { placeOf } from '../place.js';
import type { ReasonRule } from '../reason.js';

/** The user was never seen in this country. A user whose countries are not known has none to compare with. */
export const newCountry: ReasonRule<'new_country'> = {
  name: 'new_country',
  words: {
    title: 'New country',
    explanation: 'The user was never seen in this country.',
    toVisitor: 'this country is new to the account',
    raisedWhen: 'the user was seen in other countries, and never in this one',
  },
  policy: { login: ['report'], signup: ['off'], referral: ['off'] },
  traits: ['denies_with_proof'],
  detect: (facts) => {
    const country = placeOf(facts)?.country;
    const known = new Set(facts.history.map(({ info }) => info?.country).filter((name) => name !== undefined));
    if (country === undefined || known.size === 0 || known.has(country)) return undefined;
    return { evidence: { country, known_countries: [...known].sort() } };
  },
};
