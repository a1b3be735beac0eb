import type { Device, Metadata } from 'whorl/wire';
import { mergedMetadata } from '../metadata.js';
import type { Caller, Service } from '../service.js';
import { toDevice } from './present.js';
import { changeDevice } from './queries/devices.js';
import { withDevice } from './with-device.js';

/**
 * Merges changes into a device's metadata, key by key; null removes a key (`POST /v2/device/:id/metadata`).
 *
 * @throws {ApiError} `not_found`; `invalid_request` if the metadata would exceed 16 KiB.
 */
export async function mergeMetadata(service: Service, caller: Caller, id: string, changes: Metadata): Promise<Device> {
  return withDevice(service, caller, id, async ({ work, device, user }) => {
    const metadata = mergedMetadata(device.metadata, changes);
    return toDevice(caller, await changeDevice(work.db, device, { metadata }, service.now()), user);
  });
}
