import type { FingerprintAnswer, FingerprintRequest } from 'whorl/wire';
import { type Caller, inTransaction, type Service, withoutTransaction } from '../service.js';
import { lookUpIdentity, recognise } from './recognise.js';
import { readFingerprint } from './rules/fingerprint-text.js';

/**
 * Recognises a fingerprint, without a user or a verdict. With a publishable key nothing is stored, and the changed
 * facets are not named, because a forger could learn from them what to change.
 */
export async function recogniseFingerprint(
  service: Service,
  caller: Caller,
  { fingerprint: text, last_fingerprint: last }: FingerprintRequest,
): Promise<FingerprintAnswer> {
  const question = { fingerprint: readFingerprint(text), last };
  const isSecret = caller.kind === 'secret';
  const { identityId, confidence, matchedBy, changed } = isSecret
    ? await inTransaction(service, caller, (scope) => recognise(scope, question))
    : await lookUpIdentity(withoutTransaction(service, caller), question);
  return {
    fingerprint_id: identityId,
    confidence,
    matched_by: matchedBy,
    changed: isSecret ? [...changed] : [],
  };
}
