import { hkdfSync } from 'node:crypto';

/** Keys of the hashes by which stored values are looked up and compared. They outlive their master secret: see key_ring. */
export interface LookupKeys {
  /** Of blind indexes. */
  readonly index: Buffer;
  /** Of the hashes of verification codes. */
  readonly code: Buffer;
}

/** The keys that are derived from one master secret (HKDF, RFC 5869), each under a label of its own. */
export interface MasterKeys {
  /** Names the secret without revealing it. */
  readonly id: Buffer;
  readonly lookup: LookupKeys;
  /** Returns the key that encrypts the values sealed with a salt. */
  sealingKey(salt: Uint8Array): Buffer;
  /** Returns the key that signs what the service issues for a purpose, such as `challenge-link`. */
  signingKey(purpose: string): Buffer;
}

const secretBytes = 32;
const keyBytes = 32;
export const keyIdBytes = 4;
/** Deriving a key takes longer than opening a value with it. Neighbouring rows often share a salt. */
const mostCachedSalts = 500;

/** @throws RangeError where the secret has less than 32 bytes. */
export function createMasterKeys(given: string | Buffer): MasterKeys {
  // A copy: the caller may overwrite its own.
  const secret = Buffer.from(given);
  if (secret.length < secretBytes) throw new RangeError(`A master secret must have at least ${secretBytes} bytes.`);
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
      if (sealingKeys.size >= mostCachedSalts) sealingKeys.clear();
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
