import type { Database } from '../../resources/service.js';

interface ResetsOfUser {
  readonly worldId: string;
  readonly userId: string;
  readonly since: Date;
}

/** Returns whether a `password_reset` of a user was allowed, or its challenge completed, after a time. */
export async function hasResetPassword(db: Database, { worldId, userId, since }: ResetsOfUser): Promise<boolean> {
  const row = await db
    .selectFrom('evaluations')
    .select('id')
    .where('world_id', '=', worldId)
    .where('user_id', '=', userId)
    .where('action', '=', 'password_reset')
    .where('accepted', '=', true)
    .where('created_at', '>', since)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
