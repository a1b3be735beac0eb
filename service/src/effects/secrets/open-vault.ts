import { z } from 'zod';
import { createVault, deviceTokenHours, type LookupKeys, UnsealError, type Vault } from '../../ground/crypto/index.js';
import { OperatorError } from '../../ground/operator-error.js';
import { hourMs } from '../../ground/time.js';
import type { Service, Transaction } from '../../resources/service.js';
import {
  findAnySealed,
  insertKeyRing,
  type KeyRingRow,
  listKeyRing,
  lockKeyRing,
  reviveKey,
  setKeyLeaked,
} from './queries/key-ring.js';

/** Master secrets from the configuration. */
export interface MasterSecrets {
  readonly current: string;
  readonly previous?: string | undefined;
  /** Whether the previous secret leaked. If so, its signatures are rejected. */
  readonly isPreviousLeaked: boolean;
}

export interface OpenedVault {
  readonly vault: Vault;
  /** Whether the previous secret is still needed; undefined if none is set. */
  readonly previousIs: 'needed' | 'removable' | undefined;
}

const maxDate = new Date(8.64e15);
export const lookupKeysContext = 'key_ring.lookup_keys';

const base64 = z.base64().transform((text) => Buffer.from(text, 'base64'));
const storedLookupKeys = z.object({ index: base64, code: base64 });

/**
 * Creates the vault from the master secrets and the key ring, and adds a new secret to the key ring. This detects a
 * wrong secret at the start; otherwise it would be noticed at the first request, after values had been sealed with it.
 *
 * @throws OperatorError if the database holds values that neither secret can open.
 */
export function openVault({ db, now }: Pick<Service, 'db' | 'now'>, secrets: MasterSecrets): Promise<OpenedVault> {
  const { current, previous, isPreviousLeaked } = secrets;
  return db.transaction().execute(async (trx) => {
    await lockKeyRing(trx);
    const vault = createVault(current, { previous });
    await checkSecrets(vault, trx);
    await enterSecrets(vault, trx, now());
    const [, previousId] = vault.keyIds;
    if (previousId !== undefined && isPreviousLeaked) await setKeyLeaked(trx, previousId);
    const ring = await listKeyRing(trx);
    const previousRow = ring.find(({ key_id }) => key_id === previousId);
    return {
      vault: createVault(current, {
        previous,
        previousSignsUntil: isPreviousLeaked ? undefined : signsUntil(ring, previousRow),
        retired: retiredKeys(vault, ring),
      }),
      previousIs: previousId === undefined ? undefined : previousRow?.resealed_at ? 'removable' : 'needed',
    };
  });
}

async function checkSecrets(vault: Vault, trx: Transaction): Promise<void> {
  const ring = await listKeyRing(trx);
  const missing = ring.find(({ key_id, resealed_at }) => !resealed_at && !vault.keyIds.includes(key_id));
  const isCurrentKnown = ring.some(({ key_id }) => key_id === vault.keyIds[0]);
  if (missing && isCurrentKnown) {
    throw new OperatorError(
      `The database still holds values sealed with the master secret that was set on ${missing.current_since.toISOString()}: ` +
        'set WHORL_SECRET_PREVIOUS to that secret and run "whorl-service secrets reseal".',
    );
  }
  if (missing || (ring.length === 0 && !(await canOpenStoredValue(vault, trx)))) {
    throw new OperatorError(
      'The database was sealed with another master secret: set WHORL_SECRET to that secret, or, to replace it, ' +
        'WHORL_SECRET_PREVIOUS.',
    );
  }
}

/** Returns whether the secrets can open values stored by a version without a key ring; true if there are none. */
async function canOpenStoredValue(vault: Vault, trx: Transaction): Promise<boolean> {
  const sealed = await findAnySealed(trx);
  if (!sealed) return true;
  try {
    vault.open(sealed, 'project.signing_key');
    return true;
  } catch (error) {
    if (error instanceof UnsealError) return false;
    throw error;
  }
}

async function enterSecrets(vault: Vault, trx: Transaction, now: Date): Promise<void> {
  const ring = await listKeyRing(trx);
  const [currentId, previousId] = vault.keyIds;
  const [newest] = ring;
  if (newest?.key_id === currentId) return;
  // A version without a key ring may have used the previous secret. Otherwise it was added when it was the current one.
  if (!newest && previousId !== undefined) {
    await insertKeyRing(trx, { key_id: previousId, ...rowFor(vault, previousId, now) });
  }
  // Keeps this secret the newest even if clocks differ.
  const since = new Date(Math.max(now.getTime(), (newest?.current_since ?? now).getTime() + 1));
  const row = rowFor(vault, currentId, since);
  const isKnown = ring.some(({ key_id }) => key_id === currentId);
  await (isKnown ? reviveKey(trx, currentId, row) : insertKeyRing(trx, { key_id: currentId, ...row }));
}

function rowFor(vault: Vault, keyId: string, since: Date): { lookup_keys: Uint8Array; current_since: Date } {
  return { lookup_keys: sealLookupKeys(vault, keyId), current_since: since };
}

function sealLookupKeys(vault: Vault, keyId: string): Uint8Array {
  const keys = vault.lookupKeys(keyId);
  if (!keys) throw new Error(`The master secret ${keyId} is not set.`);
  const stored = { index: keys.index.toString('base64'), code: keys.code.toString('base64') };
  return vault.seal(JSON.stringify(stored), lookupKeysContext);
}

/** Returns the look-up keys of secrets that are no longer set. */
function retiredKeys(vault: Vault, ring: readonly KeyRingRow[]): LookupKeys[] {
  return ring.flatMap(({ key_id, lookup_keys }) => {
    if (!lookup_keys || vault.keyIds.includes(key_id)) return [];
    return storedLookupKeys.parse(JSON.parse(vault.open(lookup_keys, lookupKeysContext)));
  });
}

/**
 * Returns the time until which device tokens signed with the previous secret are accepted: until the last of them has
 * expired.
 */
function signsUntil([newest]: readonly KeyRingRow[], previous: KeyRingRow | undefined): Date | undefined {
  // A secret that was never current is the next one, which other processes already use or soon will.
  if (!previous) return maxDate;
  if (previous.leaked || !newest) return undefined;
  return new Date(newest.current_since.getTime() + deviceTokenHours * hourMs);
}
