import { browserOf, textOf } from '../server/browser-of.js';
import { type WhenUnavailable, type Whorl, WhorlApiError } from '../server/index.js';
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
}

/** How many devices are shown. The service returns at most 100 at once. */
const limit = 100;
const maxNameLength = 64;
const controlCharacter = /[\p{Cc}\p{Surrogate}]/u;

const gone: Reply = {
  status: 404,
  body: { code: 'not_found', detail: 'This device is no longer in your list.' },
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
  if (!device) return gone;
  const name = textOf(visitor.body, 'name')?.trim() ?? '';
  if (route === 'rename' && (name.length > maxNameLength || controlCharacter.test(name))) return wrongName;
  try {
    // The service refuses a device of another user.
    if (route === 'rename') await whorl.devices.update(device, { user, name: name || null });
    else await whorl.devices[route](device, { user });
    return { status: 200, body: { success: true } };
  } catch (error) {
    if (isNotFound(error)) return gone;
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
  return devices
    .map((device) => shown(device, identity))
    .sort((one, other) => Number(other.is_this) - Number(one.is_this) || byUse(one, other));
}

function isIdle({ status, trusted }: Device): boolean {
  return status === 'detached' && trusted;
}

function byUse(one: ShownDevice, other: ShownDevice): number {
  return other.last_seen_at.localeCompare(one.last_seen_at);
}

function shown({ _id, name, info, last_place, last_seen_at, fingerprint_id }: Device, identity: string | undefined) {
  const { kind, os, browser } = info;
  return { id: _id, name, kind, os, browser, place: last_place, last_seen_at, is_this: fingerprint_id === identity };
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
