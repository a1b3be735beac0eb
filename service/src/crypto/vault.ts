import { createHmac } from 'node:crypto';
import { createMasterKeys, type LookupKeys } from './master-keys.js';
import { createSealer, openSealed, sealedPrefix } from './sealing.js';

/**
 * Everything that depends on the master secrets. Encryption, blind indexes, codes and each kind of signature have keys of
 * their own, so that nothing made for one purpose is valid for another.
 */
export interface Vault {
  /** The id of the current master secret, and of the previous one where it is set: 8 hexadecimal digits each. */
  readonly keyIds: readonly [string, ...string[]];
  /** The first bytes of every value that is sealed with the current master secret. */
  readonly sealedPrefix: Buffer;
  /**
   * Encrypts a text with AES-256-GCM under the current master secret. `context` says what it is, such as `user.email`, and
   * is needed to open it: a value moved to another column does not open there. It is not stored.
   */
  seal(text: string, context: string): Buffer;
  /**
   * Returns the text of a sealed value, which says by its key id which master secret sealed it.
   *
   * @throws UnsealError where it was changed, has another context, or was sealed with a master secret that is not set.
   */
  open(sealed: Uint8Array, context: string): string;
  /**
   * Returns the blind index of a text (HMAC-SHA-256, 32 bytes) under the current master secret: equal for equal text and
   * context, and of no use for guessing texts without the secret. It is stored beside what is sealed, for look-ups.
   */
  mark(text: string, context: string): Buffer;
  /**
   * Returns the blind index of a text under each master secret whose indexes may still be stored, the current one first. A
   * look-up accepts any of them.
   */
  marks(text: string, context: string): readonly [Buffer, ...Buffer[]];
  /** Returns the keys that stored codes may be hashed with, the current one first. New codes take the first. */
  codeKeys(): readonly [Buffer, ...Buffer[]];
  /** Returns the current master secret's key for signing what the service issues for a purpose. */
  signingKey(purpose: string): Buffer;
  /** Returns the previous master secret's key for a purpose, while what it signed may still be accepted. */
  previousSigningKey(purpose: string, now: Date): Buffer | undefined;
  /** Returns the keys of the master secret with this id that outlive it; undefined where it is not set. */
  lookupKeys(keyId: string): LookupKeys | undefined;
}

export interface VaultOptions {
  /** The master secret before the current one, while values sealed with it remain. Default: none. */
  readonly previous?: string | Buffer | undefined;
  /** Until when device tokens that the previous secret signed are accepted. Default: not at all. */
  readonly previousSignsUntil?: Date | undefined;
  /** Look-up keys of earlier master secrets, for hashes whose texts are not stored. Default: none. */
  readonly retired?: readonly LookupKeys[];
}

/** A sealed value that does not open. It says nothing about the value. */
export class UnsealError extends Error {
  readonly code = 'unseal_failed';

  constructor() {
    super(
      'A sealed value does not open: it was changed, has another context, or was sealed with another master secret.',
    );
    this.name = 'UnsealError';
  }
}

/**
 * Creates a vault. Derived keys are kept, because each request needs some of them.
 *
 * @param masterSecret At least 32 bytes from a cryptographic source, such as `openssl rand -base64 32` gives. Nothing
 *   here would make a password strong enough.
 * @throws RangeError where a master secret is shorter.
 */
export function createVault(masterSecret: string | Buffer, options: VaultOptions = {}): Vault {
  const { previous: before, previousSignsUntil, retired = [] } = options;
  const current = createMasterKeys(masterSecret);
  const given = before === undefined ? undefined : createMasterKeys(before);
  const previous = given?.id.equals(current.id) ? undefined : given;
  const masters = previous ? [current, previous] : [current];
  const older = [...(previous ? [previous.lookup] : []), ...retired];
  const idOf = ({ id }: { id: Buffer }) => id.toString('hex');

  return {
    keyIds: [idOf(current), ...(previous ? [idOf(previous)] : [])],
    sealedPrefix: sealedPrefix(current),
    seal: createSealer(current),
    open(sealed, context) {
      const text = openSealed(masters, sealed, context);
      if (text === undefined) throw new UnsealError();
      return text;
    },
    mark: (text, context) => blindIndex(current.lookup, text, context),
    marks: (text, context) => [
      blindIndex(current.lookup, text, context),
      ...older.map((keys) => blindIndex(keys, text, context)),
    ],
    codeKeys: () => [current.lookup.code, ...older.map(({ code }) => code)],
    signingKey: (purpose) => current.signingKey(purpose),
    previousSigningKey: (purpose, now) =>
      previousSignsUntil && now < previousSignsUntil ? previous?.signingKey(purpose) : undefined,
    lookupKeys: (keyId) => masters.find((keys) => idOf(keys) === keyId)?.lookup,
  };
}

function blindIndex({ index }: LookupKeys, text: string, context: string): Buffer {
  // As JSON, so that no other text and context make the same bytes.
  return createHmac('sha256', index)
    .update(JSON.stringify([context, text]))
    .digest();
}
