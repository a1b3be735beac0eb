import { validate as isUuid } from 'uuid';
import type { ChallengeDevices, DeviceHash } from 'whorl/wire';
import { openClaim } from '../claims/content.js';
import { readClaimedChallenge } from '../claims/views.js';
import { type DeviceRow, findDevice } from '../devices/queries/devices.js';
import { ApiError } from '../errors.js';
import { listAttachedDevices } from '../evaluation/queries/sharing.js';
import { findVariantFingerprint } from '../linking/queries/variants.js';
import type { Caller, Database, Service } from '../service.js';
import type { UserRow } from '../users/queries/users.js';
import { toDevice } from './views.js';
import { findEither } from './with-challenge.js';

/** Lists the devices of a challenge's user that count towards the limit, the one seen last first; at most 100. */
export async function challengeDevices(service: Service, caller: Caller, id: string): Promise<ChallengeDevices> {
  const user = await userOf(service, caller, id);
  if (!user) return { data: [] };
  const devices = await listAttachedDevices(service.db, caller.worldId, user.id);
  return { data: devices.map((device) => toDevice(caller, device, user)) };
}

/**
 * Returns the newest fingerprint of a device of the challenge's user: by it a page tells which of the devices it is
 * itself.
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
  const device = await findDeviceOfUser(service.db, caller, user?.id, deviceId);
  return { device_id: device.id, hash: await findVariantFingerprint(service.db, caller.worldId, device.variant_id) };
}

/**
 * Finds one device of a user; another user's is as if it did not exist.
 *
 * @throws {ApiError} `not_found`
 */
export async function findDeviceOfUser(
  db: Database,
  { worldId }: Caller,
  userId: string | undefined,
  deviceId: string,
  options?: { readonly lock: boolean },
): Promise<DeviceRow> {
  const device = isUuid(deviceId) ? await findDevice(db, worldId, deviceId, options) : undefined;
  if (!device || device.user_id !== userId) {
    throw new ApiError('not_found', { detail: 'The user has no device with this id.' });
  }
  return device;
}

/** The user of a challenge; undefined for a claim of a user that does not exist. */
async function userOf(
  service: Service,
  caller: Caller,
  id: string,
): Promise<Pick<UserRow, 'id' | 'external_id'> | undefined> {
  const { challenge, claim } = await findEither(service.db, caller, id);
  if (challenge) {
    const { user_id, external_user } = challenge;
    return user_id === null ? undefined : { id: user_id, external_id: external_user };
  }
  const { user } = await readClaimedChallenge(service.db, caller, claim && openClaim(service, claim));
  return user;
}
