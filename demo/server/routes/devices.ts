import type { Device } from 'whorl/wire';
import type { ListedDevice } from '../api.js';
import type { Demo, Handler, Visit } from '../demo.js';
import { text } from '../http/fields.js';
import { Refusal } from '../http/refusal.js';
import { sessionAt } from './session.js';

/** GET /api/devices: all of the visitor's own that are not signed out. */
export const listDevices: Handler = async (demo, visit) => {
  const { session } = sessionAt(demo, visit, 'signed_in');
  const { data } = await demo.whorl.users.devices(session.userId, { limit: 100 });
  const devices = data
    .filter(({ status }) => status !== 'detached')
    .map((device) => toListed(device, session.judged.deviceId));
  return { status: 200, answer: { devices } };
};

/**
 * POST /api/devices/sign-out: the service forgets the device, and its trust; here its sessions end. The service checks
 * that it is the visitor's.
 */
export const signOutDevice: Handler = async (demo, visit) => {
  const { userId, device, isThis } = readChosen(demo, visit);
  await demo.whorl.devices.detach(device, { user: userId });
  demo.sessions.endDevice(userId, device);
  return isThis
    ? { status: 200, answer: { logIn: { step: 'signed_out' } }, session: null }
    : listDevices(demo, { ...visit, fields: {} });
};

/** POST /api/devices/block and /api/devices/unblock: whatever a blocked device asks for is refused. */
const changeBlock =
  (status: 'blocked' | 'attached'): Handler =>
  async (demo, visit) => {
    const { userId, device, isThis } = readChosen(demo, visit);
    if (isThis) throw new Refusal(409, 'own_device', 'This device cannot block itself.');
    await checkOwner(demo, userId, device);
    await demo.whorl.devices.update(device, { status });
    if (status === 'blocked') demo.sessions.endDevice(userId, device);
    return listDevices(demo, { ...visit, fields: {} });
  };
export const blockDevice = changeBlock('blocked');
export const unblockDevice = changeBlock('attached');

function readChosen(demo: Demo, visit: Visit) {
  const { session } = sessionAt(demo, visit, 'signed_in');
  const device = text(visit.fields, 'device', 64);
  return { userId: session.userId, device, isThis: device === session.judged.deviceId };
}

/** An update takes any device of the project; whose it is, is for the application to check. */
async function checkOwner({ whorl }: Demo, userId: string, device: string): Promise<void> {
  const { data } = await whorl.users.devices(userId, { limit: 100 });
  if (!data.some(({ _id }) => _id === device)) throw new Refusal(404, 'not_found', 'You have no such device.');
}

function toListed(device: Device, ownId: string | undefined): ListedDevice {
  const { _id, info, status, trusted, proven, last_seen_at, last_ip } = device;
  return {
    id: _id,
    label: info.label,
    kind: info.kind,
    status,
    trusted,
    proven,
    lastSeenAt: last_seen_at,
    ...(last_ip && { lastIp: last_ip }),
    isThis: _id === ownId,
  };
}
