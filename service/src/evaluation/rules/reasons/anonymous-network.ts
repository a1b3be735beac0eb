import type { AddressKind } from 'whorl/wire';
import { placeOf } from '../place.js';
import type { ReasonRule } from '../reason.js';

/** Networks that hide where a person is. Relays of browser makers do not: they keep the country, and many people use them. */
const anonymousKinds: readonly AddressKind[] = ['vpn', 'proxy', 'tor'];

/** The network hides where its users are: a VPN, a proxy or Tor. */
export const anonymousNetwork: ReasonRule<'anonymous_network'> = {
  name: 'anonymous_network',
  words: {
    title: 'Anonymous network',
    explanation: 'The IP address belongs to a VPN, a proxy or Tor.',
    toVisitor: 'the network hides where you are',
    raisedWhen: 'the address belongs to a VPN, a proxy or Tor',
  },
  policy: { login: ['report'], signup: ['report'], referral: ['restrict'] },
  traits: ['denies_with_proof'],
  detect: (facts) => {
    const info = placeOf(facts);
    if (info?.kind === undefined || !anonymousKinds.includes(info.kind)) return undefined;
    return { evidence: { address_kind: info.kind, source: info.sources.kind } };
  },
};
