import type { Reason } from 'whorl/wire';
import { deviceInfo } from '../../domain/devices/info.js';
import { challenges, statusAfter } from '../../domain/devices/status-after.js';
import type { Facts } from '../../domain/evaluation/facts.js';
import type { Judgement } from '../../domain/evaluation/judge.js';
import { inheritsTrust } from '../../domain/evaluation/trust.js';
import type { Caller, Service, Transaction } from '../../service.js';
import {
  addContacts,
  addDeviceVariant,
  countDevice,
  findOpenChallenge,
  insertChallenge,
  insertDevice,
  insertUser,
  touchAddress,
  touchDevice,
} from '../../store/queries/evaluation-writes.js';
import { announceChallenge } from '../challenges/announce.js';
import type { Recognition } from '../recognise.js';
import type { Asked } from './asked.js';
import type { Gathered } from './gather.js';
import { reportSignals } from './signals.js';

const dayMs = 86_400_000;
const hourMs = 3_600_000;

/** An evaluation that was judged, with all that it was judged from. */
export interface Judged {
  readonly asked: Asked;
  readonly recognition: Recognition;
  readonly gathered: Gathered;
  readonly judgement: Judgement;
}

/** What an evaluation made or found. */
export interface Effects {
  readonly userId: string | undefined;
  readonly deviceId: string | undefined;
  readonly challengeId: string | undefined;
}

/**
 * Carries out a verdict that the secret key asked for: user, device, address, challenge, and the news of them. A
 * challenge that a publishable key made before is announced instead of made.
 */
export async function saveEffects(
  db: Transaction,
  service: Service,
  caller: Caller,
  judged: Judged,
  claimedChallengeId?: string,
): Promise<Effects> {
  const { verdict, findings } = judged.judgement;
  const { state } = judged.gathered;
  if (verdict === 'deny') {
    return { userId: state.user_id ?? undefined, deviceId: state.device_id ?? undefined, challengeId: undefined };
  }
  const userId = await saveUser(db, service, caller, judged);
  const deviceId = await saveDevice(db, service, caller, judged, userId);
  await saveAddress(db, service, caller, judged, userId);
  const ties = { userId, deviceId };
  const reasons = findings.map(({ reason }) => reason);
  if (claimedChallengeId) await announceChallenge(db, service, caller, claimedChallengeId, ties);
  const challengeId =
    claimedChallengeId ??
    (challenges(verdict) ? await saveChallenge(db, service, caller, judged, reasons, ties) : undefined);
  await reportSignals(db, service, caller, judged, ties);
  return { userId, deviceId, challengeId };
}

async function saveUser(
  db: Transaction,
  service: Service,
  caller: Caller,
  { asked, gathered }: Judged,
): Promise<string> {
  const { vault } = service;
  const { state } = gathered;
  const at = service.now();
  const email = asked.email && {
    email: vault.seal(asked.email.display, 'user.email'),
    email_mark: asked.email.mark,
  };
  const phone = asked.phone && {
    phone: vault.seal(asked.phone.display, 'user.phone'),
    phone_mark: asked.phone.mark,
  };
  if (state.user_id !== null) {
    const missing = { ...(state.email ? {} : email), ...(state.phone ? {} : phone) };
    if (Object.keys(missing).length > 0) await addContacts(db, state.user_id, missing, at);
    return state.user_id;
  }
  const id = service.newId();
  await insertUser(db, {
    id,
    world_id: caller.worldId,
    external_id: asked.externalId,
    ...email,
    ...phone,
    metadata: '{}',
    status: 'active',
    created_at: at,
    updated_at: at,
  });
  return id;
}

async function saveDevice(
  db: Transaction,
  service: Service,
  caller: Caller,
  { recognition, gathered, judgement, asked }: Judged,
  userId: string,
): Promise<string | undefined> {
  const { facts } = gathered;
  const { device } = facts;
  const status = statusAfter(judgement.verdict, device, !['signup', 'referral'].includes(facts.action));
  if (!status) return undefined;
  const id = device?.id ?? service.newId();
  const seen = {
    id,
    variantId: recognition.variantId,
    status,
    info: deviceInfo(recognition.fingerprint.parsed),
    trusted: judgement.trustsFirstDevice,
    ip: asked.address?.ip ?? null,
    network: asked.address?.network ?? null,
    at: service.now(),
  };
  // Whoever is not let in yet leaves no trace on a device that is there: it may be a stranger's copy of it.
  if (device && status !== 'pending' && challenges(judgement.verdict)) return id;
  if (device) await touchDevice(db, seen);
  else {
    await insertDevice(db, { ...seen, worldId: caller.worldId, userId, identityId: recognition.identityId });
    await countDevice(db, caller.worldId, recognition.fingerprint.hardwareKey);
  }
  if (status === 'attached' && coversVariant(facts)) await addDeviceVariant(db, id, recognition.variantId);
  return id;
}

/**
 * Whether an allowed device is known by this fingerprint from now on: the first that it is attached with, and those that
 * inherit its trust. One that has trust and does not pass it on is let in at most, and covered by nothing.
 */
function coversVariant(facts: Facts): boolean {
  const { device } = facts;
  if (!device) return true;
  if (device.knowsVariant) return false;
  const isNewlyAttached = device.status !== 'attached' && !device.trusted && !device.whitelisted;
  return isNewlyAttached || inheritsTrust(facts);
}

async function saveAddress(
  db: Transaction,
  service: Service,
  caller: Caller,
  { asked, judgement }: Judged,
  userId: string,
): Promise<void> {
  if (!asked.address) return;
  const at = service.now();
  await touchAddress(db, {
    userId,
    worldId: caller.worldId,
    network: asked.address.network,
    at,
    trustedUntil: judgement.trustsAddress
      ? new Date(at.getTime() + caller.settings.address_trust_days * dayMs)
      : undefined,
  });
}

/**
 * Makes the challenge of a verdict, or finds the one that is open for the same user, device, action and address. One
 * that a publishable key makes is a claim: it is announced when the secret key first touches it.
 */
export async function saveChallenge(
  db: Transaction,
  service: Service,
  caller: Caller,
  { asked, recognition }: Judged,
  reasons: readonly Reason[],
  { userId, deviceId }: { userId: string | undefined; deviceId: string | undefined },
): Promise<string> {
  const at = service.now();
  const isClaim = caller.kind === 'publishable';
  const challenge = {
    id: service.newId(),
    worldId: caller.worldId,
    userId: userId ?? null,
    externalUser: asked.externalId,
    deviceId: deviceId ?? null,
    identityId: recognition.identityId,
    variantId: recognition.variantId,
    action: asked.request.action,
    ip: asked.address?.ip ?? null,
    network: asked.address?.network ?? null,
    reasons,
    announcedAt: null,
    expiresAt: new Date(at.getTime() + caller.settings.challenge_lifetime_hours * hourMs),
    at,
  };
  const open = (await insertChallenge(db, challenge)) ?? (await findOpenChallenge(db, challenge));
  // What stood in the way was past its time, and is closed now.
  const id = open ?? (await insertChallenge(db, challenge));
  if (id === undefined) throw new Error('A challenge could neither be made nor found.');
  if (!isClaim && userId !== undefined) await announceChallenge(db, service, caller, id, { userId, deviceId });
  return id;
}
