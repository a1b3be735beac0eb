import type { Challenge, Success } from 'whorl/wire';
import { skipClaims } from '../claims/queries.js';
import { changeDevice, findDevice } from '../devices/queries/devices.js';
import { afterCompletion } from '../devices/rules/changes.js';
import { addDeviceVariant, touchAddress } from '../evaluation/queries/evaluation-writes.js';
import { addDeviceKey } from '../proof/queries.js';
import type { Caller, Service, Transaction } from '../service.js';
import { dayMs } from '../time.js';
import { emit } from '../webhooks/emit.js';
import { type ChallengeRow, changeChallenge } from './queries.js';
import { loadChallengeView } from './views.js';
import { findEither, type HeldChallenge, requireStanding, requireTransition, withChallenge } from './with-challenge.js';

/** Notes that the user sees the challenge, and answers it. The first time, Challenge viewed is told. */
export async function openChallenge(service: Service, caller: Caller, id: string): Promise<Challenge> {
  return withChallenge(service, caller, id, async ({ trx, challenge, user }) => {
    const view = await loadChallengeView(trx, service, caller, challenge);
    if (challenge.opened_at) return view;
    await changeChallenge(trx, challenge.world_id, challenge.id, { opened_at: service.now() });
    await emit(trx, service, caller, 'challenge.viewed', { challenge: view }, { userId: user.id });
    return view;
  });
}

/**
 * Marks a challenge completed (docs/challenges.md): from now on the device, in the fingerprint that was challenged and
 * with the key that was proved then, and the address are trusted. Where no code was sent, the customer has verified the
 * user by its own means. Completing again changes nothing.
 *
 * @throws {ApiError} `not_found`, `challenge_closed`, `challenge_not_verified`, `evaluation_superseded` where the device
 *   or the user was revoked since.
 */
export async function completeChallenge(service: Service, caller: Caller, id: string): Promise<Success> {
  return withChallenge(service, caller, id, async (held) => {
    const { trx, challenge, user } = held;
    const now = service.now();
    requireTransition(challenge, 'complete', now);
    if (challenge.status === 'completed') return { success: true };
    await requireStanding(held);
    const completed = await changeChallenge(trx, challenge.world_id, challenge.id, {
      status: 'completed',
      completed_at: now,
      sending_until: null,
    });
    await trustDevice(trx, service, challenge, caller);
    await trustAddress(caller, held, now);
    const view = await loadChallengeView(trx, service, caller, completed);
    await emit(trx, service, caller, 'challenge.completed', { challenge: view }, { userId: user.id });
    return { success: true };
  });
}

async function trustDevice(
  trx: Transaction,
  service: Service,
  { device_id, variant_id, key_thumbprint: thumbprint }: ChallengeRow,
  { worldId }: Caller,
): Promise<void> {
  const now = service.now();
  const device = device_id === null ? undefined : await findDevice(trx, worldId, device_id, { lock: true });
  const change = device && afterCompletion(device);
  if (!device || !change) return;
  await changeDevice(trx, device, change, now);
  await addDeviceVariant(trx, worldId, device.id, variant_id);
  if (thumbprint !== null) await addDeviceKey(trx, { deviceId: device.id, worldId, thumbprint, at: now });
}

async function trustAddress(
  { worldId, settings }: Caller,
  { trx, challenge, user }: HeldChallenge,
  now: Date,
): Promise<void> {
  const { network } = challenge;
  if (network === null) return;
  const trustedUntil = new Date(now.getTime() + settings.address_trust_days * dayMs);
  await touchAddress(trx, { userId: user.id, worldId, network, at: now, trustedUntil });
}

/**
 * Closes a challenge without trusting anything; the device stays `pending`. Skipping again changes nothing. The challenge
 * of a claim is closed without being taken up: there is nothing to announce.
 *
 * @throws {ApiError} `not_found`, `challenge_closed` where it is completed or expired.
 */
export async function skipChallenge(service: Service, caller: Caller, id: string): Promise<Success> {
  const { claim } = await findEither(service.db, caller, id);
  if (claim) {
    await service.db.transaction().execute((trx) => skipClaims(trx, caller.worldId, id));
    return { success: true };
  }
  return withChallenge(service, caller, id, async ({ trx, challenge, user }) => {
    requireTransition(challenge, 'skip', service.now());
    if (challenge.status === 'skipped') return { success: true };
    const skipped = await changeChallenge(trx, challenge.world_id, challenge.id, {
      status: 'skipped',
      sending_until: null,
    });
    const view = await loadChallengeView(trx, service, caller, skipped);
    await emit(trx, service, caller, 'challenge.skipped', { challenge: view }, { userId: user.id });
    return { success: true };
  });
}
