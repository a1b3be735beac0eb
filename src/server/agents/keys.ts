import { calculateJwkThumbprint, type JWK } from 'jose';
import { isObject } from '../checks.js';

/** A public key as a JSON Web Key (RFC 7517): Ed25519, or RSA of at least 2048 bits for `rsa-pss-sha512`. */
export interface AgentJwk {
  readonly kty?: string | undefined;
  readonly crv?: string | undefined;
  readonly x?: string | undefined;
  readonly n?: string | undefined;
  readonly e?: string | undefined;
  /** The key is not valid before this time, in seconds since 1970. */
  readonly nbf?: number | undefined;
  /** The key is not valid from this time on, in seconds since 1970. */
  readonly exp?: number | undefined;
}

/** The parts of a public key that verify signatures. */
export interface AgentKey {
  readonly jwk: JWK;
  /** The algorithm of its signatures, as RFC 9421 names it. */
  readonly algorithm: 'ed25519' | 'rsa-pss-sha512';
  readonly nbf: number;
  readonly exp: number;
}

/** Keys by their thumbprint (RFC 7638), which is the `keyid` of their signatures. */
export type AgentKeys = ReadonlyMap<string, AgentKey>;

/** The thumbprints of the test keys in RFC 9421, appendix B.1. Their private keys are published, so anybody can sign. */
export const testKeys: readonly string[] = [
  'BHj8s0GPnMEQtkaULIM-PLgEhLBbuGUQ1vMxmBWZzEo',
  'poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U',
  'oD0HwocPBSfpNy5W3bpJeyFGY_IQ_YpqxSjQ3Yd-CLA',
];

/** 2048 bits in base64url. */
const minModulusLength = 342;

/** Returns the keys of a list that can verify signatures. Others are left out. */
export async function readKeys(list: readonly unknown[]): Promise<AgentKeys> {
  const keys = list.flatMap((jwk) => readKey(jwk) ?? []);
  return new Map(await Promise.all(keys.map(async (key) => [await calculateJwkThumbprint(key.jwk), key] as const)));
}

/** Returns a key without its private and unknown parts. */
function readKey(jwk: unknown): AgentKey | undefined {
  if (!isObject(jwk)) return undefined;
  const { kty, crv, x, n, e, nbf, exp } = jwk;
  const times = {
    nbf: typeof nbf === 'number' ? nbf : 0,
    exp: typeof exp === 'number' ? exp : Number.POSITIVE_INFINITY,
  };
  // An empty member has no thumbprint.
  if (kty === 'OKP' && crv === 'Ed25519' && typeof x === 'string' && x) {
    return { jwk: { kty, crv, x }, algorithm: 'ed25519', ...times };
  }
  const isRsa = kty === 'RSA' && typeof n === 'string' && n.length >= minModulusLength && typeof e === 'string' && e;
  return isRsa ? { jwk: { kty, n, e }, algorithm: 'rsa-pss-sha512', ...times } : undefined;
}

/** Returns whether a key may be used now. */
export function isInForce({ nbf, exp }: AgentKey): boolean {
  const nowSeconds = Date.now() / 1000;
  return nbf <= nowSeconds && nowSeconds < exp;
}

/** Returns whether the key signed the text. A key that the platform rejects signed nothing. */
export async function isSignedBy({ jwk, algorithm }: AgentKey, signature: ArrayBuffer, text: string): Promise<boolean> {
  const name = algorithm === 'ed25519' ? 'Ed25519' : 'RSA-PSS';
  try {
    const key = await crypto.subtle.importKey('jwk', jwk, { name, hash: 'SHA-512' }, false, ['verify']);
    return await crypto.subtle.verify({ name, saltLength: 64 }, key, signature, new TextEncoder().encode(text));
  } catch {
    return false;
  }
}
