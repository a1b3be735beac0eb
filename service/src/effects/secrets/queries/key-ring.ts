import { type Insertable, type Selectable, sql } from 'kysely';
import type { KeyRingTable } from '../../../ground/db/schema/index.js';
import type { Database, Transaction } from '../../../resources/service.js';

export type KeyRingRow = Selectable<KeyRingTable>;

/** Serialises transactions that change the key ring. */
export async function lockKeyRing(trx: Transaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('key_ring', 0))`.execute(trx);
}

/** Returns the entries of all master secrets used with this database, the newest first. */
export function listKeyRing(db: Database): Promise<KeyRingRow[]> {
  return db.selectFrom('key_ring').selectAll().orderBy('current_since', 'desc').orderBy('key_id').execute();
}

export async function insertKeyRing(db: Database, row: Insertable<KeyRingTable>): Promise<void> {
  await db.insertInto('key_ring').values(row).execute();
}

/** Records that an earlier secret is current again: from now on values are sealed with it. */
export async function reviveKey(db: Database, keyId: string, row: { lookup_keys: Uint8Array; current_since: Date }) {
  await db
    .updateTable('key_ring')
    .set({ ...row, resealed_at: null })
    .where('key_id', '=', keyId)
    .execute();
}

export async function setKeyLeaked(db: Database, keyId: string): Promise<void> {
  await db.updateTable('key_ring').set({ leaked: true }).where('key_id', '=', keyId).execute();
}

/** Records that no values are sealed with any other secret. */
export async function setKeysResealed(db: Database, { except, now }: { except: string; now: Date }): Promise<void> {
  await db
    .updateTable('key_ring')
    .set({ resealed_at: now })
    .where('key_id', '<>', except)
    .where('resealed_at', 'is', null)
    .execute();
}

/**
 * Deletes the look-up keys of secrets that have not sealed anything since a time, unless a blind index of an erased
 * user or of a failed attempt needs them.
 */
export async function removeUnusedLookupKeys(
  db: Database,
  { before, except }: { before: Date; except: readonly string[] },
): Promise<void> {
  const unused = await db
    .selectFrom('key_ring')
    .select(['key_id', 'resealed_at'])
    .where('lookup_keys', 'is not', null)
    .where('resealed_at', '<', before)
    .where(sql<boolean>`key_id <> all(${[...except]}::text[])`)
    .execute();
  // One by one: a distributed database does not join worlds with a table of the installation.
  for (const { key_id, resealed_at } of unused) {
    if (await isNeeded(db, key_id, resealed_at)) continue;
    await db.updateTable('key_ring').set({ lookup_keys: null }).where('key_id', '=', key_id).execute();
  }
}

async function isNeeded(db: Database, keyId: string, resealedAt: Date | null): Promise<boolean> {
  const { rows } = await sql<{ needed: boolean }>`
    select exists (
      select 1 from worlds w join marks m on m.world_id = w.id where m.key_id = ${keyId} or m.key_id is null
    ) or exists (
      select 1 from worlds w join evaluations e on e.world_id = w.id
      where e.outcome = 'failed' and e.user_index is not null and e.created_at < ${resealedAt}
    ) as needed
  `.execute(db);
  return rows[0]?.needed === true;
}

/** Returns a sealed signing key for testing a secret; undefined if there is none. */
export async function findAnySealed(db: Database): Promise<Uint8Array | undefined> {
  const key = await db.selectFrom('signing_keys').select('private_key').orderBy('created_at').executeTakeFirst();
  return key?.private_key;
}
