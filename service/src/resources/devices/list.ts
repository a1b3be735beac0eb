import type { Device, DeviceStatus, Page } from 'whorl/wire';
import type { PageRequest } from '../../ground/db/paging.js';
import { type ApiError, noSuch } from '../../ground/errors.js';
import { worldOf } from '../projects/queries/projects.js';
import type { Caller, Service } from '../service.js';
import { findUser, findUserByExternalId } from '../users/queries/users.js';
import { withHardware } from './hardware.js';
import { toDevice } from './present.js';
import { listAllDeviceRows, listDeviceRows } from './queries/devices.js';

/**
 * Returns the devices of a user, the newest first (`GET /v2/user/:id/devices`).
 *
 * @throws {ApiError} `not_found` if the user is unknown.
 */
export async function listUserDevices(
  service: Service,
  caller: Caller,
  userId: string,
  query: PageRequest & { readonly status?: DeviceStatus | undefined; readonly hardware_id?: string | undefined },
): Promise<Page<Device>> {
  const user = await findUser(service.db, caller.worldId, userId);
  if (!user) throw notFound();
  const { rows, total } = await listDeviceRows(service.db, user, query);
  const { page, limit } = query;
  const devices = rows.map((row) => toDevice(caller, row, user));
  const data = await withHardware(service, caller, devices);
  return { data: data.map((device) => withPlace(service, device)), page, limit, total };
}

function withPlace({ addresses }: Service, device: Device): Device {
  const info = device.last_ip === undefined ? undefined : addresses.lookUp(device.last_ip);
  if (!info) return device;
  const { country, region, city } = info;
  const place = { ...(country && { country }), ...(region && { region }), ...(city && { city }) };
  return Object.keys(place).length === 0 ? device : { ...device, last_place: place };
}

export interface LegacyDevicesRequest {
  /** Whether to include whitelisted devices. Default: false. */
  readonly whitelisted?: boolean | undefined;
  /** Whether to return devices of the test world, whichever key is used. Default: false. */
  readonly dev?: boolean | undefined;
}

/**
 * Returns the devices of a user in one array (`GET /v2/proj/user/:id/devices`, see docs/api.md).
 *
 * @throws {ApiError} `not_found` if the user is unknown in the requested worlds.
 */
export async function legacyUserDevices(
  service: Service,
  caller: Caller,
  userId: string,
  { whitelisted = false, dev = false }: LegacyDevicesRequest = {},
): Promise<Device[]> {
  const { db } = service;
  const own = await findUser(db, caller.worldId, userId);
  if (!dev || caller.mode === 'test') {
    if (!own) throw notFound();
    const rows = await listAllDeviceRows(db, own, { whitelisted });
    return rows.map((row) => toDevice(caller, row, own));
  }
  const testWorldId = await worldOf(db, caller.project.id, 'test');
  // A live user has the same `external_id` in the test world.
  const user =
    (await findUser(db, testWorldId, userId)) ??
    (own && (await findUserByExternalId(db, testWorldId, own.external_id)));
  if (!user && !own) throw notFound();
  if (!user) return [];
  const rows = await listAllDeviceRows(db, user, { whitelisted });
  return rows.map((row) => toDevice({ ...caller, mode: 'test' }, row, user));
}

function notFound(): ApiError {
  return noSuch('user');
}
