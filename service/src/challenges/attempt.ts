import { openClaim } from '../evaluation/claims/content.js';
import { findClaimOfChallenge } from '../evaluation/claims/queries.js';
import { timeOfId } from '../ground/ids.js';
import type { Attempt } from '../ground/messages/rules/attempt.js';
import { findVariantFingerprint } from '../recognition/linking/queries/variants.js';
import type { AddressBook } from '../resources/addresses/address-book.js';
import { type ChallengeRow, findChallenge } from '../resources/challenges/queries.js';
import { deviceInfo } from '../resources/devices/rules/device.js';
import { readFingerprint } from '../resources/devices/rules/fingerprint-text.js';
import type { Caller, Database, Service } from '../resources/service.js';

/** Browser that began a challenge, as its evaluation described it. */
export interface ChallengedBrowser {
  /** '' if the evaluation had none. */
  readonly fingerprint: string;
  readonly ip: string | undefined;
  /** Thumbprint of the key that the evaluation proved. */
  readonly keyThumbprint: string | undefined;
  readonly at: Date;
}

/** Returns the browser that began a challenge or the challenge of a claim. Undefined if neither exists any more. */
export async function findChallengedBrowser(
  service: Pick<Service, 'vault'> & { readonly db: Database },
  { worldId }: Pick<Caller, 'worldId'>,
  challengeId: string,
): Promise<ChallengedBrowser | undefined> {
  const challenge = await findChallenge(service.db, worldId, challengeId);
  if (challenge) return challengedBrowserOf(service.db, challenge);
  const found = await findClaimOfChallenge(service.db, worldId, challengeId);
  const claim = found && openClaim(service, found);
  if (!claim) return undefined;
  const { fingerprint = '', ip } = claim.content.request;
  return { fingerprint, ip, keyThumbprint: claim.content.key_thumbprint, at: timeOfId(claim.row.id) };
}

export async function challengedBrowserOf(
  db: Database,
  { world_id, variant_id, ip, key_thumbprint, created_at }: ChallengeRow,
): Promise<ChallengedBrowser> {
  const fingerprint = variant_id === null ? '' : await findVariantFingerprint(db, world_id, variant_id);
  return { fingerprint, ip: ip ?? undefined, keyThumbprint: key_thumbprint ?? undefined, at: created_at };
}

/** Describes an attempt, with what is known about its address. */
export function describeAttempt(
  service: { readonly addresses: AddressBook },
  { fingerprint, ip, at }: ChallengedBrowser,
): Attempt {
  return describeDevice(service, { device: deviceInfo(readFingerprint(fingerprint).parsed), ip, at });
}

/** Describes what a device did, with what is known about its address. */
export function describeDevice(
  { addresses }: { readonly addresses: AddressBook },
  { device, ip, at }: Pick<Attempt, 'device' | 'at'> & { readonly ip: string | undefined },
): Attempt {
  const info = ip === undefined ? undefined : addresses.lookUp(ip);
  return {
    device,
    ...(info?.city !== undefined && { city: info.city }),
    ...(info?.country !== undefined && { country: info.country }),
    ...(info?.organisation !== undefined && { organisation: info.organisation }),
    at,
  };
}
