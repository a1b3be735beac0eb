import type { DeviceSuccess } from 'whorl/wire';
import { ApiError } from '../ground/errors.js';
import { channelsOf, explainNoChannel } from '../resources/challenges/rules/channels.js';
import { needsOwnFactor, ownFactorDetail } from '../resources/challenges/rules/own-factor.js';
import { detach } from '../resources/devices/detaching.js';
import { toDevice } from '../resources/devices/present.js';
import type { Caller, Service } from '../resources/service.js';
import { findDeviceOfUser } from './read.js';
import { type HeldChallenge, requireNotRevoked, requireTransition, withChallenge } from './with-challenge.js';

/**
 * Detaches another device of the challenge's user to make room for the challenged one. As with completing a challenge, a
 * code that was sent must be verified first. Users to whom no code can be sent cannot be verified and cannot kick.
 *
 * @throws {ApiError} `not_found`, `challenge_closed`, `challenge_not_verified`, `no_channel`, `own_factor_required`;
 *   `invalid_request` for the challenged device itself.
 */
export async function kickDevice(
  service: Service,
  caller: Caller,
  id: string,
  deviceId: string,
): Promise<DeviceSuccess> {
  return withChallenge(service, caller, id, async (held) => {
    const { work, challenge, user } = held;
    requireTransition(challenge, 'kick', service.now());
    await requireNotRevoked(held);
    requireVerifiable(service, held);
    const device = await findDeviceOfUser(
      work.db,
      { worldId: caller.worldId, userId: user.id, deviceId },
      { lock: true },
    );
    if (device.id === challenge.device_id) {
      throw new ApiError('invalid_request', {
        errors: [{ path: 'device', message: 'is the challenged device; choose another device of the user' }],
      });
    }
    const kicked = await detach(work, { device, user }, 'kick');
    return { success: true, device: toDevice(caller, kicked, user) };
  });
}

function requireVerifiable({ sender: { channels } }: Service, { work, challenge, user }: HeldChallenge): void {
  if (challenge.verified_at) return;
  if (needsOwnFactor(work.caller.settings, challenge)) {
    throw new ApiError('own_factor_required', { detail: ownFactorDetail });
  }
  if (channelsOf(user, channels).length > 0) return;
  const reason = explainNoChannel(user, channels, undefined);
  throw new ApiError('no_channel', { detail: `A user who cannot be verified cannot kick a device. ${reason}` });
}
