import { createCipheriv, createDecipheriv } from 'node:crypto';
import { compress, expand } from './compression.js';
import { keyIdBytes, type MasterKeys } from './master-keys.js';
import { takeRandomBytes } from './random.js';

/** Version 1 has no key ID. */
const unnamedVersion = 1;
const textVersion = 2;
/** The text was compressed before it was encrypted: see compression.ts. */
const compressedVersion = 3;
const saltBytes = 16;
const nonceBytes = 12;
const tagBytes = 16;
/**
 * Number of values that share a salt, and so a key. Random nonces under one key are safe for 2^32 values (NIST SP
 * 800-38D, 8.3), which a busy service would reach within months.
 */
const valuesPerSalt = 1000;

const named = {
  salt: 1 + keyIdBytes,
  nonce: 1 + keyIdBytes + saltBytes,
  text: 1 + keyIdBytes + saltBytes + nonceBytes,
};

/** Offsets of the parts of a sealed value, by version. */
const layouts = {
  [unnamedVersion]: { salt: 1, nonce: 1 + saltBytes, text: 1 + saltBytes + nonceBytes },
  [textVersion]: named,
  [compressedVersion]: named,
} as const;

/** Returns the first bytes of every value sealed with a master secret: version and key ID. */
export function sealedPrefixes({ id }: MasterKeys): readonly [text: Buffer, compressed: Buffer] {
  const prefixOf = (version: number) => Buffer.concat([Buffer.of(version), id]);
  return [prefixOf(textVersion), prefixOf(compressedVersion)];
}

/** Returns whether a sealed value is compressed. */
export function isCompressed(sealed: Uint8Array): boolean {
  return sealed[0] === compressedVersion;
}

/** Encrypts a text for a context. `isCompressed`: compresses it before, which must then be JSON. Default: false. */
export type Seal = (text: string, context: string, options?: { readonly isCompressed?: boolean }) => Buffer;

/**
 * Returns a function that encrypts with one master secret. The result is: version (1 byte), key ID (4), salt (16),
 * nonce (12), ciphertext, tag (16).
 */
export function createSealer(keys: MasterKeys): Seal {
  const [textPrefix, compressedPrefix] = sealedPrefixes(keys);
  let salt = takeRandomBytes(saltBytes);
  let key = keys.sealingKey(salt);
  let left = valuesPerSalt;
  return (text, context, { isCompressed = false } = {}) => {
    const prefix = isCompressed ? compressedPrefix : textPrefix;
    if (left === 0) {
      salt = takeRandomBytes(saltBytes);
      key = keys.sealingKey(salt);
      left = valuesPerSalt;
    }
    left -= 1;
    const nonce = takeRandomBytes(nonceBytes);
    const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
    cipher.setAAD(authenticated(prefix, context));
    const encrypted = Buffer.concat([cipher.update(isCompressed ? compress(text) : text, 'utf8'), cipher.final()]);
    return Buffer.concat([prefix, salt, nonce, encrypted, cipher.getAuthTag()]);
  };
}

/**
 * Returns the text of a sealed value, decrypted with the master secret that its key ID identifies. A value without a
 * key ID is tried with each secret.
 *
 * @returns Undefined if the value was changed, has another context, or was sealed with another secret.
 */
export function openSealed(masters: readonly MasterKeys[], sealed: Uint8Array, context: string): string | undefined {
  const version = versionOf(sealed);
  if (version === undefined) return undefined;
  const isUnnamed = version === unnamedVersion;
  const layout = layouts[version];
  if (sealed.length < layout.text + tagBytes) return undefined;
  const prefix = Buffer.from(sealed.subarray(0, layout.salt));
  const candidates = isUnnamed ? masters : masters.filter(({ id }) => id.equals(prefix.subarray(1)));
  for (const keys of candidates) {
    const text = decrypt(keys.sealingKey(sealed.subarray(layout.salt, layout.nonce)), {
      nonce: sealed.subarray(layout.nonce, layout.text),
      encrypted: sealed.subarray(layout.text, -tagBytes),
      tag: sealed.subarray(-tagBytes),
      authenticated: authenticated(prefix, context),
    });
    if (text !== undefined) return version === compressedVersion ? expand(text) : text;
  }
  return undefined;
}

function versionOf([first]: Uint8Array): keyof typeof layouts | undefined {
  return first === unnamedVersion || first === textVersion || first === compressedVersion ? first : undefined;
}

interface Encrypted {
  readonly nonce: Uint8Array;
  readonly encrypted: Uint8Array;
  readonly tag: Uint8Array;
  readonly authenticated: Buffer;
}

function decrypt(key: Buffer, { nonce, encrypted, tag, authenticated }: Encrypted): string | undefined {
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
  decipher.setAAD(authenticated);
  decipher.setAuthTag(tag);
  const text = decipher.update(encrypted);
  try {
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    // Node reports a wrong tag as a plain Error; nothing else can fail here.
    return undefined;
  }
}

/** Includes the version and the key ID, so that neither can be replaced. */
function authenticated(prefix: Buffer, context: string): Buffer {
  return Buffer.concat([prefix, Buffer.from(context, 'utf8')]);
}
