import { dayMs } from '../ground/time.js';
import { addDeviceKey } from '../resources/devices/queries/device-keys.js';
import {
  addDeviceVariant,
  countDevice,
  insertDevice,
  type SeenAddress,
  touchAddress,
  touchDevice,
} from '../resources/devices/queries/device-writes.js';
import { challenges, deviceInfo, statusAfter } from '../resources/devices/rules/device.js';
import type { Caller, Service, UnitOfWork } from '../resources/service.js';
import type { Judged, StoredJudged } from './judged.js';
import { ownNetwork } from './normalised-request.js';
import type { Facts } from './rules/facts.js';
import { inheritsTrust } from './rules/trust.js';

/**
 * Records the address and device of a user who was seen. Creates the device if it does not exist. Returns its ID;
 * undefined if there is no device, because the request had no fingerprint.
 */
export async function recordSighting(work: UnitOfWork, judged: Judged, userId: string): Promise<string | undefined> {
  const { variantId } = judged.recognition;
  if (variantId === undefined) {
    const address = seenAddress(work, work.caller, judged, userId);
    if (address) await touchAddress(work.db, address);
    return undefined;
  }
  return recordDevice(work, { ...judged, recognition: { ...judged.recognition, variantId } }, userId);
}

async function recordDevice(work: UnitOfWork, judged: StoredJudged, userId: string): Promise<string | undefined> {
  const { db, caller } = work;
  const { normalised, recognition, gathered, judgement } = judged;
  const { verdict, trustsFirstDevice: trusted } = judgement;
  const { action, device } = gathered.facts;
  const { worldId } = caller;
  const { variantId, identityId, fingerprint } = recognition;
  const status = statusAfter(verdict, device, !['signup', 'referral'].includes(action));
  if (!status) return undefined;
  const address = seenAddress(work, caller, judged, userId);
  const id = device?.id ?? work.newId();
  const info = deviceInfo(fingerprint.parsed);
  const seen = { id, worldId, variantId, status, info, trusted, ip: normalised.address?.ip ?? null, at: work.now() };
  // An attempt that is challenged does not change an existing device, because it may come from someone with a copy of
  // its fingerprint.
  const isUnconfirmed = device && status !== 'pending' && challenges(verdict);
  if (device && !isUnconfirmed) {
    await touchDevice(db, seen, address);
  } else {
    if (!device) {
      const network = address?.network ?? null;
      await insertDevice(db, { ...seen, network, userId, identityId });
      await countDevice(db, worldId, fingerprint.hardwareKey);
    }
    if (address) await touchAddress(db, address);
  }
  if (status !== 'attached' || isUnconfirmed) return id;
  if (coversVariant(gathered.facts)) await addDeviceVariant(db, worldId, id, variantId);
  const { thumbprint } = normalised.proof;
  if (thumbprint !== undefined && mayAddKey(gathered.facts)) {
    await addDeviceKey(db, { deviceId: id, worldId, thumbprint, at: work.now() });
  }
  return id;
}

/**
 * Returns whether an allowed device's trust includes this fingerprint from now on: the first one that it is attached
 * with, or one that comes with the device's key. A fingerprint that was only recognised is trusted only at trusted
 * addresses; otherwise, being allowed there once would make it trusted everywhere. A completed challenge adds other
 * fingerprints.
 */
function coversVariant({ device }: Facts): boolean {
  if (!device) return true;
  if (device.knowsVariant) return false;
  const isNewlyAttached = device.status !== 'attached' && !device.trusted && !device.whitelisted;
  return isNewlyAttached || device.proof === 'valid';
}

/**
 * Returns whether an allowed device's new key is added: on its first allowed use, or, if it was attached before it had
 * a key, when the circumstances cannot be copied remotely. A challenge adds other keys.
 */
function mayAddKey(facts: Facts): boolean {
  const { device, address } = facts;
  if (!device) return true;
  if (device.hasKeys) return false;
  return device.status !== 'attached' || (inheritsTrust(facts) && address?.trusted !== false);
}

function seenAddress(
  service: Service,
  caller: Caller,
  { normalised, judgement }: Judged,
  userId: string,
): SeenAddress | undefined {
  const network = ownNetwork(normalised);
  if (network === undefined) return undefined;
  const at = service.now();
  const trustedUntil = judgement.trustsAddress
    ? new Date(at.getTime() + caller.settings.address_trust_days * dayMs)
    : null;
  return { userId, worldId: caller.worldId, network, at, trustedUntil };
}
