import { tryLockUser } from '../../ground/db/locks.js';
import type { Caller, Transaction } from '../../resources/service.js';
import {
  listMergingDevices,
  listOpenChallenges,
  lockIdentities,
  mergeIdentity,
  type OpenChallenge,
} from './queries/merges.js';
import type { KnownVariant } from './queries/recognition.js';
import type { WeighingInputs } from './rules/choose.js';
import { type MergingDevice, maxDevices, mergeConfidence, planMerge } from './rules/merge.js';

/** No single browser has more open challenges than this. */
const maxChallenges = 50;

interface Split {
  readonly known: KnownVariant;
  readonly last: KnownVariant;
  readonly user: string | undefined;
}

/**
 * Merges two identities that turn out to be one browser: each has one of the two fingerprints that the request sent.
 * They stay separate if anything is doubtful or locked. Returns the remaining identity, or undefined if nothing was
 * merged.
 */
export async function mergeSplit(
  db: Transaction,
  caller: Caller,
  { known, last, user }: Split,
  scales: WeighingInputs,
): Promise<string | undefined> {
  if (known.identityId === last.identityId) return undefined;
  const confidence = mergeConfidence(last.fingerprint, last.lastSeenAt, known.fingerprint, scales);
  if (confidence === undefined) return undefined;
  const pair = [known.identityId, last.identityId] as const;
  const into = await lockIdentities(db, caller.worldId, pair);
  if (into === undefined) return undefined;
  const from = into === known.identityId ? last.identityId : known.identityId;
  const devices = await listMergingDevices(db, caller.worldId, pair, maxDevices + 1);
  const challenges = await listOpenChallenges(db, caller.worldId, pair, maxChallenges + 1);
  const plan = planMerge(devices, { survivor: into, externalId: user });
  if (!plan || !canMoveChallenges(challenges, into) || !(await lockUsers(db, caller, devices, challenges))) {
    return undefined;
  }
  await mergeIdentity(
    db,
    {
      worldId: caller.worldId,
      from,
      into,
      confidence,
      variantId: known.variantId,
      lastVariantId: last.variantId,
      at: scales.now,
    },
    plan,
  );
  return into;
}

function canMoveChallenges(challenges: readonly OpenChallenge[], into: string): boolean {
  if (challenges.length > maxChallenges) return false;
  const staying = new Set(challenges.filter(({ identityId }) => identityId === into).map(({ sameness }) => sameness));
  return challenges.every(({ identityId, sameness }) => identityId === into || !staying.has(sameness));
}

async function lockUsers(
  db: Transaction,
  { worldId }: Caller,
  devices: readonly MergingDevice[],
  challenges: readonly OpenChallenge[],
): Promise<boolean> {
  const users = [...devices.map(({ externalId }) => externalId), ...challenges.map(({ externalUser }) => externalUser)];
  for (const user of new Set(users)) {
    if (!(await tryLockUser(db, worldId, user))) return false;
  }
  return true;
}
