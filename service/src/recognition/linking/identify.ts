import type { FingerprintRequest, FingerprintResponse, PageFingerprintResponse } from 'whorl/wire';
import { readFingerprint } from '../../resources/devices/rules/fingerprint-text.js';
import { type Caller, inTransaction, type Service } from '../../resources/service.js';
import { recognise, unstoredIdentityId } from './recognise.js';

/**
 * Recognises a fingerprint, without a user or a verdict. With a publishable key, nothing is stored or read: the response is
 * an ID computed from the fingerprint, so that neither the response nor its timing tells whether the browser is known.
 */
export async function recogniseFingerprint(
  service: Service,
  caller: Caller,
  { fingerprint: text, last_fingerprint: last }: FingerprintRequest,
): Promise<FingerprintResponse | PageFingerprintResponse> {
  const fingerprint = readFingerprint(text);
  if (caller.kind === 'publishable') return { fingerprint_id: unstoredIdentityId(service, caller, fingerprint) };
  const { identityId, confidence, matchedBy, changed } = await inTransaction(service, caller, (work) =>
    recognise(work, { fingerprint, last }),
  );
  return {
    fingerprint_id: identityId,
    confidence,
    matched_by: matchedBy,
    changed: [...changed],
  };
}
