import { hourMs } from '../ground/time.js';
import { initiateChallenge, redeemChallenge } from '../resources/challenges/initiate.js';
import { challenges, deviceInfo } from '../resources/devices/rules/device.js';
import { recordNotice } from '../resources/notices/record.js';
import type { UnitOfWork } from '../resources/service.js';
import { addContacts, insertUser } from '../resources/users/queries/users.js';
import type { Effects, Judged } from './judged.js';
import { ownNetwork } from './normalised-request.js';
import { storedTags } from './rules/custom-rules.js';
import { recordSighting } from './sighting.js';
import { reportSignals } from './signals.js';

/** IDs that a claim reserved before it took effect. */
export interface Reserved {
  /** ID for a user that does not exist yet. */
  readonly userId: string;
  /** Challenge ID that was returned to the page. */
  readonly challengeId: string | undefined;
  /** Whether the server has named the evaluation, and not only its challenge: then its word on `methods` counts. */
  readonly isConsumed: boolean;
}

/**
 * Carries out a verdict for the secret key: stores the user, device, address and challenge, and emits events. A failed
 * attempt has no effects.
 *
 * @param reserved IDs that a claim has already returned.
 */
export async function saveEffects(work: UnitOfWork, judged: Judged, reserved?: Reserved): Promise<Effects> {
  const { verdict } = judged.judgement;
  const { state } = judged.gathered;
  if (verdict === 'deny' || judged.normalised.outcome === 'failed') {
    // Only the server knows that the password was right.
    if (verdict === 'deny' && reserved?.isConsumed !== false) await noticeDenial(work, judged);
    return { userId: state.user_id ?? undefined, deviceId: state.device_id ?? undefined, challengeId: undefined };
  }
  const userId = await saveUser(work, judged, reserved?.userId);
  const deviceId = await recordSighting(work, judged, userId);
  const { challengePassed } = judged.gathered.facts;
  if (challengePassed !== undefined) await redeemChallenge(work, challengePassed);
  const ties = { userId, deviceId };
  const challengeId = challenges(verdict)
    ? await saveChallenge(work, judged, {
        ...ties,
        reservedId: reserved?.challengeId,
        isOfPage: reserved?.isConsumed === false,
      })
    : undefined;
  await reportSignals(work, judged, ties);
  return { userId, deviceId, challengeId };
}

/** Tells the user of a denied login with the right password, unless the user is suspended. */
async function noticeDenial(work: UnitOfWork, { normalised, recognition, gathered: { state } }: Judged): Promise<void> {
  const { request, outcome, address } = normalised;
  const isLogin = request.action === 'login' && outcome === 'succeeded';
  if (!isLogin || state.user_id === null || state.user_status === 'suspended') return;
  await recordNotice(work, {
    kind: 'denied_attempt',
    userId: state.user_id,
    deviceId: state.device_id ?? undefined,
    info: deviceInfo(recognition.fingerprint.parsed),
    ip: address?.ip,
  });
}

async function saveUser(
  work: UnitOfWork,
  { normalised, gathered }: Judged,
  reservedId: string | undefined,
): Promise<string> {
  const { db, caller, vault } = work;
  const { state } = gathered;
  const at = work.now();
  const email = normalised.email && {
    email: vault.seal(normalised.email.display, 'user.email'),
    email_mark: normalised.email.mark,
  };
  const phone = normalised.phone && {
    phone: vault.seal(normalised.phone.display, 'user.phone'),
    phone_mark: normalised.phone.mark,
  };
  if (state.user_id !== null) {
    const missing = { ...(state.email ? {} : email), ...(state.phone ? {} : phone) };
    if (Object.keys(missing).length > 0) {
      await addContacts(db, { worldId: caller.worldId, userId: state.user_id }, missing, at);
    }
    return state.user_id;
  }
  const id = reservedId ?? work.newId();
  await insertUser(db, {
    id,
    world_id: caller.worldId,
    external_id: normalised.externalId,
    ...email,
    ...phone,
    metadata: '{}',
    status: 'active',
    created_at: at,
    updated_at: at,
  });
  return id;
}

interface ChallengeTies {
  readonly userId: string;
  readonly deviceId: string | undefined;
  /** ID for a new challenge. If a challenge with this ID exists, that one is used. */
  readonly reservedId: string | undefined;
  /** Whether only a page has requested the challenge, so that nobody has said which factors the user has. */
  readonly isOfPage: boolean;
}

/** Creates the challenge of a verdict, or returns the one that is open for it. */
async function saveChallenge(
  work: UnitOfWork,
  { normalised, recognition, gathered, judgement }: Judged,
  { userId, deviceId, reservedId, isOfPage }: ChallengeTies,
): Promise<string> {
  const { caller } = work;
  const { state } = gathered;
  const { methods } = normalised.request;
  const at = work.now();
  const wanted = {
    worldId: caller.worldId,
    userId,
    externalUser: normalised.externalId,
    deviceId: deviceId ?? null,
    identityId: recognition.identityId,
    variantId: recognition.variantId ?? null,
    action: normalised.request.action,
    ip: normalised.address?.ip ?? null,
    network: ownNetwork(normalised) ?? null,
    keyThumbprint: normalised.proof.thumbprint ?? null,
    reasons: JSON.stringify(judgement.findings.map(({ reason }) => reason)),
    tags: storedTags(judgement.tags),
    methods: methods ?? (isOfPage ? null : []),
    revocations: state.revocations ?? 0,
    expiresAt: new Date(at.getTime() + caller.settings.challenge_lifetime_hours * hourMs),
    at,
  };
  const revokedAt = Math.max(state.revocation ?? 0, state.suspension ?? 0);
  return initiateChallenge(work, wanted, { reservedId, revokedAt, methods });
}
