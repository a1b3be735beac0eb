import { calculateJwkThumbprint, compactVerify, EmbeddedJWK, errors, type JWK } from 'jose';
import { z } from 'zod';

/** What a proof says. */
export interface ProofPayload {
  readonly nonce: string;
  /** Origin of the page that created the proof. */
  readonly origin: string;
  readonly fingerprint: string;
  /** Time of creation, by the page's clock. */
  readonly madeAt: Date;
}

/** Proof with a valid signature. */
export interface SignedProof {
  /** Thumbprint of the signing key (RFC 7638, SHA-256, base64url). */
  readonly thumbprint: string;
  readonly payload: ProofPayload;
}

const algorithm = 'ES256';
/** Prevents a token of another kind from being accepted as a proof (RFC 8725, section 3.11). */
const type = 'whorl-proof+jwt';

const payloadSchema = z.object({
  nonce: z.string(),
  origin: z.string(),
  fingerprint: z.string(),
  // The range of seconds that a Date can represent (ECMA-262, section 21.4.1.1).
  iat: z.number().min(0).max(8.64e12),
});

/**
 * Reads a proof from the package's `getProof`: a compact JWS (RFC 7515) with the public key in its header. Returns
 * undefined if it is malformed, or was not signed with that key.
 */
export async function readSignedProof(proof: string): Promise<SignedProof | undefined> {
  try {
    const { payload, protectedHeader } = await compactVerify(proof, EmbeddedJWK, { algorithms: [algorithm] });
    const { typ, kid, jwk } = protectedHeader;
    if (typ !== type || !jwk) return undefined;
    const thumbprint = await calculateJwkThumbprint(jwk as JWK);
    if (thumbprint !== kid) return undefined;
    const { nonce, origin, fingerprint, iat } = payloadSchema.parse(JSON.parse(new TextDecoder().decode(payload)));
    return { thumbprint, payload: { nonce, origin, fingerprint, madeAt: new Date(iat * 1000) } };
  } catch (error) {
    const isInvalidProof = [errors.JOSEError, z.ZodError, SyntaxError, TypeError, DOMException].some(
      (kind) => error instanceof kind,
    );
    if (isInvalidProof) return undefined;
    throw error;
  }
}
