import type { DeviceSuccess } from 'whorl/wire';
import { ApiError } from '../../ground/errors.js';
import type { Caller, Service } from '../service.js';
import { detach } from './detaching.js';
import { toDevice } from './present.js';
import { withDevice } from './with-device.js';

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
  { user: expectedUser }: { readonly user?: string | undefined } = {},
): Promise<DeviceSuccess> {
  return withDevice(service, caller, id, async ({ work, device, user }) => {
    if (expectedUser !== undefined && expectedUser !== user.external_id) {
      throw new ApiError('not_found', { detail: 'The user has no device with this id.' });
    }
    const detached = await detach(work, { device, user }, 'detach');
    return { success: true, device: toDevice(caller, detached, user) };
  });
}
