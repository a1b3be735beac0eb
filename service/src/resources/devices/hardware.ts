import type { Device, DeviceStatus, HardwareInfo, Page } from 'whorl/wire';
import type { PageRequest } from '../../ground/db/paging.js';
import { dayMs } from '../../ground/time.js';
import type { Caller, Service } from '../service.js';
import { toDevice } from './present.js';
import { countHardware, fingerprintsOfDevices, listDevicesOfHardware, sizesOfHardware } from './queries/hardware.js';
import { readFingerprint } from './rules/fingerprint-text.js';
import { hardwareIdOf } from './rules/hardware-id.js';

/** Hardware of an evaluation, and the number of its users at the network. */
export interface HardwareAtNetwork extends HardwareInfo {
  hardware_users_today_at_network?: number;
}

/**
 * Returns the hardware of a fingerprint, and the number of its users at a network. Returns nothing, and reads nothing, if
 * the project's setting is off or the fingerprint is missing or has too few facets.
 *
 * @param options.network Network whose users are counted. Default: users are not counted.
 * @param options.isRecorded Whether a device with this fingerprint is recorded. Default: false.
 */
export async function hardwareOf(
  service: Service,
  { worldId, settings }: Caller,
  text: string | undefined,
  { network, isRecorded = false }: { readonly network?: string | null | undefined; readonly isRecorded?: boolean } = {},
): Promise<HardwareAtNetwork> {
  if (!settings.hardware_id || text === undefined) return {};
  const fingerprint = readFingerprint(text);
  const { hardwareKey } = fingerprint;
  const hardwareId = hardwareIdOf(worldId, fingerprint);
  if (hardwareId === undefined || hardwareKey === undefined) return {};
  const dayAgo = new Date(service.now().getTime() - dayMs);
  const lookup = { worldId, hardwareId, hardwareKey, network: network ?? null, dayAgo, isRecorded };
  const { devices, users } = await countHardware(service.db, lookup);
  return {
    hardware_id: hardwareId,
    hardware_devices: devices,
    ...(users !== null && { hardware_users_today_at_network: users }),
  };
}

/** Returns devices with their hardware; unchanged if the project's setting is off. */
export async function withHardware(
  { db }: Service,
  { worldId, settings }: Caller,
  devices: readonly Device[],
): Promise<Device[]> {
  if (!settings.hardware_id || devices.length === 0) return [...devices];
  const rows = await fingerprintsOfDevices(
    db,
    worldId,
    devices.map(({ _id }) => _id),
  );
  const ids = new Map(rows.map(({ id, fingerprint }) => [id, hardwareIdOf(worldId, readFingerprint(fingerprint))]));
  const known = [...new Set(ids.values())].filter((id) => id !== undefined);
  const sizes = known.length > 0 ? await sizesOfHardware(db, worldId, known) : new Map<string, number>();
  return devices.map((device) => {
    const id = ids.get(device._id);
    return id === undefined ? device : { ...device, hardware_id: id, hardware_devices: sizes.get(id) ?? 0 };
  });
}

/** Returns the devices of all users with the same hardware, newest first (`GET /v2/devices`). Empty for an unknown ID. */
export async function listHardwareDevices(
  service: Service,
  caller: Caller,
  query: PageRequest & { readonly hardware_id: string; readonly status?: DeviceStatus | undefined },
): Promise<Page<Device>> {
  const { page, limit } = query;
  const { rows, total } = await listDevicesOfHardware(service.db, caller.worldId, query);
  const devices = rows.map((row) => toDevice(caller, row, row));
  return { data: await withHardware(service, caller, devices), page, limit, total };
}
