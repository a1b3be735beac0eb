import type { DeviceSuccess } from 'whorl/wire';
import { type Origin, recordInWorld } from '../audit/audit.js';
import type { Caller, Service } from '../service.js';
import { detach } from './detaching.js';
import { toDevice } from './present.js';
import { requireUser, withDevice } from './with-device.js';

/**
 * Detaches a device and removes its trust (`POST /v2/device/:id/detach`). A device that is already detached or blocked
 * keeps its status.
 *
 * @throws {ApiError} `not_found`, also if `user` is set and is not the device's user.
 */
export async function detachDevice(
  service: Service,
  caller: Caller,
  id: string,
  request: { readonly user?: string | undefined },
  origin: Origin,
): Promise<DeviceSuccess> {
  return withDevice(service, caller, id, async ({ work, device, user }) => {
    requireUser(user, request);
    const detached = await detach(work, { device, user }, 'detach');
    const response = toDevice(caller, detached, user);
    if (detached !== device) {
      const changes = { status: { from: device.status, to: response.status } };
      await recordInWorld(work, { ...origin, kind: 'detach', userId: user.id, subject: device.id, changes });
    }
    return { success: true, device: response };
  });
}
