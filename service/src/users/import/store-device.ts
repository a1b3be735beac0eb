import { isDeepStrictEqual } from 'node:util';
import type { ImportedDevice } from 'whorl/wire';
import { changeDevice, type DeviceRow, findDeviceOfIdentity } from '../../devices/queries/devices.js';
import { deviceInfo } from '../../devices/rules/info.js';
import { countDevice, insertDevice } from '../../evaluation/queries/evaluation-writes.js';
import { type Recognition, recognise } from '../../linking/recognise.js';
import { readFingerprint } from '../../linking/rules/fingerprint-text.js';
import { mergedMetadata, mergeMetadata } from '../../metadata.js';
import type { Caller, Service } from '../../service.js';
import { coverVariant } from '../queries/imports.js';
import type { HeldUser } from '../with-user.js';

export interface StoredDevice {
  readonly isChanged: boolean;
  /** Reason why the device was not attached or trusted as requested. */
  readonly leftOut?: string;
}

/**
 * Attaches a device that is known from elsewhere, and trusts it if requested. An existing device keeps its status: an
 * import must not restore a device that was detached or blocked, or that has an open challenge.
 */
export async function storeDevice(
  held: HeldUser,
  service: Service,
  caller: Caller,
  imported: ImportedDevice,
): Promise<StoredDevice> {
  const { trx, user } = held;
  const recognition = await recognise(trx, service, caller, {
    fingerprint: readFingerprint(imported.fingerprint),
    last: imported.last_fingerprint,
    user: user.external_id,
  });
  const device = await findDeviceOfIdentity(trx, user.world_id, user.id, recognition.identityId);
  if (!device) {
    await addDevice(held, service, caller, imported, recognition);
    return { isChanged: true };
  }
  const hasNewMetadata = await storeMetadata(held, service, device, imported);
  if (device.status === 'attached') {
    const isNewlyTrusted = imported.trusted === true && (await trust(held, service, device, recognition.variantId));
    return { isChanged: hasNewMetadata || isNewlyTrusted };
  }
  // A device that was detached for inactivity keeps its trust.
  if (device.auto_detached) return { isChanged: hasNewMetadata };
  return { isChanged: hasNewMetadata, leftOut: `is ${device.status} for this user and was not changed` };
}

async function addDevice(
  { trx, user }: HeldUser,
  service: Service,
  { worldId }: Caller,
  { metadata, trusted = false }: ImportedDevice,
  { identityId, variantId, fingerprint }: Recognition,
): Promise<void> {
  const id = service.newId();
  const at = service.now();
  await insertDevice(trx, {
    ...{ id, worldId, userId: user.id, identityId, variantId, trusted, at },
    status: 'attached',
    info: deviceInfo(fingerprint.parsed),
    ip: null,
    network: null,
  });
  await countDevice(trx, worldId, fingerprint.hardwareKey);
  await coverVariant(trx, worldId, id, variantId);
  if (metadata) await changeDevice(trx, { world_id: worldId, id }, { metadata: mergedMetadata({}, metadata) }, at);
}

async function storeMetadata(
  { trx }: HeldUser,
  { now }: Service,
  device: DeviceRow,
  { metadata }: ImportedDevice,
): Promise<boolean> {
  const { metadata: current } = device;
  if (!metadata || isDeepStrictEqual(mergeMetadata(current, metadata), current)) return false;
  await changeDevice(trx, device, { metadata: mergedMetadata(current, metadata) }, now());
  return true;
}

async function trust({ trx }: HeldUser, { now }: Service, device: DeviceRow, variantId: string): Promise<boolean> {
  const { id, world_id, trusted } = device;
  const isNewlyCovered = await coverVariant(trx, world_id, id, variantId);
  if (!trusted) await changeDevice(trx, device, { trusted: true }, now());
  return isNewlyCovered || !trusted;
}
