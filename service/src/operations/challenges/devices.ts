import { validate as isUuid } from 'uuid';
import type { ChallengeDevices, DeviceHash } from 'whorl/wire';
import { ApiError } from '../../errors.js';
import type { Caller, Service } from '../../service.js';
import { type DeviceRow, findDevice } from '../../store/queries/devices.js';
import { listAttachedDevices } from '../../store/queries/sharing.js';
import { findVariantFingerprint } from '../../store/queries/variants.js';
import { toDevice } from '../views.js';
import { type TouchedChallenge, withChallenge } from './touch.js';

/** The devices of a challenge's user that count towards the limit, the one seen last first; at most 100. */
export async function challengeDevices(service: Service, caller: Caller, id: string): Promise<ChallengeDevices> {
  return withChallenge(service, caller, id, async ({ trx, user }) => {
    const devices = await listAttachedDevices(trx, caller.worldId, user.id);
    return { data: devices.map((device) => toDevice(caller, device)) };
  });
}

/**
 * The newest fingerprint of a device of the challenge's user: by it a page tells which of the devices it is itself.
 *
 * @throws {ApiError} `not_found`
 */
export async function challengeDeviceHash(
  service: Service,
  caller: Caller,
  id: string,
  deviceId: string,
): Promise<DeviceHash> {
  return withChallenge(service, caller, id, async (touched) => {
    const device = await findDeviceOfChallenge(caller, touched, deviceId);
    return { device_id: device.id, hash: await findVariantFingerprint(touched.trx, device.variant_id) };
  });
}

/**
 * One device of the challenge's user; another user's is as if it did not exist.
 *
 * @throws {ApiError} `not_found`
 */
export async function findDeviceOfChallenge(
  { worldId }: Caller,
  { trx, user }: TouchedChallenge,
  deviceId: string,
): Promise<DeviceRow> {
  const device = isUuid(deviceId) ? await findDevice(trx, worldId, deviceId, { lock: true }) : undefined;
  if (device?.user_id !== user.id) throw new ApiError('not_found', { detail: 'The user has no device of this id.' });
  return device;
}
