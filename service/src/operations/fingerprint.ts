import type { FingerprintAnswer, FingerprintRequest } from 'whorl/wire';
import { readFingerprint } from '../domain/linking/fingerprint-text.js';
import type { Caller, Service } from '../service.js';
import { recognise } from './recognise.js';

/** Recognises a fingerprint, without a user and without a verdict. */
export async function recogniseFingerprint(
  service: Service,
  caller: Caller,
  { fingerprint: text, last_fingerprint: last }: FingerprintRequest,
): Promise<FingerprintAnswer> {
  const fingerprint = readFingerprint(text);
  const { identityId, confidence, matchedBy, changed } = await service.db
    .transaction()
    .execute((db) => recognise(db, service, caller, { fingerprint, last }));
  return { fingerprint_id: identityId, confidence, matched_by: matchedBy, changed: [...changed] };
}
