import { createHmac } from 'node:crypto';
import { createMasterKeys, type LookupKeys } from './master-keys.js';
import { createSealer, openSealed, type Seal, sealedPrefixes } from './sealing.js';

/**
 * Cryptography that depends on the master secrets. Encryption, blind indexes, codes and each kind of signature have
 * separate keys, so that nothing made for one purpose is valid for another.
 */
export interface Vault {
  /** IDs of the current master secret and, if it is set, the previous one: 8 hexadecimal digits each. */
  readonly keyIds: readonly [string, ...string[]];
  /** First bytes of values that are sealed with the current master secret: of texts, and of compressed ones. */
  readonly sealedPrefixes: readonly [text: Buffer, compressed: Buffer];
  /**
   * Encrypts a text with AES-256-GCM under the current master secret. `context` names what the text is, such as
   * `user.email`. It is not stored and is required to decrypt: a value copied to another column cannot be opened there.
   */
  seal: Seal;
  /**
   * Returns the text of a sealed value. Its key ID identifies the master secret that sealed it.
   *
   * @throws UnsealError if it was changed, has another context, or was sealed with a master secret that is not set.
   */
  open(sealed: Uint8Array, context: string): string;
  /**
   * Returns the blind index of a text (HMAC-SHA-256, 32 bytes) under the current master secret: equal for equal text
   * and context, and useless for guessing texts without the secret. It is stored next to the sealed value for look-ups.
   */
  blindIndex(text: string, context: string): Buffer;
  /**
   * Returns the blind indexes of a text under each master secret whose indexes may still be stored, the current one
   * first. Look-ups accept any of them.
   */
  blindIndexes(text: string, context: string): readonly [Buffer, ...Buffer[]];
  /**
   * Returns the keys that stored codes may be hashed with, the current one first. New codes are hashed with the first.
   */
  codeKeys(): readonly [Buffer, ...Buffer[]];
  /** Returns the current master secret's key for signing tokens for a purpose. */
  signingKey(purpose: string): Buffer;
  /** Returns the previous master secret's key for a purpose, as long as its signatures may be accepted. */
  previousSigningKey(purpose: string, now: Date): Buffer | undefined;
  /** Returns the look-up keys of the master secret with this ID; undefined if that secret is not set. */
  lookupKeys(keyId: string): LookupKeys | undefined;
}

export interface VaultOptions {
  /** Previous master secret, required while values sealed with it remain. Default: none. */
  readonly previous?: string | Buffer | undefined;
  /** Time until which device tokens signed with the previous secret are accepted. Default: they are not accepted. */
  readonly previousSignsUntil?: Date | undefined;
  /** Look-up keys of earlier master secrets, for hashes whose texts are not stored. Default: none. */
  readonly retired?: readonly LookupKeys[];
}

/** A sealed value cannot be decrypted. The message contains nothing from the value. */
export class UnsealError extends Error {
  readonly code = 'unseal_failed';

  constructor() {
    super(
      'A sealed value cannot be decrypted: it was changed, has another context, or was sealed with another master secret.',
    );
    this.name = 'UnsealError';
  }
}

/**
 * Creates a vault. Derived keys are cached because every request needs some.
 *
 * @param masterSecret At least 32 bytes from a cryptographic source, such as the output of `openssl rand -base64 32`.
 *   A password would be too weak.
 * @throws RangeError if a master secret is shorter than 32 bytes.
 */
export function createVault(masterSecret: string | Buffer, options: VaultOptions = {}): Vault {
  const { previous: previousSecret, previousSignsUntil, retired = [] } = options;
  const current = createMasterKeys(masterSecret);
  const previousKeys = previousSecret === undefined ? undefined : createMasterKeys(previousSecret);
  const previous = previousKeys?.id.equals(current.id) ? undefined : previousKeys;
  const masters = previous ? [current, previous] : [current];
  const older = [...(previous ? [previous.lookup] : []), ...retired];
  const idOf = ({ id }: { id: Buffer }) => id.toString('hex');

  return {
    keyIds: [idOf(current), ...(previous ? [idOf(previous)] : [])],
    sealedPrefixes: sealedPrefixes(current),
    seal: createSealer(current),
    open(sealed, context) {
      const text = openSealed(masters, sealed, context);
      if (text === undefined) throw new UnsealError();
      return text;
    },
    blindIndex: (text, context) => indexOf(current.lookup, text, context),
    blindIndexes: (text, context) => [
      indexOf(current.lookup, text, context),
      ...older.map((keys) => indexOf(keys, text, context)),
    ],
    codeKeys: () => [current.lookup.code, ...older.map(({ code }) => code)],
    signingKey: (purpose) => current.signingKey(purpose),
    previousSigningKey: (purpose, now) =>
      previousSignsUntil && now < previousSignsUntil ? previous?.signingKey(purpose) : undefined,
    lookupKeys: (keyId) => masters.find((keys) => idOf(keys) === keyId)?.lookup,
  };
}

function indexOf({ index }: LookupKeys, text: string, context: string): Buffer {
  // JSON keeps context and text apart, so that no other pair produces the same bytes.
  return createHmac('sha256', index)
    .update(JSON.stringify([context, text]))
    .digest();
}
