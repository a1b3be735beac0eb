import { sql } from 'kysely';
import type { Database } from '../../service.js';
import type { UserRow } from '../../users/queries/users.js';
import { newest } from '../newest-queries.js';
import type { Position } from '../position-rules.js';

/** Users of a world, newest first, from behind one of them. */
export async function listUserRows(db: Database, worldId: string, { id }: Position, limit: number): Promise<UserRow[]> {
  const { rows } = await sql<UserRow>`
    select * from users where world_id = ${worldId} and id < ${id}
    order by id desc limit ${sql.lit(limit)}
  `.execute(db);
  return rows;
}

/** Greater than all that may come behind the beginning of a text. */
const lastCharacter = '\u{10FFFF}';

/** Users whose external id begins with a text, in the order of its bytes, from behind one of them. */
export async function listUsersNamedLike(
  db: Database,
  worldId: string,
  { beginning, after, limit }: { readonly beginning: string; readonly after: string; readonly limit: number },
): Promise<UserRow[]> {
  const { rows } = await sql<UserRow>`
    select * from users
    where world_id = ${worldId}
      and external_id collate "C" >= ${beginning} and external_id collate "C" < ${beginning + lastCharacter}
      and external_id collate "C" > ${after}
    order by external_id collate "C" limit ${sql.lit(limit)}
  `.execute(db);
  return rows;
}

/** Users of a contact, by its keyed marks; an empty list finds nobody. */
export async function listUsersOfContact(
  db: Database,
  worldId: string,
  column: 'email_mark' | 'phone_mark',
  { marks, limit }: { readonly marks: readonly Uint8Array[]; readonly limit: number },
): Promise<UserRow[]> {
  if (marks.length === 0) return [];
  return db
    .selectFrom('users')
    .selectAll()
    .where('world_id', '=', worldId)
    .where(column, 'in', [...marks])
    .where(column, 'is not', null)
    .limit(limit)
    .execute();
}

/** A user, and when it was last seen at an address. */
export type UserAtAddressRow = UserRow & { readonly seen_at: Date };

/** Users seen in a network, the one seen last first. */
export async function listUsersAtAddress(
  db: Database,
  worldId: string,
  network: string,
  { from, limit }: { readonly from: Position; readonly limit: number },
): Promise<UserAtAddressRow[]> {
  const { behind, first } = newest(from, limit, { time: 'seen_at', key: 'user_id' });
  const { rows } = await sql<UserAtAddressRow>`
    select u.*, a.seen_at from (
      select user_id, seen_at from user_addresses
      where world_id = ${worldId} and network = ${network} and ${behind} ${first}
    ) a join users u on u.world_id = ${worldId} and u.id = a.user_id
    order by a.seen_at desc, a.user_id desc limit ${sql.lit(limit)}
  `.execute(db);
  return rows;
}
