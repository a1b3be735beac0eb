import { sql } from 'kysely';
import { newestFirst } from '../../ground/db/newest-queries.js';
import type { Position } from '../../ground/db/position-rules.js';
import type { Database } from '../../resources/service.js';
import type { UserRow } from '../../resources/users/queries/users.js';

/** Sorts after every other character. */
const lastCharacter = '\u{10FFFF}';

/** Returns users whose external ID begins with a text, in byte order, after the external ID `after`. */
export async function listUsersNamedLike(
  db: Database,
  worldId: string,
  { prefix, after, limit }: { readonly prefix: string; readonly after: string; readonly limit: number },
): Promise<UserRow[]> {
  const { rows } = await sql<UserRow>`
    select * from users
    where world_id = ${worldId}
      and external_id collate "C" >= ${prefix} and external_id collate "C" < ${prefix + lastCharacter}
      and external_id collate "C" > ${after}
    order by external_id collate "C" limit ${sql.lit(limit)}
  `.execute(db);
  return rows;
}

/** Returns the users of a contact, by its blind indexes. An empty list finds nobody. */
export async function listUsersOfContact(
  db: Database,
  worldId: string,
  column: 'email_mark' | 'phone_mark',
  { blindIndexes, limit }: { readonly blindIndexes: readonly Uint8Array[]; readonly limit: number },
): Promise<UserRow[]> {
  if (blindIndexes.length === 0) return [];
  return db
    .selectFrom('users')
    .selectAll()
    .where('world_id', '=', worldId)
    .where(column, 'in', [...blindIndexes])
    .where(column, 'is not', null)
    .limit(limit)
    .execute();
}

/** User, and when they were last seen at an address. */
export type UserAtAddressRow = UserRow & { readonly seen_at: Date };

/** Returns users seen in a network, most recently seen first. */
export async function listUsersAtAddress(
  db: Database,
  worldId: string,
  network: string,
  { from, limit }: { readonly from: Position; readonly limit: number },
): Promise<UserAtAddressRow[]> {
  const { behind, first } = newestFirst(from, limit, { time: 'seen_at', key: 'user_id' });
  const { rows } = await sql<UserAtAddressRow>`
    select u.*, a.seen_at from (
      select user_id, seen_at from user_addresses
      where world_id = ${worldId} and network = ${network} and ${behind} ${first}
    ) a join users u on u.world_id = ${worldId} and u.id = a.user_id
    order by a.seen_at desc, a.user_id desc limit ${sql.lit(limit)}
  `.execute(db);
  return rows;
}
