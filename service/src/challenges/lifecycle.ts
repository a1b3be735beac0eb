import type { Challenge, CompleteChallengeRequest, SkipCause, Success } from 'whorl/wire';
import { openClaim, userOfClaim } from '../evaluation/claims/content.js';
import { type ClaimRow, skipClaims } from '../evaluation/claims/queries.js';
import { claimedChallengeView } from '../evaluation/claims/views.js';
import { acceptEvaluations } from '../evaluation/queries/evaluations.js';
import { lockUser } from '../ground/db/locks.js';
import { dayMs } from '../ground/time.js';
import { loadChallengeView } from '../resources/challenges/present.js';
import { type ChallengeRow, changeChallenge } from '../resources/challenges/queries.js';
import { addDeviceKey } from '../resources/devices/queries/device-keys.js';
import { addDeviceVariant, touchAddress } from '../resources/devices/queries/device-writes.js';
import { changeDevice, findDevice } from '../resources/devices/queries/devices.js';
import { afterCompletion } from '../resources/devices/rules/changes.js';
import { emit } from '../resources/events/emit.js';
import { recordNotice } from '../resources/notices/record.js';
import { type Caller, inTransaction, type Service, type UnitOfWork } from '../resources/service.js';
import { findUserByExternalId } from '../resources/users/queries/users.js';
import {
  findChallengeOrClaim,
  type HeldChallenge,
  requireNotRevoked,
  requireTransition,
  withChallenge,
} from './with-challenge.js';

/** Records that the user sees the challenge, and returns it. The first time, emits `challenge.viewed`. */
export async function openChallenge(service: Service, caller: Caller, id: string): Promise<Challenge> {
  return withChallenge(service, caller, id, async ({ work, challenge, user }) => {
    const view = await loadChallengeView(work, challenge);
    if (challenge.opened_at) return view;
    await changeChallenge(work.db, challenge.world_id, challenge.id, { opened_at: service.now() });
    await emit(work, 'challenge.viewed', { challenge: view }, { userId: user.id });
    return view;
  });
}

/**
 * Completes a challenge (docs/challenges.md): trusts the address, and the device with the challenged fingerprint and the
 * key that was proved with it. If no code was sent, the customer verified the user by other means; `method` names them,
 * and is accepted also if a code was sent. Completing a challenge again changes nothing.
 *
 * @throws {ApiError} `not_found`, `challenge_closed`, `challenge_not_verified`; `evaluation_superseded` if the device or
 *   the user has been revoked since.
 */
export async function completeChallenge(
  service: Service,
  caller: Caller,
  id: string,
  { method }: CompleteChallengeRequest = {},
): Promise<Success> {
  return withChallenge(service, caller, id, async (held) => {
    const { work, challenge, user } = held;
    const now = service.now();
    requireTransition(challenge, method === undefined ? 'complete' : 'complete_by_method', now);
    if (challenge.status === 'completed') return { success: true };
    await requireNotRevoked(held);
    const completed = await changeChallenge(work.db, challenge.world_id, challenge.id, {
      status: 'completed',
      completed_at: now,
      sending_until: null,
      ...(method !== undefined && { verified_by: method, verified_at: challenge.verified_at ?? now }),
    });
    await trustDevice(work, challenge);
    await trustAddress(held);
    await acceptEvaluations(work.db, {
      worldId: challenge.world_id,
      userId: user.id,
      challengeId: challenge.id,
      since: challenge.created_at,
    });
    const view = await loadChallengeView(work, completed);
    await emit(work, 'challenge.completed', { challenge: view }, { userId: user.id });
    return { success: true };
  });
}

async function trustDevice(
  work: UnitOfWork,
  { device_id, variant_id, key_thumbprint: thumbprint, ip }: ChallengeRow,
): Promise<void> {
  const { worldId } = work.caller;
  const now = work.now();
  const device = device_id === null ? undefined : await findDevice(work.db, worldId, device_id, { lock: true });
  const change = device && afterCompletion(device);
  if (!device || !change || variant_id === null) return;
  await changeDevice(work.db, device, change, now);
  await addDeviceVariant(work.db, worldId, device.id, variant_id);
  if (thumbprint !== null) await addDeviceKey(work.db, { deviceId: device.id, worldId, thumbprint, at: now });
  if (device.trusted) return;
  const about = { userId: device.user_id, deviceId: device.id, info: device.info, ip: ip ?? undefined };
  await recordNotice(work, { kind: 'new_device', ...about });
}

async function trustAddress({ work, challenge, user }: HeldChallenge): Promise<void> {
  const { network } = challenge;
  if (network === null) return;
  const { worldId, settings } = work.caller;
  const now = work.now();
  const trustedUntil = new Date(now.getTime() + settings.address_trust_days * dayMs);
  await touchAddress(work.db, { userId: user.id, worldId, network, at: now, trustedUntil });
}

/**
 * Closes a challenge without granting trust; the device stays `pending`. Skipping a challenge again changes nothing. The
 * challenge of a claim is closed without carrying out the claim. The skip is then announced only if the user disowned it.
 *
 * @throws {ApiError} `not_found`; `challenge_closed` if it is completed or has expired; `evaluation_superseded` if the user
 *   is erased at the same time.
 */
export async function skipChallenge(service: Service, caller: Caller, id: string, cause?: SkipCause): Promise<Success> {
  const { claim } = await findChallengeOrClaim(service.db, caller, id);
  if (claim) return skipClaimed(service, caller, { id, row: claim, cause });
  return withChallenge(service, caller, id, async ({ work, challenge, user }) => {
    requireTransition(challenge, 'skip', service.now());
    if (challenge.status === 'skipped') return { success: true };
    const skipped = await changeChallenge(work.db, challenge.world_id, challenge.id, {
      status: 'skipped',
      sending_until: null,
    });
    const view = await loadChallengeView(work, skipped);
    await emit(work, 'challenge.skipped', { challenge: view, ...(cause && { cause }) }, { userId: user.id });
    return { success: true };
  });
}

/** Closes the challenge of a claim. The customer learns of it only from a user who got its code, never from a stranger. */
async function skipClaimed(
  service: Service,
  caller: Caller,
  { id, row, cause }: { readonly id: string; readonly row: ClaimRow; readonly cause: SkipCause | undefined },
): Promise<Success> {
  const { worldId } = caller;
  return inTransaction(service, caller, async (work) => {
    const claim = openClaim(work, row);
    if (claim) await lockUser(work.db, worldId, userOfClaim(claim));
    const isSkipped = await skipClaims(work.db, worldId, id);
    const user = claim && (await findUserByExternalId(work.db, worldId, userOfClaim(claim)));
    if (!isSkipped || !cause || !user) return { success: true };
    const skipped = { ...claim, row: { ...row, status: 'skipped' as const } };
    const challenge = await claimedChallengeView(work, { claim: skipped, user });
    await emit(work, 'challenge.skipped', { challenge, cause }, { userId: user.id });
    return { success: true };
  });
}
