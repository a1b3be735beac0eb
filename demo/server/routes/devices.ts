import type { Device } from 'whorl/wire';
import type { ListedDevice } from '../api.js';
import type { DemoContext, Handler } from '../demo.js';
import { Refusal } from '../http/errors.js';
import { text } from '../http/fields.js';
import { endSession, sessionAt } from './session.js';

/** GET /api/devices: the visitor's devices, except signed-out ones. */
export const listDevices: Handler = async (c) => {
  const { session } = sessionAt(c, 'signed_in');
  const { data } = await c.var.demo.whorl.users.devices(session.userId, { limit: 100 });
  const devices = data
    .filter(({ status }) => status !== 'detached')
    .map((device) => toListed(device, session.judged.deviceId));
  return c.json({ devices });
};

/**
 * POST /api/devices/sign-out: the service removes the device and its trust, and this server ends its sessions. The
 * service checks that the device belongs to the visitor.
 */
export const signOutDevice: Handler = async (c) => {
  const { whorl, sessions } = c.var.demo;
  const { userId, device, isThis } = chosenDevice(c);
  await whorl.devices.detach(device, { user: userId });
  sessions.endDevice(userId, device);
  return isThis ? endSession(c) : listDevices(c);
};

/** POST /api/devices/block: from then on, the service denies every evaluation from the device. */
export const blockDevice: Handler = async (c) => {
  const { userId, device } = await changeStatus(c, 'blocked');
  c.var.demo.sessions.endDevice(userId, device);
  return listDevices(c);
};

/** POST /api/devices/unblock */
export const unblockDevice: Handler = async (c) => {
  await changeStatus(c, 'attached');
  return listDevices(c);
};

async function changeStatus(c: DemoContext, status: 'blocked' | 'attached') {
  const { whorl } = c.var.demo;
  const { userId, device, isThis } = chosenDevice(c);
  if (isThis) throw new Refusal(409, 'own_device', 'This device cannot block itself.');
  // An update accepts any device of the project, so the application has to check the owner.
  const { data } = await whorl.users.devices(userId, { limit: 100 });
  if (!data.some(({ _id }) => _id === device)) throw new Refusal(404, 'not_found', 'Your account has no such device.');
  await whorl.devices.update(device, { status });
  return { userId, device };
}

function chosenDevice(c: DemoContext) {
  const { session } = sessionAt(c, 'signed_in');
  const device = text(c.var.fields, 'device', 64);
  return { userId: session.userId, device, isThis: device === session.judged.deviceId };
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
