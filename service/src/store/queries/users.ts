import type { Selectable } from 'kysely';
import { validate as isUuid } from 'uuid';
import type { Database } from '../../service.js';
import type { UserTable } from '../schema.js';

export type UserRow = Selectable<UserTable>;

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

export async function findUserById(db: Database, worldId: string, id: string): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('world_id', '=', worldId).where('id', '=', id).executeTakeFirst();
}
