import { z } from 'zod';
import { createVault, deviceTokenHours, type LookupKeys, UnsealError, type Vault } from '../crypto/index.js';
import { OperatorError } from '../operator-error.js';
import type { Service, Transaction } from '../service.js';
import { hourMs } from '../time.js';
import {
  findAnySealed,
  insertKeyRing,
  type KeyRingRow,
  listKeyRing,
  lockKeyRing,
  reviveKey,
  setKeyLeaked,
} from './queries/key-ring.js';

/** The master secrets that the operator set. */
export interface MasterSecrets {
  readonly current: string;
  readonly previous?: string | undefined;
  /** Whether the previous one leaked: then nothing that it signed is accepted. */
  readonly isPreviousLeaked: boolean;
}

export interface OpenedVault {
  readonly vault: Vault;
  /** What the previous secret is still needed for; undefined where none is set. */
  readonly previousIs: 'needed' | 'removable' | undefined;
}

const forEver = new Date(8.64e15);
export const lookupKeysContext = 'key_ring.lookup_keys';

const base64 = z.base64().transform((text) => Buffer.from(text, 'base64'));
const storedLookupKeys = z.object({ index: base64, code: base64 });

/**
 * Creates the vault from the master secrets and the key ring, and enters a secret that is new there. Without this, a wrong
 * secret would show only at the first request, after values had been sealed with it.
 *
 * @throws OperatorError where the database holds values that neither secret opens.
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
  if (missing || (ring.length === 0 && !(await opensAnything(vault, trx)))) {
    throw new OperatorError(
      'The database was sealed with another master secret: set WHORL_SECRET to that secret, or, to replace it, ' +
        'WHORL_SECRET_PREVIOUS.',
    );
  }
}

/** Returns whether the secrets open what a version without a key ring left; true where it left nothing. */
async function opensAnything(vault: Vault, trx: Transaction): Promise<boolean> {
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
  // A version without a key ring may have used the previous one. Otherwise it was entered when it was the current one.
  if (!newest && previousId !== undefined) {
    await insertKeyRing(trx, { key_id: previousId, ...rowFor(vault, previousId, now) });
  }
  // The newest one even where clocks differ.
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

/** Returns the keys of secrets that are no longer set. */
function retiredKeys(vault: Vault, ring: readonly KeyRingRow[]): LookupKeys[] {
  return ring.flatMap(({ key_id, lookup_keys }) => {
    if (!lookup_keys || vault.keyIds.includes(key_id)) return [];
    return storedLookupKeys.parse(JSON.parse(vault.open(lookup_keys, lookupKeysContext)));
  });
}

/** Returns until when device tokens of the previous secret are accepted: as long as the last of them lives. */
function signsUntil([newest]: readonly KeyRingRow[], previous: KeyRingRow | undefined): Date | undefined {
  // Never the current one: it is the next one, with which other processes have begun or will begin.
  if (!previous) return forEver;
  if (previous.leaked || !newest) return undefined;
  return new Date(newest.current_since.getTime() + deviceTokenHours * hourMs);
}
