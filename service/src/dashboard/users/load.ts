import type { UserStatus, UserSummary } from 'whorl/wire';
import { toUserSummary } from '../../challenges/views.js';
import type { Caller, Service } from '../../service.js';
import type { UserRow } from '../../users/queries/users.js';
import { type Part, type Position, partOf, partSize } from '../position-rules.js';
import { listUserRows } from './queries.js';

/** A user as a list shows it; its contacts are masked. */
export interface ListedUser extends UserSummary {
  readonly status: UserStatus;
  readonly createdAt: Date;
  /** When it was seen last at the address that was searched for. */
  readonly seenAt?: Date | undefined;
}

export function toListedUser(service: Service, row: UserRow, seenAt?: Date): ListedUser {
  return { ...toUserSummary(service, row), status: row.status, createdAt: row.created_at, seenAt };
}

/** The users of a world, newest first. */
export async function listUsers(service: Service, { worldId }: Caller, from: Position): Promise<Part<ListedUser>> {
  const found = await listUserRows(service.db, worldId, from, partSize + 1);
  const { rows, next } = partOf(found, ({ id, created_at }) => ({ at: created_at, id }));
  return { rows: rows.map((row) => toListedUser(service, row)), next };
}
