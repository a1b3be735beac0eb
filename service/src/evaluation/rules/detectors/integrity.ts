import { type IntegrityBit, readIntegrity } from 'whorl/fingerprint';
import type { Detector } from '../facts.js';
import { contradictions } from '../user-agent.js';

const automationBits: readonly IntegrityBit[] = [
  'webdriver',
  'headless_user_agent',
  'driver_traces',
  'inspected',
  'unreadable_check',
];

/**
 * Detects an automated browser, open developer tools (`inspected` alone) or a check that could not run
 * (`unreadable_check` alone), by the integrity facet. A clean or missing facet proves nothing.
 */
export const automation: Detector = ({ request }) => {
  const integrity = readIntegrity(request.parsed?.integrity ?? 0).filter((bit) => automationBits.includes(bit));
  return integrity.length === 0 ? undefined : { reason: 'automation', evidence: { integrity } };
};

/**
 * Detects an agent that declared itself to the customer's server, whether or not it is verified. This is no evidence against
 * automation: a verified agent is a program too.
 */
export const declaredAgent: Detector = ({ request: { agent } }) => {
  if (!agent) return undefined;
  const { name, verified, problem } = agent;
  return { reason: 'declared_agent', evidence: { agent: name, verified, ...(problem && { problem }) } };
};

/** Noise is not included, because some browsers add it for all users. */
const tamperingBits: readonly IntegrityBit[] = [
  'proxied_function',
  'answers_strangers',
  'two_answers',
  'resolution_contradiction',
  'engine_contradiction',
  'system_contradiction',
  'worker_contradiction',
  'scripted_function',
];

/** Detects spoofed readings, by the integrity facet or by a `User-Agent` that contradicts the fingerprint. */
export const tampering: Detector = ({ request: { parsed, userAgent } }) => {
  if (!parsed) return undefined;
  const integrity = readIntegrity(parsed.integrity).filter((bit) => tamperingBits.includes(bit));
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
