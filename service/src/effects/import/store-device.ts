import { isDeepStrictEqual } from 'node:util';
import type { ImportedDevice } from 'whorl/wire';
import { type Recognition, recognise } from '../../recognition/linking/recognise.js';
import { countDevice, insertDevice } from '../../resources/devices/queries/device-writes.js';
import { changeDevice, type DeviceRow, findDeviceOfIdentity } from '../../resources/devices/queries/devices.js';
import { deviceInfo } from '../../resources/devices/rules/device.js';
import { readFingerprint } from '../../resources/devices/rules/fingerprint-text.js';
import { mergedMetadata, mergeMetadata } from '../../resources/metadata.js';
import type { HeldUser } from '../../resources/users/with-user.js';
import { coverVariant } from './queries.js';

export interface StoredDevice {
  readonly isChanged: boolean;
  /** Reason why the device was not attached or trusted as requested. */
  readonly leftOut?: string;
}

/**
 * Attaches a device that the customer already knows, and trusts it if requested. An existing device keeps its status: an
 * import must not restore a device that was detached or blocked, or that has an open challenge.
 */
export async function storeDevice(held: HeldUser, imported: ImportedDevice): Promise<StoredDevice> {
  const { work, user } = held;
  const recognition = await recognise(work, {
    fingerprint: readFingerprint(imported.fingerprint),
    last: imported.last_fingerprint,
    user: user.external_id,
  });
  const device = await findDeviceOfIdentity(work.db, user.world_id, user.id, recognition.identityId);
  if (!device) {
    await addDevice(held, imported, recognition);
    return { isChanged: true };
  }
  const hasNewMetadata = await storeMetadata(held, device, imported);
  if (device.status === 'attached') {
    const isNewlyTrusted = imported.trusted === true && (await trust(held, device, recognition.variantId));
    return { isChanged: hasNewMetadata || isNewlyTrusted };
  }
  // A device that was detached for inactivity keeps its trust.
  if (device.auto_detached) return { isChanged: hasNewMetadata };
  return { isChanged: hasNewMetadata, leftOut: `is ${device.status} for this user and was not changed` };
}

async function addDevice(
  { work, user }: HeldUser,
  { metadata, trusted = false }: ImportedDevice,
  { identityId, variantId, fingerprint }: Recognition,
): Promise<void> {
  const { worldId } = work.caller;
  const id = work.newId();
  const at = work.now();
  await insertDevice(work.db, {
    id,
    worldId,
    userId: user.id,
    identityId,
    variantId,
    trusted,
    at,
    status: 'attached',
    info: deviceInfo(fingerprint.parsed),
    ip: null,
    network: null,
  });
  await countDevice(work.db, worldId, fingerprint.hardwareKey);
  await coverVariant(work.db, worldId, id, variantId);
  if (metadata) await changeDevice(work.db, { world_id: worldId, id }, { metadata: mergedMetadata({}, metadata) }, at);
}

async function storeMetadata({ work }: HeldUser, device: DeviceRow, { metadata }: ImportedDevice): Promise<boolean> {
  const { metadata: current } = device;
  if (!metadata || isDeepStrictEqual(mergeMetadata(current, metadata), current)) return false;
  await changeDevice(work.db, device, { metadata: mergedMetadata(current, metadata) }, work.now());
  return true;
}

async function trust({ work }: HeldUser, device: DeviceRow, variantId: string): Promise<boolean> {
  const { id, world_id, trusted } = device;
  const isNewlyCovered = await coverVariant(work.db, world_id, id, variantId);
  if (!trusted) await changeDevice(work.db, device, { trusted: true }, work.now());
  return isNewlyCovered || !trusted;
}
