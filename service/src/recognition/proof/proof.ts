import type { NonceResponse, ProofOutcome } from 'whorl/wire';
import { createNonce, expiryOf, readNonce, readSignedProof } from '../../ground/crypto/index.js';
import { spendNonce } from '../../resources/devices/queries/device-keys.js';
import type { Caller, Service, Transaction } from '../../resources/service.js';
import { judgeProof } from './proof-rules.js';

/** Result of checking a request's proof. */
export interface Proof {
  /** Undefined if the request has no proof. */
  readonly outcome: ProofOutcome | undefined;
  /** Thumbprint of the proven key; only if the outcome is `valid`. */
  readonly thumbprint: string | undefined;
}

/** A verified proof. If it is valid, its nonce has yet to be spent. */
export interface ReadProof extends Proof {
  readonly nonce?: { readonly text: string; readonly expiresAt: Date };
  /** The origin of the page, which it names itself; only if the outcome is `wrong_origin`. */
  readonly origin?: string;
}

const noProof: Proof = { outcome: undefined, thumbprint: undefined };

/** Issues a nonce for one proof (POST /v2/device/nonce). Nothing is stored. */
export async function issueNonce({ vault, now }: Service, { worldId }: Caller): Promise<NonceResponse> {
  const at = now();
  return { nonce: createNonce(vault, worldId, at), expires_at: expiryOf(at).toISOString() };
}

/**
 * Verifies a request's proof, except for whether its nonce has been used. Call it before the transaction: it takes CPU
 * time and needs no database.
 */
export async function readProof(
  service: Service,
  { worldId, settings }: Caller,
  { proof, fingerprint }: { readonly proof?: string; readonly fingerprint?: string },
): Promise<ReadProof> {
  if (proof === undefined) return noProof;
  const signed = await readSignedProof(proof);
  if (!signed) return { ...noProof, outcome: 'malformed' };
  const nonce = readNonce(service.vault, worldId, signed.payload.nonce);
  const expectation = { fingerprint, allowedOrigins: settings.allowed_origins, now: service.now() };
  const outcome = judgeProof({ ...signed.payload, nonce }, expectation);
  const { thumbprint, payload } = signed;
  if (outcome === 'wrong_origin') return { ...noProof, outcome, origin: payload.origin };
  if (outcome !== 'valid' || !nonce) return { ...noProof, outcome };
  return { outcome, thumbprint, nonce: { text: payload.nonce, expiresAt: nonce.expiresAt } };
}

/** Spends the nonce, in the same transaction as the evaluation: each nonce is valid for one evaluation. */
export async function spendProof(db: Transaction, { worldId }: Caller, proof: ReadProof): Promise<Proof> {
  const { nonce, outcome, thumbprint } = proof;
  if (!nonce) return proof;
  const isFirst = await spendNonce(db, { worldId, nonce: nonce.text, expiresAt: nonce.expiresAt });
  return isFirst ? { outcome, thumbprint } : { outcome: 'replayed', thumbprint: undefined };
}
