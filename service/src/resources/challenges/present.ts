import type { Challenge, ChallengeSummary, DeviceLimit } from 'whorl/wire';
import { loadDeviceLimit } from '../devices/present.js';
import type { Caller, Database, Service, UnitOfWork } from '../service.js';
import { toUserSummary } from '../users/present.js';
import { findUserById, type UserRow } from '../users/queries/users.js';
import type { ChallengeRow } from './queries.js';
import { channelsOf } from './rules/channels.js';
import { needsOwnFactor } from './rules/own-factor.js';
import { statusAt } from './rules/states.js';

export function toChallengeSummary(service: Service, row: ChallengeRow, user: UserRow): ChallengeSummary {
  return {
    _id: row.id,
    user: toUserSummary(service, user),
    status: statusAt(row, service.now()),
    reasons: row.reasons,
    ...(row.tags && { tags: row.tags }),
    createdAt: row.created_at.toISOString(),
  };
}

function toChallenge(
  service: Service & { readonly caller: Caller },
  row: ChallengeRow,
  user: UserRow,
  limit: DeviceLimit,
): Challenge {
  return {
    ...toChallengeSummary(service, row, user),
    limit,
    channels: needsOwnFactor(service.caller.settings, row) ? [] : channelsOf(user, service.sender.channels),
    action: row.action,
    ...(row.device_id !== null && { device_id: row.device_id }),
    ...(row.ip !== null && { ip: row.ip }),
    ...(row.sent_at && { sent_at: row.sent_at.toISOString() }),
    ...(row.verified_at && { verified_at: row.verified_at.toISOString() }),
    ...(row.completed_at && { completed_at: row.completed_at.toISOString() }),
    verified_by: row.verified_by,
    expires_at: row.expires_at.toISOString(),
  };
}

/** Returns a challenge in the form of the API, with its user. Every challenge has a user once it is emitted. */
export async function loadChallengeView(work: UnitOfWork<Database>, row: ChallengeRow): Promise<Challenge> {
  const { db, caller } = work;
  const user = row.user_id === null ? undefined : await findUserById(db, caller.worldId, row.user_id);
  if (!user) throw new Error('The user of a challenge was not found.');
  return toChallenge(work, row, user, await loadDeviceLimit(db, caller, user.id, row.device_id ?? undefined));
}
