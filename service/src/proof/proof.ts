import type { NonceAnswer, ProofOutcome } from 'whorl/wire';
import { expiryOf, makeNonce, readNonce, readSignedProof } from '../crypto/index.js';
import type { Caller, Service, Transaction } from '../service.js';
import { judgeProof } from './proof-rules.js';
import { spendNonce } from './queries.js';

/** What came of a request's proof. */
export interface Proof {
  /** Undefined where there was none. */
  readonly outcome: ProofOutcome | undefined;
  /** The key that was proved; only where the outcome is `valid`. */
  readonly thumbprint: string | undefined;
}

/** A proof that was read; where it is valid so far, with the nonce that is still to be spent. */
export interface ReadProof extends Proof {
  readonly nonce?: { readonly text: string; readonly expiresAt: Date };
}

export const noProof: Proof = { outcome: undefined, thumbprint: undefined };

/** Gives a nonce for one proof (POST /v2/device/nonce). Nothing is kept of it. */
export async function giveNonce({ vault, now }: Service, { worldId }: Caller): Promise<NonceAnswer> {
  const at = now();
  return { nonce: makeNonce(vault, worldId, at), expires_at: expiryOf(at).toISOString() };
}

/**
 * Verifies a request's proof, but for whether its nonce was spent. To be done before the transaction: it takes the
 * processor's time, and nothing of the database's.
 */
export async function readProof(
  service: Service,
  { worldId, settings }: Caller,
  { proof, fingerprint }: { readonly proof?: string; readonly fingerprint: string },
): Promise<ReadProof> {
  if (proof === undefined) return noProof;
  const signed = await readSignedProof(proof);
  if (!signed) return { ...noProof, outcome: 'malformed' };
  const nonce = readNonce(service.vault, worldId, signed.claims.nonce);
  const expectation = { fingerprint, allowedOrigins: settings.allowed_origins, now: service.now() };
  const outcome = judgeProof({ ...signed.claims, nonce }, expectation);
  if (outcome !== 'valid' || !nonce) return { ...noProof, outcome };
  const { thumbprint, claims } = signed;
  return { outcome, thumbprint, nonce: { text: claims.nonce, expiresAt: nonce.expiresAt } };
}

/** Spends the nonce, in the transaction in which the proof is to count: one nonce, one evaluation. */
export async function spendProof(db: Transaction, { worldId }: Caller, proof: ReadProof): Promise<Proof> {
  const { nonce, outcome, thumbprint } = proof;
  if (!nonce) return proof;
  const isFirst = await spendNonce(db, { worldId, nonce: nonce.text, expiresAt: nonce.expiresAt });
  return isFirst ? { outcome, thumbprint } : { outcome: 'replayed', thumbprint: undefined };
}
