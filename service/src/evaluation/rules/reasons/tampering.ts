import { type IntegrityBit, readIntegrity } from 'whorl/fingerprint';
import type { ReasonRule } from '../reason.js';
import { contradictions } from '../user-agent.js';

/** Noise is not included, because some browsers add it for all users. */
const tamperingBits: readonly IntegrityBit[] = [
  'proxied_function',
  'accepts_wrong_receiver',
  'inconsistent_getter',
  'resolution_contradiction',
  'engine_contradiction',
  'system_contradiction',
  'worker_contradiction',
  'scripted_function',
];

/** Readings are spoofed, by the integrity facet or by a `User-Agent` that contradicts the fingerprint. */
export const tampering: ReasonRule<'tampering'> = {
  name: 'tampering',
  words: {
    title: 'Tampered browser',
    explanation: 'What the browser reports about itself contradicts its behaviour.',
    toVisitor: 'the browser shows signs of spoofing',
    raisedWhen: 'the integrity facet, or `user_agent`, shows spoofed readings ([which](#tampering))',
  },
  policy: { login: ['challenge_and_restrict'], signup: ['challenge_and_restrict'], referral: ['restrict'] },
  traits: [],
  detect: ({ request: { parsed, userAgent } }) => {
    if (!parsed) return undefined;
    const integrity = readIntegrity(parsed.integrity).filter((bit) => tamperingBits.includes(bit));
    const contradicting = userAgent === undefined ? [] : contradictions(userAgent, parsed.descriptor);
    if (integrity.length === 0 && contradicting.length === 0) return undefined;
    return {
      evidence: {
        ...(integrity.length > 0 && { integrity }),
        ...(contradicting.length > 0 && { user_agent: contradicting }),
      },
    };
  },
};
