import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';
import { takeRandomBytes } from '../random.js';

/**
 * Everything that is made with the master secret. Each purpose has a key of its own (HKDF, RFC 5869), so that nothing
 * made for one is good for another.
 */
export interface Vault {
  /**
   * Encrypts a text with AES-256-GCM. `context` says what it is, such as `user.email`, and is needed to open it: a value
   * moved to another column does not open there. It is not stored.
   */
  seal(text: string, context: string): Buffer;
  /**
   * The text again, whichever of the master secrets sealed it.
   * @throws UnsealError where it was changed, is of another context, or was sealed with another master secret.
   */
  open(sealed: Uint8Array, context: string): string;
  /**
   * A keyed hash (HMAC-SHA-256, 32 bytes): equal for equal text and context, and nobody without the master secret can
   * try out texts. For look-ups and equality of what is sealed. Always made with the current master secret: see `marks`.
   */
  mark(text: string, context: string): Buffer;
  /**
   * The mark under each master secret, the current one's first. A look-up during a rotation takes any of them: what is
   * stored may still be the previous one's, and can be made anew only by whoever has the text.
   */
  marks(text: string, context: string): Buffer[];
  /**
   * A 32 byte key for a purpose, of each master secret. Make with the first; check with any.
   */
  keys(purpose: string): readonly [Buffer, ...Buffer[]];
}

export interface VaultOptions {
  /** The master secret used before, while values sealed with it are still there. Default: none. */
  readonly previous?: string | Buffer | undefined;
}

/** A sealed value that does not open. It says nothing about the value. */
export class UnsealError extends Error {
  readonly code = 'unseal_failed';

  constructor() {
    super('A sealed value does not open: changed, of another context, or sealed with another master secret.');
    this.name = 'UnsealError';
  }
}

const version = 1;
const saltBytes = 16;
const nonceBytes = 12;
const tagBytes = 16;
const headBytes = 1 + saltBytes + nonceBytes;
const secretBytes = 32;
const valuesOfKey = 1000;

/**
 * A sealed value is: version (1 byte), salt (16), nonce (12), encrypted text, tag (16).
 *
 * The salt makes a key for a thousand values, of one process. Random nonces under one key are safe for 2^32 values (NIST
 * SP 800-38D, 8.3), and a busy service would reach that within months.
 *
 * @param masterSecret At least 32 bytes from a cryptographic source, such as `openssl rand -base64 32` gives. Nothing
 *   is done here that would make a password good enough.
 * @throws RangeError where a master secret is shorter.
 */
export function createVault(masterSecret: string | Buffer, { previous }: VaultOptions = {}): Vault {
  const current = secretOf(masterSecret);
  const secrets: [Buffer, ...Buffer[]] = previous === undefined ? [current] : [current, secretOf(previous)];
  const keys = new Map<string, readonly [Buffer, ...Buffer[]]>();
  /** The key for some use, of each secret; made once, for it is wanted with each request. */
  const keysFor = (info: string) => {
    const [first, ...others] = secrets;
    const known = keys.get(info) ?? [derive(first, info), ...others.map((secret) => derive(secret, info))];
    keys.set(info, known);
    return known;
  };
  const mark = (key: Buffer, text: string, context: string) =>
    // As JSON, so that no other text and context make the same bytes.
    createHmac('sha256', key)
      .update(JSON.stringify([context, text]))
      .digest();

  const sealingKey = createSealingKey(current);

  return {
    seal: (text, context) => seal(sealingKey(), text, context),
    open(sealed, context) {
      for (const secret of secrets) {
        const text = open(secret, sealed, context);
        if (text !== undefined) return text;
      }
      throw new UnsealError();
    },
    mark: (text, context) => mark(keysFor('mark')[0], text, context),
    marks: (text, context) => keysFor('mark').map((key) => mark(key, text, context)),
    keys: (purpose) => keysFor(`key ${purpose}`),
  };
}

interface SealingKey {
  readonly salt: Buffer;
  readonly key: Buffer;
}

/** Answers the key to seal the next value with: the same for a while, since making one takes longer than sealing. */
function createSealingKey(secret: Buffer): () => SealingKey {
  let current: SealingKey | undefined;
  let left = 0;
  return () => {
    if (!current || left === 0) {
      const salt = takeRandomBytes(saltBytes);
      current = { salt, key: derive(secret, 'seal', salt) };
      left = valuesOfKey;
    }
    left -= 1;
    return current;
  };
}

function seal({ salt, key }: SealingKey, text: string, context: string): Buffer {
  const nonce = takeRandomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
  cipher.setAAD(authenticated(context));
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([Buffer.of(version), salt, nonce, encrypted, cipher.getAuthTag()]);
}

function open(secret: Buffer, sealed: Uint8Array, context: string): string | undefined {
  if (sealed.length < headBytes + tagBytes || sealed[0] !== version) return undefined;
  const salt = sealed.subarray(1, 1 + saltBytes);
  const nonce = sealed.subarray(1 + saltBytes, headBytes);
  const decipher = createDecipheriv('aes-256-gcm', derive(secret, 'seal', salt), nonce, { authTagLength: tagBytes });
  decipher.setAAD(authenticated(context));
  decipher.setAuthTag(sealed.subarray(-tagBytes));
  const text = decipher.update(sealed.subarray(headBytes, -tagBytes));
  try {
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    // Node tells a wrong tag by a plain Error; nothing else can fail here.
    return undefined;
  }
}

/** The version too, so that no value can be passed off as one of another version. */
function authenticated(context: string): Buffer {
  return Buffer.concat([Buffer.of(version), Buffer.from(context, 'utf8')]);
}

function derive(secret: Buffer, info: string, salt: Uint8Array = Buffer.alloc(0)): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, `whorl ${info}`, 32));
}

function secretOf(given: string | Buffer): Buffer {
  // A copy: what the caller does with its own afterwards is no matter.
  const secret = Buffer.from(given);
  if (secret.length < secretBytes) throw new RangeError(`A master secret has at least ${secretBytes} bytes.`);
  return secret;
}
