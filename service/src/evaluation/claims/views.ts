import type { Challenge, EvaluationRecord } from 'whorl/wire';
import { noSuch } from '../../ground/errors.js';
import { channelsOf } from '../../resources/challenges/rules/channels.js';
import { needsOwnFactor } from '../../resources/challenges/rules/own-factor.js';
import { loadDeviceLimit } from '../../resources/devices/present.js';
import { findDeviceOfIdentity } from '../../resources/devices/queries/devices.js';
import type { Caller, Database, Service, UnitOfWork } from '../../resources/service.js';
import { toUserSummary } from '../../resources/users/present.js';
import { findUserByExternalId, type UserRow } from '../../resources/users/queries/users.js';
import { maskEmail, maskPhone } from '../../resources/users/rules/mask.js';
import { decidedBy } from '../rules/decision.js';
import { type Claim, userOfClaim } from './content.js';

/**
 * Returns the evaluation that a page claimed, in the form of `GET /v2/evaluations/:id`, with contacts masked. A claim does
 * not store what is known about its address, so it is looked up now.
 */
export function claimRecord({ addresses }: Service, { row, createdAt, content }: Claim): EvaluationRecord {
  const { request, verdict, findings, decisions, proof, observed_verdict } = content;
  const { fingerprint, last_fingerprint, version, ip, email, phone, user_agent, metadata = {} } = request;
  const address = ip === undefined || content.is_address_shared ? undefined : addresses.lookUp(ip);
  return {
    evaluation_id: row.id,
    action: request.action,
    ...(request.user !== undefined && { user: request.user }),
    ...(fingerprint !== undefined && { fingerprint }),
    ...(last_fingerprint !== undefined && { last_fingerprint }),
    ...(version !== undefined && { version }),
    ...(ip !== undefined && { ip }),
    ...(address && { address }),
    ...(email !== undefined && { email: maskEmail(email) }),
    ...(phone !== undefined && { phone: maskPhone(phone) }),
    ...(user_agent !== undefined && { user_agent }),
    metadata,
    outcome: request.outcome ?? 'succeeded',
    verdict,
    ...(observed_verdict && { observed_verdict }),
    reasons: findings.map(({ reason }) => reason),
    ...(decisions && { decided_by: decidedBy(decisions, { action: request.action, verdict }) }),
    evidence: findings,
    fingerprint_id: content.fingerprint_id,
    ...(row.challenge_id !== null && { challenge_id: row.challenge_id }),
    confidence: content.confidence,
    matched_by: content.matched_by,
    changed: [...content.changed],
    claimed: true,
    ...(proof && { proof }),
    createdAt: createdAt.toISOString(),
  };
}

/** Current challenge of a claim, with the user that it names, if that user exists. */
export interface ClaimedChallenge {
  readonly claim: Claim;
  readonly user: UserRow | undefined;
}

/**
 * Finds the user that a claim names. Changes nothing.
 *
 * @throws {ApiError} `not_found` if the user was erased.
 */
export async function readClaimedChallenge(
  db: Database,
  { worldId }: Caller,
  claim: Claim | undefined,
): Promise<ClaimedChallenge> {
  if (!claim) throw noSuch('challenge');
  return { claim, user: await findUserByExternalId(db, worldId, userOfClaim(claim)) };
}

/** Returns the challenge of a claim that has not taken effect, in the form of `GET /v2/challenges/:id`. */
export async function claimedChallengeView(
  work: UnitOfWork<Database>,
  { claim, user }: ClaimedChallenge,
): Promise<Challenge> {
  const { db, caller } = work;
  const { row, createdAt, content } = claim;
  const { request, findings, fingerprint_id, expires_at, user_id } = content;
  const device = user && (await findDeviceOfIdentity(db, user.world_id, user.id, fingerprint_id));
  const isExpired = work.now() >= new Date(expires_at);
  const reasons = findings.map(({ reason }) => reason);
  const offersCodes = user && !needsOwnFactor(caller.settings, { methods: null, reasons });
  return {
    _id: row.challenge_id ?? '',
    user: user ? toUserSummary(work, user) : { _id: user_id, external_id: userOfClaim(claim) },
    limit: await loadDeviceLimit(db, caller, user?.id, device?.id),
    status: row.status === 'skipped' ? 'skipped' : isExpired ? 'expired' : 'pending',
    reasons,
    channels: offersCodes ? channelsOf(user, work.sender.channels) : [],
    createdAt: createdAt.toISOString(),
    action: request.action,
    ...(device && { device_id: device.id }),
    ...(request.ip !== undefined && { ip: request.ip }),
    verified_by: null,
    expires_at,
  };
}
