import { type Selectable, sql, type Updateable } from 'kysely';
import { validate as isUuid } from 'uuid';
import type { UserTable } from '../../db/schema/index.js';
import type { Database, Transaction } from '../../service.js';

export type UserRow = Selectable<UserTable>;

/** The primary key of a user. */
export type UserKey = Pick<UserRow, 'world_id' | 'id'>;

/** The user that the customer's identifier names, or else the service's. */
export async function findUser(db: Database, worldId: string, name: string): Promise<UserRow | undefined> {
  return db
    .selectFrom('users')
    .selectAll()
    .where('world_id', '=', worldId)
    .where((builder) =>
      isUuid(name)
        ? builder.or([builder('external_id', '=', name), builder('id', '=', name)])
        : builder('external_id', '=', name),
    )
    .orderBy((builder) => builder('external_id', '=', name), 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** The user of the customer's identifier, as rows carry it. */
export async function findUserByExternalId(
  db: Database,
  worldId: string,
  externalId: string,
): Promise<UserRow | undefined> {
  return db
    .selectFrom('users')
    .selectAll()
    .where('world_id', '=', worldId)
    .where('external_id', '=', externalId)
    .executeTakeFirst();
}

/** The user of the service's id; with `keep`, it is not erased before the transaction ends. */
export async function findUserById(
  db: Database,
  worldId: string,
  id: string,
  { keep = false } = {},
): Promise<UserRow | undefined> {
  const query = db.selectFrom('users').selectAll().where('world_id', '=', worldId).where('id', '=', id);
  return (keep ? query.forKeyShare() : query).executeTakeFirst();
}

export async function findUsersByIds(db: Database, worldId: string, ids: readonly string[]): Promise<UserRow[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom('users')
    .selectAll()
    .where('world_id', '=', worldId)
    .where('id', 'in', [...ids])
    .execute();
}

export async function changeUser(
  db: Database,
  worldId: string,
  id: string,
  changes: Pick<
    Updateable<UserTable>,
    'email' | 'email_mark' | 'phone' | 'phone_mark' | 'metadata' | 'status' | 'suspension' | 'updated_at'
  >,
): Promise<UserRow> {
  return db
    .updateTable('users')
    .set(changes)
    .where('world_id', '=', worldId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Counts one more revocation of a user who is locked. Returns the count. */
export async function countRevocation(trx: Transaction, worldId: string, id: string): Promise<number> {
  const { revocations } = await trx
    .updateTable('users')
    .set({ revocations: sql<number>`revocations + 1` })
    .where('world_id', '=', worldId)
    .where('id', '=', id)
    .returning('revocations')
    .executeTakeFirstOrThrow();
  return revocations;
}
