import { sql } from 'kysely';
import type { Database } from '../service.js';

/** What an account can prove itself with after the password. */
export interface FactorsRow {
  readonly totp_secret: Uint8Array | null;
  readonly totp_pending: Uint8Array | null;
  readonly passkeys: number;
  readonly recovery_codes: number;
}

export function findFactors(db: Database, adminId: string): Promise<FactorsRow> {
  return db
    .selectFrom('admins')
    .select(['totp_secret', 'totp_pending'])
    .select((eb) => [
      eb
        .selectFrom('admin_passkeys as p')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('p.admin_id', '=', adminId)
        .$asScalar()
        .$notNull()
        .as('passkeys'),
      eb
        .selectFrom('admin_recovery_codes as r')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('r.admin_id', '=', adminId)
        .$asScalar()
        .$notNull()
        .as('recovery_codes'),
    ])
    .where('id', '=', adminId)
    .executeTakeFirstOrThrow();
}

export async function savePendingTotp(db: Database, adminId: string, secret: Uint8Array): Promise<void> {
  await db.updateTable('admins').set({ totp_pending: secret }).where('id', '=', adminId).execute();
}

/** Makes the secret that is being set up the one of the account. `step`: time step of the code that confirmed it. */
export async function confirmTotp(db: Database, adminId: string, step: number): Promise<void> {
  await db
    .updateTable('admins')
    .set({ totp_secret: sql`totp_pending`, totp_pending: null, totp_step: step })
    .where('id', '=', adminId)
    .where('totp_pending', 'is not', null)
    .execute();
}

export async function removeTotp(db: Database, adminId: string): Promise<void> {
  await db
    .updateTable('admins')
    .set({ totp_secret: null, totp_pending: null, totp_step: null })
    .where('id', '=', adminId)
    .execute();
}

/** Records that the code of a time step was used. Returns false if it, or a later one, was used before. */
export async function spendTotpStep(db: Database, adminId: string, step: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('admins')
    .set({ totp_step: step })
    .where('id', '=', adminId)
    .where((eb) => eb.or([eb('totp_step', 'is', null), eb('totp_step', '<', step)]))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Replaces the recovery codes of an account. */
export async function saveRecoveryCodes(db: Database, adminId: string, hashes: readonly Uint8Array[]): Promise<void> {
  await db.deleteFrom('admin_recovery_codes').where('admin_id', '=', adminId).execute();
  if (hashes.length === 0) return;
  await db
    .insertInto('admin_recovery_codes')
    .values(hashes.map((hash) => ({ hash, admin_id: adminId })))
    .execute();
}

/** Uses up a recovery code. Returns false if the account has no such code. */
export async function spendRecoveryCode(db: Database, adminId: string, hash: Uint8Array): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('admin_recovery_codes')
    .where('admin_id', '=', adminId)
    .where('hash', '=', hash)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export interface PasskeyRow {
  readonly id: string;
  readonly public_key: string;
  readonly counter: number;
  readonly transports: string[];
  readonly name: string;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
}

export async function listPasskeyRows(db: Database, adminId: string): Promise<PasskeyRow[]> {
  const rows = await db
    .selectFrom('admin_passkeys')
    .select(['id', 'public_key', 'counter', 'transports', 'name', 'created_at', 'last_used_at'])
    .where('admin_id', '=', adminId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({ ...row, counter: Number(row.counter) }));
}

/** Returns the IDs of all accounts that have a passkey. */
export async function listAdminsWithPasskeys(db: Database): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('admin_passkeys').select('admin_id').distinct().execute();
  return new Set(rows.map(({ admin_id }) => admin_id));
}

export async function insertPasskey(
  db: Database,
  {
    adminId,
    now,
    ...row
  }: Pick<PasskeyRow, 'id' | 'public_key' | 'counter' | 'transports' | 'name'> & {
    readonly adminId: string;
    readonly now: Date;
  },
): Promise<void> {
  await db
    .insertInto('admin_passkeys')
    .values({ ...row, transports: JSON.stringify(row.transports), admin_id: adminId, created_at: now })
    .execute();
}

/** Records a use of a passkey. Returns false if it was removed meanwhile, or its counter was used before. */
export async function usePasskey(
  db: Database,
  {
    id,
    counter,
    before,
    now,
  }: { readonly id: string; readonly counter: number; readonly before: number; readonly now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('admin_passkeys')
    .set({ counter, last_used_at: now })
    .where('id', '=', id)
    .where('counter', '=', before)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Deletes a passkey of an account. Returns its name; undefined if there is none. */
export async function removePasskey(db: Database, adminId: string, id: string): Promise<string | undefined> {
  const row = await db
    .deleteFrom('admin_passkeys')
    .where('admin_id', '=', adminId)
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst();
  return row?.name;
}

export async function removeFactors(db: Database, adminId: string): Promise<void> {
  await removeTotp(db, adminId);
  await db.deleteFrom('admin_passkeys').where('admin_id', '=', adminId).execute();
  await db.deleteFrom('admin_recovery_codes').where('admin_id', '=', adminId).execute();
}

export async function findInstallationSetting(db: Database, name: string): Promise<unknown> {
  const row = await db.selectFrom('installation_settings').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value;
}

export async function saveInstallationSetting(db: Database, name: string, value: boolean): Promise<void> {
  const json = JSON.stringify(value);
  await db
    .insertInto('installation_settings')
    .values({ name, value: json })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: json }))
    .execute();
}
