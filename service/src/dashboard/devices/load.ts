import { validate as isUuid } from 'uuid';
import type { Device, DeviceStatus } from 'whorl/wire';
import { toDevice } from '../../challenges/views.js';
import { findDevice } from '../../devices/queries/devices.js';
import { findVariants } from '../../linking/queries/recognition.js';
import { digestOf } from '../../linking/recognise.js';
import type { Caller, Service } from '../../service.js';
import { type Part, type Position, partOf, partSize } from '../position-rules.js';
import { findIdentity, listDeviceRowsOf, listDevicesOfIdentity, type NamedDeviceRow } from './queries.js';

/** The devices of a world in one status, the one seen last first. */
export async function listDevices(
  service: Service,
  caller: Caller,
  status: DeviceStatus,
  from: Position,
): Promise<Part<Device>> {
  return listed(caller, await listDeviceRowsOf(service.db, { worldId: caller.worldId, status }, from, partSize + 1));
}

/**
 * The devices that share one fingerprint identity, of whichever users, the one seen last first; undefined where the world
 * has no such identity.
 */
export async function listSharingDevices(
  service: Service,
  caller: Caller,
  fingerprintId: string,
  from: Position,
): Promise<Part<Device> | undefined> {
  const { worldId } = caller;
  const identityId = isUuid(fingerprintId) ? await findIdentity(service.db, worldId, fingerprintId) : undefined;
  if (identityId === undefined) return undefined;
  return listed(caller, await listDevicesOfIdentity(service.db, { worldId, identityId }, from, partSize + 1));
}

function listed(caller: Caller, found: readonly NamedDeviceRow[]): Part<Device> {
  const { rows, next } = partOf(found, ({ id, last_seen_at }) => ({ at: last_seen_at, id }));
  return { rows: rows.map((row) => toDevice(caller, row, row)), next };
}

/** What a search for a device found: one, or an identity that several may share. */
export type FoundDevice = { readonly deviceId: string } | { readonly fingerprintId: string };

/** Finds a device by its id, or an identity by its id or by one of its fingerprints. */
export async function findDevices(
  service: Service,
  { worldId }: Caller,
  text: string,
): Promise<FoundDevice | undefined> {
  const { db } = service;
  if (isUuid(text)) {
    const device = await findDevice(db, worldId, text);
    if (device) return { deviceId: device.id };
    const identityId = await findIdentity(db, worldId, text);
    if (identityId !== undefined) return { fingerprintId: identityId };
  }
  const [variant] = await findVariants(db, worldId, digestOf(text));
  return variant && { fingerprintId: variant.identityId };
}
