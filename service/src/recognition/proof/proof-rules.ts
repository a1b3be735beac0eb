import type { ProofOutcome } from 'whorl/wire';
import { minuteMs } from '../../ground/time.js';

/** Claims of a proof, with its nonce decoded. */
export interface ClaimedProof {
  /** Undefined if the nonce was not issued for the caller's world. */
  readonly nonce: { readonly issuedAt: Date; readonly expiresAt: Date } | undefined;
  readonly origin: string;
  readonly fingerprint: string;
  readonly madeAt: Date;
}

/** Values that a proof is checked against. */
export interface ProofExpectation {
  /** Fingerprint of the request. Without one, no proof is valid. */
  readonly fingerprint: string | undefined;
  readonly allowedOrigins: readonly string[];
  readonly now: Date;
}

/** Tolerance for the page's clock, as in Kerberos (RFC 4120, section 1.6). The nonce's expiry is what protects. */
const clockSkewMs = 5 * minuteMs;

/** Checks a proof whose signature is valid. Does not check whether its nonce has been used. */
export function judgeProof(
  { nonce, origin, fingerprint, madeAt }: ClaimedProof,
  { fingerprint: expected, allowedOrigins, now }: ProofExpectation,
): Exclude<ProofOutcome, 'malformed' | 'replayed'> {
  if (!nonce) return 'wrong_nonce';
  if (now > nonce.expiresAt) return 'expired';
  if (!allowedOrigins.includes(origin)) return 'wrong_origin';
  if (fingerprint !== expected) return 'wrong_fingerprint';
  const isInTime =
    madeAt.getTime() >= nonce.issuedAt.getTime() - clockSkewMs &&
    madeAt.getTime() <= nonce.expiresAt.getTime() + clockSkewMs;
  return isInTime ? 'valid' : 'wrong_time';
}
