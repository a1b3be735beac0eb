import type { ProofOutcome } from 'whorl/wire';
import { minuteMs } from '../time.js';

/** What a proof claims, its nonce looked up. */
export interface ClaimedProof {
  /** Undefined for one that was not made for the caller's world. */
  readonly nonce: { readonly issuedAt: Date; readonly expiresAt: Date } | undefined;
  readonly origin: string;
  readonly fingerprint: string;
  readonly madeAt: Date;
}

/** What it is held to. */
export interface ProofExpectation {
  readonly fingerprint: string;
  readonly allowedOrigins: readonly string[];
  readonly now: Date;
}

/** How far a page's clock may be off: as much as Kerberos bears (RFC 4120, section 1.6). The nonce is what counts. */
const clockSkewMs = 5 * minuteMs;

/** Whether a proof with a right signature is good for a request; all but whether its nonce was spent. */
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
