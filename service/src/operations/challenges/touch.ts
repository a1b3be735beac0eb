import { validate as isUuid } from 'uuid';
import { deviceInfo } from '../../domain/devices/info.js';
import { statusAfter } from '../../domain/devices/status-after.js';
import { readFingerprint } from '../../domain/linking/fingerprint-text.js';
import { ApiError } from '../../errors.js';
import type { Caller, Service, Transaction } from '../../service.js';
import { type ChallengeRow, findChallenge } from '../../store/queries/challenges.js';
import { changeDevice, findDeviceOfIdentity } from '../../store/queries/devices.js';
import { countDevice, insertDevice, insertUser } from '../../store/queries/evaluation-writes.js';
import { lockUser } from '../../store/queries/locks.js';
import { findUserByExternalId, type UserRow } from '../../store/queries/users.js';
import { findVariantFingerprint } from '../../store/queries/variants.js';
import { announceChallenge } from './announce.js';

/** A challenge in the hands of the secret key: locked, with its user. */
export interface TouchedChallenge {
  readonly trx: Transaction;
  readonly challenge: ChallengeRow;
  readonly user: UserRow;
}

/**
 * Works on one challenge in a transaction of its own, alone with its user. What a publishable key claimed becomes a
 * challenge here: see `touchClaim`.
 *
 * @throws {ApiError} `not_found`
 */
export async function withChallenge<Result>(
  service: Service,
  caller: Caller,
  id: string,
  act: (touched: TouchedChallenge) => Promise<Result>,
): Promise<Result> {
  const held = await hold(service, caller, id, act);
  // What was a claim is a challenge now, also where the operation is then refused.
  return held ? held.result : withChallenge(service, caller, id, act);
}

/** Answers undefined where all that could be done was to touch a claim. */
async function hold<Result>(
  service: Service,
  caller: Caller,
  id: string,
  act: (touched: TouchedChallenge) => Promise<Result>,
): Promise<{ readonly result: Result } | undefined> {
  return service.db.transaction().execute(async (trx) => {
    const { external_user } = await mustFind(trx, caller, id);
    await lockUser(trx, caller.worldId, external_user);
    const challenge = await mustFind(trx, caller, id, { lock: true });
    const user = await findUserByExternalId(trx, caller.worldId, challenge.external_user);
    if (challenge.announced_at && user) return { result: await act({ trx, challenge, user }) };
    await touchClaim(trx, service, caller, challenge, user);
    return undefined;
  });
}

/**
 * What the secret key's first touch makes of a claim: user and device come to be, the user without the contacts that
 * were claimed, the device waiting for its challenge, and Challenge initiated is told.
 */
async function touchClaim(
  trx: Transaction,
  service: Service,
  caller: Caller,
  challenge: ChallengeRow,
  known: UserRow | undefined,
): Promise<void> {
  const userId = known?.id ?? (await makeUser(trx, service, caller, challenge.external_user));
  const deviceId = await makeDevice(trx, service, caller, challenge, userId);
  await announceChallenge(trx, service, caller, challenge.id, { userId, deviceId });
}

async function makeUser(trx: Transaction, service: Service, { worldId }: Caller, externalId: string): Promise<string> {
  const id = service.newId();
  const at = service.now();
  await insertUser(trx, {
    id,
    world_id: worldId,
    external_id: externalId,
    metadata: '{}',
    status: 'active',
    created_at: at,
    updated_at: at,
  });
  return id;
}

/** The device that was challenged. One that the user has keeps what it has, but waits again where it was detached. */
async function makeDevice(
  trx: Transaction,
  service: Service,
  { worldId }: Caller,
  challenge: ChallengeRow,
  userId: string,
): Promise<string> {
  const at = service.now();
  const device = await findDeviceOfIdentity(trx, userId, challenge.identity_id);
  const standing = device && { status: device.status, autoDetached: device.auto_detached };
  const status = statusAfter('challenge', standing, true) ?? 'pending';
  if (device) {
    if (status !== device.status) await changeDevice(trx, device.id, { status, detached_at: null }, at);
    return device.id;
  }
  const { parsed, hardwareKey } = readFingerprint(await findVariantFingerprint(trx, challenge.variant_id));
  const id = service.newId();
  await insertDevice(trx, {
    id,
    worldId,
    userId,
    identityId: challenge.identity_id,
    variantId: challenge.variant_id,
    status,
    info: deviceInfo(parsed),
    trusted: false,
    ip: challenge.ip,
    network: challenge.network,
    at,
  });
  await countDevice(trx, worldId, hardwareKey);
  return id;
}

async function mustFind(
  trx: Transaction,
  { worldId }: Caller,
  id: string,
  options?: { readonly lock: boolean },
): Promise<ChallengeRow> {
  const challenge = isUuid(id) ? await findChallenge(trx, worldId, id, options) : undefined;
  if (!challenge) throw new ApiError('not_found', { detail: 'There is no challenge of this id.' });
  return challenge;
}
