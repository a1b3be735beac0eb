import type { Reason } from 'whorl/wire';
import { challenges } from '../../domain/devices/status-after.js';
import type { Judgement } from '../../domain/evaluation/judge.js';
import type { Caller, Service, Transaction } from '../../service.js';
import { addContacts, findOpenChallenge, insertChallenge, insertUser } from '../../store/queries/evaluation-writes.js';
import { announceChallenge, tellOfChallenge } from '../challenges/announce.js';
import type { Recognition } from '../recognise.js';
import type { Asked } from './asked.js';
import type { Gathered } from './gather.js';
import { saveSight } from './sight.js';
import { reportSignals } from './signals.js';

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
  const deviceId = await saveSight(db, service, caller, judged, userId);
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

/**
 * Makes the challenge of a verdict, or finds the one that is open for the same user, device, key, action and address.
 * One that a publishable key makes is a claim: it is announced when the secret key first touches it.
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
    keyThumbprint: asked.proof.thumbprint ?? null,
    reasons: JSON.stringify(reasons),
    announcedAt: userId === undefined ? null : at,
    expiresAt: new Date(at.getTime() + caller.settings.challenge_lifetime_hours * hourMs),
    at,
  };
  const make = async () => {
    const made = await insertChallenge(db, challenge);
    if (made && userId !== undefined) await tellOfChallenge(db, service, caller, made, userId);
    return made?.id;
  };
  const made = await make();
  if (made !== undefined) return made;
  const open = await findOpenChallenge(db, challenge);
  if (open !== undefined && userId !== undefined) {
    await announceChallenge(db, service, caller, open, { userId, deviceId });
  }
  // What stood in the way was past its time, and is closed now.
  const id = open ?? (await make());
  if (id === undefined) throw new Error('A challenge could neither be made nor found.');
  return id;
}
