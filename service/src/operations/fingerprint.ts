import type { FingerprintAnswer, FingerprintRequest } from 'whorl/wire';
import type { Caller, Service } from '../service.js';
import { recognise } from './recognise.js';

/** Recognises a fingerprint, without a user and without a verdict. */
export async function recogniseFingerprint(
  service: Service,
  caller: Caller,
  { fingerprint, last_fingerprint }: FingerprintRequest,
): Promise<FingerprintAnswer> {
  const { identityId, confidence, matchedBy, changed } = await service.db
    .transaction()
    .execute((db) => recognise(db, service, caller, { fingerprint, last: last_fingerprint }));
  return { fingerprint_id: identityId, confidence, matched_by: matchedBy, changed: [...changed] };
}
