import { deviceInfo } from '../devices/rules/info.js';
import { challenges, statusAfter } from '../devices/rules/status-after.js';
import { addDeviceKey } from '../proof/queries.js';
import type { Caller, Service, Transaction } from '../service.js';
import { dayMs } from '../time.js';
import type { Judged } from './judged.js';
import { ownNetwork } from './normalised-request.js';
import {
  addDeviceVariant,
  countDevice,
  insertDevice,
  type SeenAddress,
  touchAddress,
  touchDevice,
} from './queries/evaluation-writes.js';
import type { Facts } from './rules/facts.js';
import { inheritsTrust } from './rules/trust.js';

/** Notes where and with what device a user was seen; a device that was not there is made. Answers the device's id. */
export async function recordSighting(
  db: Transaction,
  service: Service,
  caller: Caller,
  judged: Judged,
  userId: string,
): Promise<string | undefined> {
  const { asked, recognition, gathered, judgement } = judged;
  const { verdict, trustsFirstDevice: trusted } = judgement;
  const { action, device } = gathered.facts;
  const { variantId, identityId, fingerprint } = recognition;
  const status = statusAfter(verdict, device, !['signup', 'referral'].includes(action));
  if (!status) return undefined;
  const address = seenAddress(service, caller, judged, userId);
  const id = device?.id ?? service.newId();
  const info = deviceInfo(fingerprint.parsed);
  const seen = { id, variantId, status, info, trusted, ip: asked.address?.ip ?? null, at: service.now() };
  // Whoever is not let in yet leaves no trace on a device that is there: it may be a stranger's copy of it.
  const isStrange = device && status !== 'pending' && challenges(verdict);
  if (device && !isStrange) {
    await touchDevice(db, seen, address);
  } else {
    if (!device) {
      const network = address?.network ?? null;
      await insertDevice(db, { ...seen, network, worldId: caller.worldId, userId, identityId });
      await countDevice(db, caller.worldId, fingerprint.hardwareKey);
    }
    if (address) await touchAddress(db, address);
  }
  if (status !== 'attached' || isStrange) return id;
  if (coversVariant(gathered.facts)) await addDeviceVariant(db, id, variantId);
  const { thumbprint } = asked.proof;
  if (thumbprint !== undefined && mayTakeKey(gathered.facts)) {
    await addDeviceKey(db, { deviceId: id, worldId: caller.worldId, thumbprint, at: service.now() });
  }
  return id;
}

/**
 * Whether an allowed device's trust covers this fingerprint from now on: the first one that it is attached with, and one
 * that comes with its key. One that was only recognised counts at trusted addresses alone, or it could be trusted
 * everywhere by being let in there once. A completed challenge adds the others.
 */
function coversVariant({ device }: Facts): boolean {
  if (!device) return true;
  if (device.knowsVariant) return false;
  const isNewlyAttached = device.status !== 'attached' && !device.trusted && !device.whitelisted;
  return isNewlyAttached || device.proof === 'valid';
}

/**
 * Whether an allowed device takes the key that it came with: on its first allowed use, and, where it was allowed before
 * there was a key, when it comes in a way that nobody can copy from afar. Others are added by a challenge.
 */
function mayTakeKey(facts: Facts): boolean {
  const { device, address } = facts;
  if (!device) return true;
  if (device.hasKeys) return false;
  return device.status !== 'attached' || (inheritsTrust(facts) && address?.trusted !== false);
}

function seenAddress(
  service: Service,
  caller: Caller,
  { asked, judgement }: Judged,
  userId: string,
): SeenAddress | undefined {
  const network = ownNetwork(asked);
  if (network === undefined) return undefined;
  const at = service.now();
  const trustedUntil = judgement.trustsAddress
    ? new Date(at.getTime() + caller.settings.address_trust_days * dayMs)
    : null;
  return { userId, worldId: caller.worldId, network, at, trustedUntil };
}
