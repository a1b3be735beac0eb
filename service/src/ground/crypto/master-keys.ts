import { hkdfSync } from 'node:crypto';

/**
 * Keys for the hashes by which stored values are looked up. They remain valid after their master secret is replaced:
 * see `key_ring`.
 */
export interface LookupKeys {
  /** Key for blind indexes. */
  readonly index: Buffer;
  /** Key for hashes of verification codes. */
  readonly code: Buffer;
}

/** Keys derived from one master secret (HKDF, RFC 5869), each under its own label. */
export interface MasterKeys {
  /** Identifies the secret without revealing it. */
  readonly id: Buffer;
  readonly lookup: LookupKeys;
  /** Returns the encryption key for values with this salt. */
  sealingKey(salt: Uint8Array): Buffer;
  /** Returns the key for signing tokens for a purpose, such as `challenge-link`. */
  signingKey(purpose: string): Buffer;
}

const secretBytes = 32;
const keyBytes = 32;
export const keyIdBytes = 4;
/**
 * Derived keys are cached because deriving one takes longer than decrypting a value, and neighbouring rows often share
 * a salt.
 */
const maxCachedSalts = 500;

/**
 * Creates the keys of a master secret.
 *
 * @throws RangeError if the secret is shorter than 32 bytes.
 */
export function createMasterKeys(masterSecret: string | Buffer): MasterKeys {
  // Copied because the caller may overwrite its buffer.
  const secret = Buffer.from(masterSecret);
  if (secret.length < secretBytes) {
    throw new RangeError(
      `A master secret must have at least ${secretBytes} bytes; create one with "openssl rand -base64 32".`,
    );
  }
  const signingKeys = new Map<string, Buffer>();
  const sealingKeys = new Map<string, Buffer>();
  const derive = (label: string, salt: Uint8Array = Buffer.alloc(0), length = keyBytes) =>
    Buffer.from(hkdfSync('sha256', secret, salt, `whorl ${label}`, length));
  return {
    id: derive('id', undefined, keyIdBytes),
    lookup: { index: derive('mark'), code: derive('key challenge.code') },
    sealingKey(salt) {
      const name = Buffer.from(salt).toString('latin1');
      const known = sealingKeys.get(name);
      if (known) return known;
      const key = derive('seal', salt);
      if (sealingKeys.size >= maxCachedSalts) sealingKeys.clear();
      sealingKeys.set(name, key);
      return key;
    },
    signingKey(purpose) {
      const key = signingKeys.get(purpose) ?? derive(`key ${purpose}`);
      signingKeys.set(purpose, key);
      return key;
    },
  };
}
