import { z } from '@hono/zod-openapi';
import { reasons } from 'whorl/wire';
import { excuses, listEffects, listKinds, ruleEffects } from '../../ground/vocabulary.js';
import { addressKinds } from '../../resources/addresses/rules/address-info.js';
import { channels } from '../../resources/challenges/rules/methods/methods.js';

// The schemas that use these values check them against the types of `whorl/wire`.

export const verdict = () => z.enum(['allow', 'challenge', 'restrict', 'challenge_and_restrict', 'deny']);
export const outcome = () => z.enum(['succeeded', 'failed']);
export const reason = () => z.enum(reasons);
export const listKind = () => z.enum(listKinds);
export const listEffect = () => z.enum(listEffects);
export const excuse = () => z.enum(excuses);
export const effect = () => z.enum(['challenge', 'restrict', 'challenge_and_restrict', 'deny']);
export const ruleEffect = () => z.enum(ruleEffects);
export const strength = () => z.enum(['fingerprint', 'corroborated', 'proven']);
export const matchedBy = () => z.enum(['exact', 'key', 'last', 'facets', 'new']);
export const proofOutcome = () =>
  z.enum([
    'valid',
    'malformed',
    'wrong_nonce',
    'expired',
    'wrong_time',
    'wrong_origin',
    'wrong_fingerprint',
    'replayed',
  ]);
export const agentProblem = () =>
  z.enum([
    'unsigned',
    'malformed',
    'incomplete',
    'unsupported',
    'not_yet_valid',
    'expired',
    'unknown_agent',
    'unknown_key',
    'keys_unavailable',
    'signature_mismatch',
  ]);
export const deviceKind = () => z.enum(['mobile', 'tablet', 'desktop', 'unknown']);
export const deviceStatus = () => z.enum(['attached', 'detached', 'pending', 'blocked']);
export const challengeStatus = () => z.enum(['pending', 'completed', 'skipped', 'expired']);
export const addressKind = () => z.enum(addressKinds);
export const riskFact = () =>
  z.enum([
    'prior',
    'device',
    'proof',
    'address',
    'kind',
    'travel',
    'time',
    'history',
    'failures',
    'automation',
    'tampering',
    'email',
    'accounts',
    'referrer',
    'velocity',
    'fingerprint',
  ]);
export const channel = () => z.enum(channels);
export const userStatus = () => z.enum(['active', 'suspended']);
export const feedbackLabel = () => z.enum(['fraud', 'legitimate']);
