import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import { validate as isUuid } from 'uuid';
import type { UserTable } from '../../../ground/db/schema/index.js';
import { statement } from '../../../ground/db/statement.js';
import type { Database, Transaction } from '../../service.js';

export type UserRow = Selectable<UserTable>;

/** Primary key of a user. */
export type UserKey = Pick<UserRow, 'world_id' | 'id'>;

/** Returns a user by the customer's ID or, if none matches, by the service's. */
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

/** Returns a user by the customer's ID. */
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

/** Returns a user by the service's ID. `keep` prevents its erasure until the transaction ends. */
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

const insertUserRow = statement<Insertable<UserTable>>()`
  insert into users (
    id, world_id, external_id, email, email_mark, phone, phone_mark, metadata, status, created_at, updated_at
  ) values (
    ${'id'}, ${'world_id'}, ${'external_id'}, ${'email'}, ${'email_mark'}, ${'phone'}, ${'phone_mark'}, ${'metadata'},
    ${'status'}, ${'created_at'}, ${'updated_at'}
  )`;

export async function insertUser(db: Database, user: Insertable<UserTable>): Promise<void> {
  await insertUserRow(db, user);
}

/** Adds contacts from a request that the user does not have yet. Existing ones are changed only by updating the user. */
export async function addContacts(
  db: Database,
  { worldId, userId }: { readonly worldId: string; readonly userId: string },
  contacts: Partial<Pick<Insertable<UserTable>, 'email' | 'email_mark' | 'phone' | 'phone_mark'>>,
  at: Date,
): Promise<void> {
  await db
    .updateTable('users')
    .set({ ...contacts, updated_at: at })
    .where('world_id', '=', worldId)
    .where('id', '=', userId)
    .execute();
}

export async function changeUser(
  db: Database,
  worldId: string,
  id: string,
  changes: Pick<
    Updateable<UserTable>,
    | 'email'
    | 'email_mark'
    | 'former_email'
    | 'former_email_until'
    | 'phone'
    | 'phone_mark'
    | 'metadata'
    | 'status'
    | 'suspension'
    | 'disowned_at'
    | 'updated_at'
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

/** Increments a user's number of revocations and returns it. The user must be locked. */
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
