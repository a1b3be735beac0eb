import type { Database } from '../service.js';

/** Returns the account that one of these blind indexes of an identity is linked to. */
export async function findLinkedAdmin(db: Database, marks: readonly Uint8Array[]): Promise<string | undefined> {
  const row = await db.selectFrom('admin_identities').select('admin_id').where('mark', 'in', marks).executeTakeFirst();
  return row?.admin_id;
}

export async function insertIdentity(
  db: Database,
  identity: { readonly mark: Uint8Array; readonly adminId: string; readonly now: Date },
): Promise<void> {
  const { mark, adminId, now } = identity;
  await db.insertInto('admin_identities').values({ mark, admin_id: adminId, created_at: now }).execute();
}

/** Returns whether an account is linked to an identity. */
export async function isLinked(db: Database, adminId: string): Promise<boolean> {
  const row = await db
    .selectFrom('admin_identities')
    .select('admin_id')
    .where('admin_id', '=', adminId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns the IDs of all accounts that are linked to an identity. */
export async function listLinkedAdmins(db: Database): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('admin_identities').select('admin_id').execute();
  return new Set(rows.map(({ admin_id }) => admin_id));
}
