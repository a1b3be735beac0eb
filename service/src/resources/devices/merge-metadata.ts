import type { Device, Metadata } from 'whorl/wire';
import { type Origin, recordInWorld } from '../audit/audit.js';
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
export async function mergeMetadata(
  service: Service,
  caller: Caller,
  id: string,
  { changes, origin }: { readonly changes: Metadata; readonly origin: Origin },
): Promise<Device> {
  return withDevice(service, caller, id, async ({ work, device, user }) => {
    const metadata = mergedMetadata(device.metadata, changes);
    const changed = await changeDevice(work.db, device, { metadata }, service.now());
    const about = { userId: user.id, subject: device.id, details: { keys: Object.keys(changes).length } };
    await recordInWorld(work, { ...origin, ...about, kind: 'device_metadata_changed' });
    return toDevice(caller, changed, user);
  });
}
