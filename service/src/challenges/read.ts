import { validate as isUuid } from 'uuid';
import type { Challenge, ChallengeDevices, ChallengeSummary, DeviceHash, Page } from 'whorl/wire';
import { openClaim } from '../evaluation/claims/content.js';
import { claimedChallengeView, readClaimedChallenge } from '../evaluation/claims/views.js';
import { listAttachedDevices } from '../evaluation/queries/sharing.js';
import type { PageRequest, Period } from '../ground/db/paging.js';
import { ApiError } from '../ground/errors.js';
import { findVariantFingerprint } from '../recognition/linking/queries/variants.js';
import { loadChallengeView, toChallengeSummary } from '../resources/challenges/present.js';
import { listChallengeRows } from '../resources/challenges/queries.js';
import { toDevice } from '../resources/devices/present.js';
import { type DeviceRow, findDevice } from '../resources/devices/queries/devices.js';
import { type Caller, type Database, type Service, withoutTransaction } from '../resources/service.js';
import { findUsersByIds, type UserRow } from '../resources/users/queries/users.js';
import { findChallengeOrClaim } from './with-challenge.js';

/**
 * Returns the challenges of the caller's world, newest first (docs/api.md). The challenge of a claim is included once
 * the claim has taken effect.
 */
export async function listChallenges(
  service: Service,
  { worldId }: Caller,
  query: PageRequest & Period,
): Promise<Page<ChallengeSummary>> {
  const { page, limit } = query;
  const { rows, total } = await listChallengeRows(service.db, worldId, query);
  const users = await findUsersByIds(service.db, worldId, [...new Set(rows.flatMap(({ user_id }) => user_id ?? []))]);
  const userOf = new Map(users.map((user) => [user.id, user]));
  const data = rows.flatMap((row) => {
    // A user may be erased between the two queries.
    const user = row.user_id === null ? undefined : userOf.get(row.user_id);
    return user ? [toChallengeSummary(service, row, user)] : [];
  });
  return { data, page, limit, total };
}

/**
 * Returns one challenge (docs/api.md). Reading the challenge of a claim changes nothing.
 *
 * @throws {ApiError} `not_found`
 */
export async function retrieveChallenge(service: Service, caller: Caller, id: string): Promise<Challenge> {
  const { db } = service;
  const { challenge, claim } = await findChallengeOrClaim(db, caller, id);
  if (challenge) return loadChallengeView(withoutTransaction(service, caller), challenge);
  const claimed = await readClaimedChallenge(db, caller, claim && openClaim(service, claim));
  return claimedChallengeView(withoutTransaction(service, caller), claimed);
}

/** Returns the attached devices of a challenge's user, at most 100, most recently seen first. */
export async function challengeDevices(service: Service, caller: Caller, id: string): Promise<ChallengeDevices> {
  const user = await userOf(service, caller, id);
  if (!user) return { data: [] };
  const devices = await listAttachedDevices(service.db, caller.worldId, user.id);
  return { data: devices.map((device) => toDevice(caller, device, user)) };
}

/**
 * Returns the newest fingerprint of a device of the challenge's user, so that a page can find its own device.
 *
 * @throws {ApiError} `not_found`
 */
export async function challengeDeviceHash(
  service: Service,
  caller: Caller,
  id: string,
  deviceId: string,
): Promise<DeviceHash> {
  const user = await userOf(service, caller, id);
  const device = await findDeviceOfUser(service.db, { worldId: caller.worldId, userId: user?.id, deviceId });
  return { device_id: device.id, hash: await findVariantFingerprint(service.db, caller.worldId, device.variant_id) };
}

interface DeviceChoice {
  readonly worldId: string;
  readonly userId: string | undefined;
  readonly deviceId: string;
}

/**
 * Returns one device of a user. Other users' devices are treated as if they did not exist.
 *
 * @throws {ApiError} `not_found`
 */
export async function findDeviceOfUser(
  db: Database,
  { worldId, userId, deviceId }: DeviceChoice,
  options?: { readonly lock: boolean },
): Promise<DeviceRow> {
  const device = isUuid(deviceId) ? await findDevice(db, worldId, deviceId, options) : undefined;
  if (!device || device.user_id !== userId) {
    throw new ApiError('not_found', { detail: 'The user has no device with this id.' });
  }
  return device;
}

/** Returns the user of a challenge; undefined for a claim that names an unknown user. */
async function userOf(
  service: Service,
  caller: Caller,
  id: string,
): Promise<Pick<UserRow, 'id' | 'external_id'> | undefined> {
  const { challenge, claim } = await findChallengeOrClaim(service.db, caller, id);
  if (challenge) {
    const { user_id, external_user } = challenge;
    return user_id === null ? undefined : { id: user_id, external_id: external_user };
  }
  const { user } = await readClaimedChallenge(service.db, caller, claim && openClaim(service, claim));
  return user;
}
