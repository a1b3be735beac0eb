import type { CursorPage, User } from 'whorl/wire';
import { parsePosition, partOf, printPosition, start } from '../../../ground/db/position-rules.js';
import type { Caller, Service } from '../../service.js';
import { toUser } from '../present.js';
import { findMatchingUsers, type UserQuery } from './search.js';

/** Returns users that match all filters, newest first, and where the next page begins (`GET /v2/users`). */
export async function listUsers(
  service: Service,
  caller: Caller,
  query: UserQuery,
  { cursor, limit }: { readonly cursor?: string | undefined; readonly limit: number },
): Promise<CursorPage<User>> {
  const from = (cursor === undefined ? undefined : parsePosition(cursor)) ?? start;
  const { rows: found, stoppedAt } = await findMatchingUsers(service, caller, query, { from, limit: limit + 1 });
  const { rows, next = stoppedAt } = partOf(found, ({ id, created_at }) => ({ at: created_at, id }), limit);
  return { data: rows.map((row) => toUser(service, row)), ...(next && { next_cursor: printPosition(next) }) };
}
