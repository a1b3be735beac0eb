import { browserOf, textOf } from '../server/browser-of.js';
import { type WhenUnavailable, type Whorl, WhorlApiError, WhorlArgumentError } from '../server/index.js';
import type { Device } from '../wire/index.js';
import type { Reply } from './action-response.js';
import type { DeviceRouteName } from './routes.js';
import type { VisitorRequest } from './visitor-request.js';

/** A device, as the page of its user shows it. */
export interface ShownDevice {
  readonly id: string;
  /** The user's own name for it. */
  readonly name: string | undefined;
  readonly kind: Device['info']['kind'];
  /** `unknown` if it is not known, as is `browser`. */
  readonly os: string;
  readonly browser: string;
  readonly place: Device['last_place'];
  readonly last_seen_at: string;
  /** Whether it is the browser that asks. */
  readonly is_this: boolean;
  /** Whether the browser that asks may say that the device is not the user's: only of a device that is newer. */
  readonly can_disown: boolean;
}

/** How many devices are shown. The service returns at most 100 at once. */
const limit = 100;
const maxNameLength = 64;
const controlCharacter = /[\p{Cc}\p{Surrogate}]/u;

const deviceNotFound: Reply = {
  status: 404,
  body: { code: 'not_found', detail: 'This device is no longer in your list.' },
};
const olderDevice: Reply = {
  status: 403,
  body: {
    code: 'older_device',
    detail: 'This device was added before this browser, so it can only be signed out here.',
  },
};
const wrongName: Reply = {
  status: 400,
  body: { code: 'wrong_name', detail: `A name has at most ${maxNameLength} characters.` },
};

/** Returns the response about the devices of the user who is logged in. Throws what the client throws. */
export async function respondAboutDevices(
  whorl: Whorl<WhenUnavailable>,
  route: DeviceRouteName,
  { visitor, user }: { readonly visitor: VisitorRequest; readonly user: string },
): Promise<Reply> {
  if (route === 'devices') return { status: 200, body: { devices: await listDevices(whorl, visitor, user) } };
  const device = textOf(visitor.body, 'device');
  if (!device) return deviceNotFound;
  const name = textOf(visitor.body, 'name')?.trim() ?? '';
  if (route === 'rename' && (name.length > maxNameLength || controlCharacter.test(name))) return wrongName;
  if (route === 'disown') {
    const shown = (await listDevices(whorl, visitor, user)).find(({ id }) => id === device);
    if (!shown?.can_disown) return shown ? olderDevice : deviceNotFound;
  }
  try {
    // The service refuses a device of another user.
    if (route === 'rename') await whorl.devices.update(device, { user, name: name || null });
    else await whorl.devices[route](device, { user });
    return { status: 200, body: { success: true } };
  } catch (error) {
    // The client refuses an ID that a path cannot contain.
    if (isNotFound(error) || error instanceof WhorlArgumentError) return deviceNotFound;
    throw error;
  }
}

/** Returns the devices that can use the account, this one first, and then the last used one. */
async function listDevices(
  whorl: Whorl<WhenUnavailable>,
  visitor: VisitorRequest,
  user: string,
): Promise<ShownDevice[]> {
  const devices: Device[] = [];
  try {
    for await (const device of whorl.users.devices(user, { limit })) {
      // A device that was idle for too long keeps its trust.
      if (device.external_user === user && (device.status === 'attached' || isIdle(device))) devices.push(device);
      if (devices.length >= limit) break;
    }
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  const identity = devices.length > 0 ? await identityOf(whorl, visitor) : undefined;
  const own = devices.find(({ fingerprint_id }) => fingerprint_id === identity);
  return devices
    .map((device) => shown(device, own))
    .sort((one, other) => Number(other.is_this) - Number(one.is_this) || byUse(one, other));
}

function isIdle({ status, trusted }: Device): boolean {
  return status === 'detached' && trusted;
}

function byUse(one: ShownDevice, other: ShownDevice): number {
  return other.last_seen_at.localeCompare(one.last_seen_at);
}

/**
 * A browser may disown only devices that were added after it. So whoever has taken over a session, or logged in from a
 * browser of their own, cannot block the devices that the user had before.
 */
function shown(device: Device, own: Device | undefined): ShownDevice {
  const { _id, name, info, last_place, last_seen_at, createdAt } = device;
  const { kind, os, browser } = info;
  const can_disown = own !== undefined && own.createdAt < createdAt;
  return { id: _id, name, kind, os, browser, place: last_place, last_seen_at, is_this: device === own, can_disown };
}

/** Returns which browser asks. Without a fingerprint, or one that the service does not accept, none is marked. */
async function identityOf(
  whorl: Whorl<WhenUnavailable>,
  { headers, body }: VisitorRequest,
): Promise<string | undefined> {
  const { fingerprint, last_fingerprint, version } = browserOf(body, headers);
  if (!fingerprint) return undefined;
  const request = { fingerprint, ...(last_fingerprint && { last_fingerprint }), ...(version && { version }) };
  return (await whorl.devices.fingerprint(request)).fingerprint_id;
}

function isNotFound(error: unknown): boolean {
  return error instanceof WhorlApiError && error.status === 404;
}
