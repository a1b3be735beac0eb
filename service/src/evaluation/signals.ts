import type { Device, Reason } from 'whorl/wire';
import { dayMs } from '../ground/time.js';
import { toDevice } from '../resources/devices/present.js';
import { findDevice } from '../resources/devices/queries/devices.js';
import { emit } from '../resources/events/emit.js';
import { enqueue } from '../resources/queue/index.js';
import type { Caller, Database, UnitOfWork } from '../resources/service.js';
import { toUserSummary } from '../resources/users/present.js';
import { findUserById } from '../resources/users/queries/users.js';
import type { Judged } from './judged.js';
import { findSharedAccounts, listAttachedDevices } from './queries/sharing.js';
import { hasTrait } from './rules/reasons/table.js';
import { strengthOf } from './rules/strength.js';

const conversionDays = 30;

interface Ties {
  readonly userId: string;
  readonly deviceId: string | undefined;
}

/**
 * Emits events about what an evaluation shows besides its verdict: a shared account, or someone who shared an account
 * and now creates their own.
 */
export async function reportSignals(work: UnitOfWork, judged: Judged, ties: Ties): Promise<void> {
  const reasons = judged.judgement.findings.map(({ reason }) => reason).filter((one) => hasTrait(one, 'sharing'));
  if (reasons.length > 0) await signalSharing(work, reasons, ties);
  const { facts } = judged.gathered;
  // A new identity has never been challenged.
  const mayConvert = facts.action === 'signup' && !facts.user.exists && judged.recognition.matchedBy !== 'new';
  if (mayConvert) await signalConversion(work, judged, ties);
}

/** Emits `account_sharing.signal` at most once per user and day. */
async function signalSharing(work: UnitOfWork, reasons: Reason[], { userId }: Ties): Promise<void> {
  const { db, caller } = work;
  const user = await mustFindUser(db, caller, userId);
  const devices = await listAttachedDevices(db, caller.worldId, userId);
  const day = work.now().toISOString().slice(0, 10);
  const isNew = await emit(
    work,
    'account_sharing.signal',
    { user: toUserSummary(work, user), reasons, devices: devices.map((row): Device => toDevice(caller, row, user)) },
    { userId, once: `sharing ${userId} ${day}` },
  );
  if (isNew) await enqueue(db, 'report_sharing', { worldId: caller.worldId, userId });
}

/** Emits `user.converted` if a device that was challenged for sharing another user's account signs up for its own. */
async function signalConversion(
  work: UnitOfWork,
  { recognition, normalised, gathered }: Judged,
  { userId, deviceId }: Ties,
): Promise<void> {
  const { db, caller } = work;
  const accounts = await findSharedAccounts(db, {
    worldId: caller.worldId,
    identityId: recognition.identityId,
    userId,
    network: normalised.address?.network ?? null,
    // This evaluation created the user, with the contacts in its request.
    emailMarks: normalised.email?.marks ?? [],
    phoneMarks: normalised.phone?.marks ?? [],
    keyThumbprint: normalised.proof.thumbprint ?? null,
    since: new Date(work.now().getTime() - conversionDays * dayMs),
  });
  const corroborated = accounts.find(({ same_address, same_contact, same_key }) => {
    const shared = { sameAddress: same_address, sameContact: same_contact, sameKey: same_key };
    return strengthOf(shared, gathered.facts) !== 'fingerprint';
  });
  if (!corroborated || deviceId === undefined) return;
  const device = await findDevice(db, caller.worldId, deviceId);
  if (!device) return;
  const user = await mustFindUser(db, caller, userId);
  // Locked until this transaction commits, so that an erasure of that user waits and then finds the event that names
  // it.
  const fromUser = await findUserById(db, caller.worldId, corroborated.user_id, { keep: true });
  if (!fromUser) return;
  await emit(
    work,
    'user.converted',
    {
      user: toUserSummary(work, user),
      from_user: toUserSummary(work, fromUser),
      device: toDevice(caller, device, user),
    },
    { userId, once: `converted ${userId}` },
  );
}

async function mustFindUser(db: Database, { worldId }: Caller, id: string) {
  const user = await findUserById(db, worldId, id);
  if (!user) throw new Error('A user was deleted during its evaluation.');
  return user;
}
