import { calculateJwkThumbprint, compactVerify, EmbeddedJWK, errors, type JWK } from 'jose';
import { z } from 'zod';

/** What a proof says. */
export interface ProofClaims {
  readonly nonce: string;
  /** Of the page that it was made in. */
  readonly origin: string;
  readonly fingerprint: string;
  /** When it was made, by the page's clock. */
  readonly madeAt: Date;
}

/** A proof whose signature is right. */
export interface SignedProof {
  /** Of the key that it is signed with (RFC 7638, SHA-256, base64url). */
  readonly thumbprint: string;
  readonly claims: ProofClaims;
}

const algorithm = 'ES256';
/** No token of another kind passes for a proof (RFC 8725, section 3.11). */
const type = 'whorl-proof+jwt';

const claimsSchema = z.object({
  nonce: z.string(),
  origin: z.string(),
  fingerprint: z.string(),
  // Seconds since 1970 that a date can hold (ECMA-262, section 21.4.1.1).
  iat: z.number().min(0).max(8.64e12),
});

/**
 * Reads a proof as `getProof` of the package makes it: a compact JWS (RFC 7515) with the public key in its header.
 * Undefined where it is none, or was not signed with the key that it shows.
 */
export async function readSignedProof(proof: string): Promise<SignedProof | undefined> {
  try {
    const { payload, protectedHeader } = await compactVerify(proof, EmbeddedJWK, { algorithms: [algorithm] });
    const { typ, kid, jwk } = protectedHeader;
    if (typ !== type || !jwk) return undefined;
    const thumbprint = await calculateJwkThumbprint(jwk as JWK);
    if (thumbprint !== kid) return undefined;
    const { nonce, origin, fingerprint, iat } = claimsSchema.parse(JSON.parse(new TextDecoder().decode(payload)));
    return { thumbprint, claims: { nonce, origin, fingerprint, madeAt: new Date(iat * 1000) } };
  } catch (error) {
    const isOfTheProof = [errors.JOSEError, z.ZodError, SyntaxError, TypeError, DOMException].some(
      (kind) => error instanceof kind,
    );
    if (isOfTheProof) return undefined;
    throw error;
  }
}
