import type {
  Access,
  Challenge,
  ChallengeSummary,
  Device,
  DeviceLimit,
  EvaluationRecord,
  User,
  UserSummary,
} from 'whorl/wire';
import { openRequest } from '../evaluation/normalised-request.js';
import type { EvaluationRow } from '../evaluation/queries/evaluations.js';
import type { ChallengeRow } from '../resources/challenges/queries.js';
import { channelsOf } from '../resources/challenges/rules/channels.js';
import { statusAt } from '../resources/challenges/rules/states.js';
import { type DeviceRow, findLimit } from '../resources/devices/queries/devices.js';
import { deviceLimit } from '../resources/devices/rules/device.js';
import type { Caller, Database, Scope, Service } from '../resources/service.js';
import { findUserById, type UserRow } from '../resources/users/queries/users.js';
import { maskEmail, maskPhone } from '../resources/users/rules/mask.js';

/** World and project that a device is shown in. */
type World = Pick<Caller, 'mode'> & { readonly project: { readonly id: string } };

/** Returns a device in the form of the API. */
export function toDevice({ project, mode }: World, row: DeviceRow, user: Pick<UserRow, 'external_id'>): Device {
  return {
    _id: row.id,
    user: row.user_id,
    external_user: user.external_id,
    project: project.id,
    info: row.info,
    status: row.status,
    metadata: row.metadata,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    __v: row.revision,
    auto_detached: row.auto_detached,
    ...(row.detached_at && { detached_at: row.detached_at.toISOString() }),
    fingerprint_id: row.identity_id,
    trusted: row.trusted || row.whitelisted,
    proven: row.proven,
    whitelisted: row.whitelisted,
    dev: mode === 'test',
    last_seen_at: row.last_seen_at.toISOString(),
    ...(row.last_ip !== null && { last_ip: row.last_ip }),
  };
}

export function toUserSummary(service: Service, row: UserRow): UserSummary {
  return { _id: row.id, external_id: row.external_id, ...maskedContacts(service, row) };
}

export function toUser(service: Service, row: UserRow): User {
  return {
    ...toUserSummary(service, row),
    metadata: row.metadata,
    status: row.status,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

function maskedContacts({ vault }: Service, { email, phone }: UserRow): { email?: string; phone?: string } {
  return {
    ...(email && { email: maskEmail(vault.open(email, 'user.email')) }),
    ...(phone && { phone: maskPhone(vault.open(phone, 'user.phone')) }),
  };
}

export function toChallengeSummary(service: Service, row: ChallengeRow, user: UserRow): ChallengeSummary {
  return {
    _id: row.id,
    user: toUserSummary(service, user),
    status: statusAt(row, service.now()),
    reasons: row.reasons,
    createdAt: row.created_at.toISOString(),
  };
}

export function toChallenge(service: Service, row: ChallengeRow, user: UserRow, limit: DeviceLimit): Challenge {
  return {
    ...toChallengeSummary(service, row, user),
    limit,
    channels: channelsOf(user, service.sender.channels),
    action: row.action,
    ...(row.device_id !== null && { device_id: row.device_id }),
    ...(row.ip !== null && { ip: row.ip }),
    ...(row.sent_at && { sent_at: row.sent_at.toISOString() }),
    ...(row.verified_at && { verified_at: row.verified_at.toISOString() }),
    ...(row.completed_at && { completed_at: row.completed_at.toISOString() }),
    expires_at: row.expires_at.toISOString(),
  };
}

/** Returns a challenge in the form of the API, with its user. Every challenge has a user once it is emitted. */
export async function loadChallengeView(scope: Scope<Database>, row: ChallengeRow): Promise<Challenge> {
  const { db, caller } = scope;
  const user = row.user_id === null ? undefined : await findUserById(db, caller.worldId, row.user_id);
  if (!user) throw new Error('The user of a challenge was not found.');
  return toChallenge(scope, row, user, await loadDeviceLimit(db, caller, user.id, row.device_id ?? undefined));
}

/**
 * Returns the numbers of a user's attached devices, and whether a limit is exceeded with the given device included.
 * Without a user, the numbers are 0.
 */
export async function loadDeviceLimit(
  db: Database,
  { worldId, settings }: Caller,
  userId: string | undefined,
  deviceId: string | undefined,
): Promise<DeviceLimit> {
  const { attached, device } = await findLimit(db, worldId, { userId, deviceId });
  return deviceLimit(
    attached,
    settings.device_limit,
    device && { kind: device.kind, isAttached: device.status === 'attached' },
  );
}

export function toAccess(row: EvaluationRow): Access {
  return {
    _id: row.id,
    ...(row.user_id !== null && { user: row.user_id }),
    ...(row.external_user !== null && { external_user: row.external_user }),
    ...(row.device_id !== null && { device: row.device_id }),
    action: row.action,
    verdict: row.verdict,
    reasons: row.reasons,
    ...(row.ip !== null && { ip: row.ip }),
    createdAt: row.created_at.toISOString(),
  };
}

/** Returns a recorded evaluation in the form of the API, with masked contacts. */
export function toEvaluationRecord(service: Service, row: EvaluationRow): EvaluationRecord {
  const request = openRequest(service, row);
  const { fingerprint, last_fingerprint, version, email, phone, user_agent, agent, metadata = {} } = request;
  return {
    evaluation_id: row.id,
    action: row.action,
    ...(row.external_user !== null && { user: row.external_user }),
    ...(row.user_id !== null && { user_id: row.user_id }),
    ...(fingerprint !== undefined && { fingerprint }),
    ...(last_fingerprint !== undefined && { last_fingerprint }),
    ...(version !== undefined && { version }),
    ...(row.ip !== null && { ip: row.ip }),
    ...(row.address && { address: row.address }),
    ...(email !== undefined && { email: maskEmail(email) }),
    ...(phone !== undefined && { phone: maskPhone(phone) }),
    ...(user_agent !== undefined && { user_agent }),
    ...(agent !== undefined && { agent }),
    metadata,
    outcome: row.outcome,
    verdict: row.verdict,
    ...(row.observed_verdict && { observed_verdict: row.observed_verdict }),
    ...(row.alternative_verdict && { alternative_verdict: row.alternative_verdict }),
    ...(row.risk && { risk: row.risk }),
    reasons: row.reasons,
    evidence: row.findings,
    fingerprint_id: row.identity_id,
    ...(row.device_id !== null && { device_id: row.device_id }),
    ...(row.challenge_id !== null && { challenge_id: row.challenge_id }),
    confidence: row.confidence,
    matched_by: row.matched_by,
    changed: row.changed,
    claimed: row.claimed,
    ...(row.proof !== null && { proof: row.proof }),
    ...(row.consumed_at && { consumed_at: row.consumed_at.toISOString() }),
    ...(row.feedback_label && {
      feedback: { label: row.feedback_label, ...(row.feedback_note !== null && { note: row.feedback_note }) },
    }),
    createdAt: row.created_at.toISOString(),
  };
}
