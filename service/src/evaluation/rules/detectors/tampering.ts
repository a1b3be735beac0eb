import { type IntegrityBit, readIntegrity } from 'whorl/fingerprint';
import type { Detector } from '../finding.js';
import { contradictions } from '../user-agent.js';

/** Noise is not among them: some browsers add it for everybody. */
const bits: readonly IntegrityBit[] = [
  'proxied_function',
  'answers_strangers',
  'two_answers',
  'resolution_contradiction',
  'engine_contradiction',
  'system_contradiction',
  'worker_contradiction',
  'scripted_function',
];

/** The integrity facet, or a `User-Agent` that contradicts the fingerprint, shows spoofed readings. */
export const tampering: Detector = ({ request: { parsed, userAgent } }) => {
  if (!parsed) return undefined;
  const integrity = readIntegrity(parsed.integrity).filter((bit) => bits.includes(bit));
  const contradicting = userAgent === undefined ? [] : contradictions(userAgent, parsed.descriptor);
  if (integrity.length === 0 && contradicting.length === 0) return undefined;
  return {
    reason: 'tampering',
    evidence: {
      ...(integrity.length > 0 && { integrity }),
      ...(contradicting.length > 0 && { user_agent: contradicting }),
    },
  };
};
