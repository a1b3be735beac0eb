import { randomBytes, randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { describeAttempt, findChallengedBrowser } from '../challenges/attempt.js';
import { disownUrlOf } from '../challenges/disown-url.js';
import { codeLimits, createCode, hashCode, matchesCode } from '../challenges/rules/codes.js';
import { addressOf, languageOf } from '../challenges/send.js';
import { requireNotRevoked, withChallenge } from '../challenges/with-challenge.js';
import { consumeClaimQuota, consumeCodeToAddress } from '../evaluation/claims/quotas.js';
import { ApiError } from '../ground/errors.js';
import { minuteMs } from '../ground/time.js';
import { changeChallenge } from '../resources/challenges/queries.js';
import { chooseChannel } from '../resources/challenges/rules/channels.js';
import { methods } from '../resources/challenges/rules/methods/methods.js';
import { changeVisit, countAttempt, countCodeRequest, storeCodeHash } from '../resources/challenges/visits-queries.js';
import { type Service, withoutTransaction } from '../resources/service.js';
import { findUserByExternalId, type UserRow } from '../resources/users/queries/users.js';
import type { Notice } from './rules.js';
import { findOpenChallenge, type OpenChallenge, type Visit } from './visit.js';

/** Codes are sent after a random delay up to this, so that timing does not reveal whether one was sent. */
const maxDelayMs = 1500;

/**
 * Sends a code if the user of a claim exists and has a contact address. The visitor sees the same page in either case
 * and does not wait for the provider: anyone can be the visitor, and must not learn whether the user exists. Codes
 * count towards the quotas of the claim's source and of the project's claims, never of the user. The claim is not
 * consumed.
 */
export async function requestCodeUnverified(service: Service, visit: Visit): Promise<void> {
  const { db } = service;
  const { row } = visit;
  const challenge = await findOpenChallenge(service, visit);
  if (!challenge || challenge.needsOwnFactor) return;
  if (!(await hasQuota(service, visit, 'codes', challenge.ip))) return;
  const now = service.now();
  const lastBefore = new Date(now.getTime() - codeLimits.resendAfterSeconds * 1000);
  if (!(await countCodeRequest(db, row, { maxRequests: codeLimits.sendsPerChallenge, lastBefore }, now))) return;
  sendLater(service, visit, challenge, now).catch((error: unknown) => {
    service.log.warn({ err: error }, 'Sending the code of a claim failed');
  });
}

/**
 * Checks a code of an unverified visitor. Attempts count towards the limits of the visit, of the claim's source and of
 * the project's claims, so that they run out in the same way whether or not the user exists. A correct code turns the
 * claim into a challenge.
 */
export async function verifyCodeUnverified(service: Service, visit: Visit, text: string): Promise<boolean> {
  const { db, vault } = service;
  const { row, caller } = visit;
  const saveNotice = async (notice: Notice) => {
    await changeVisit(db, row, { notice, notice_until: null });
    return false;
  };
  if (!row.asked_at) return false;
  const elapsedMs = service.now().getTime() - row.asked_at.getTime();
  if (elapsedMs >= codeLimits.lifetimeMinutes * minuteMs) return saveNotice('code_expired');
  const open = await findOpenChallenge(service, visit);
  if (!open) return false;
  if (!(await countAttempt(db, row, codeLimits.triesPerCode))) return saveNotice('no_tries');
  if (!(await hasQuota(service, visit, 'tries', open.ip))) return false;
  const wrong = row.tries + 1 < codeLimits.triesPerCode ? 'wrong_code' : 'no_tries';
  const hash = row.code_hash;
  const isRight = hash && vault.codeKeys().some((key) => matchesCode(text, row.id, key, hash));
  if (!isRight) return saveNotice(wrong);
  try {
    await withChallenge(service, caller, row.challenge_id, async (held) => {
      await requireNotRevoked(held);
      const { work, challenge } = held;
      const now = service.now();
      const isVerified = challenge.verified_at !== null;
      await changeChallenge(work.db, caller.worldId, challenge.id, {
        sent_at: challenge.sent_at ?? row.asked_at,
        ...(!isVerified && { verified_at: now, verified_by: recipientOf(service, held.user)?.channel ?? null }),
      });
    });
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return saveNotice(wrong);
  }
}

/** Consumes the claim's quota. If none is left, shows the visitor a wait, regardless of the user. */
async function hasQuota(
  service: Service,
  { row, caller }: Visit,
  use: 'codes' | 'tries',
  ip: string | undefined,
): Promise<boolean> {
  try {
    await consumeClaimQuota(withoutTransaction(service, caller), use, ip);
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const until = new Date(service.now().getTime() + (error.retryAfterSeconds ?? 0) * 1000);
    await changeVisit(service.db, row, { notice: use === 'codes' ? 'wait' : 'locked', notice_until: until });
    return false;
  }
}

/** Creates a code and sends it if there is a recipient. Otherwise performs the same database work. */
async function sendLater(
  service: Service,
  { row, caller }: Visit,
  { externalUser }: OpenChallenge,
  askedAt: Date,
): Promise<void> {
  const { db, vault, sender, publicUrl } = service;
  await pause(randomInt(maxDelayMs), undefined, { ref: false });
  const recipient = recipientOf(service, await findUserByExternalId(db, caller.worldId, externalUser));
  const to = recipient && methods[recipient.channel].normalise(recipient.to);
  const hasCode = await consumeCodeToAddress(withoutTransaction(service, caller), to ?? externalUser);
  const code = createCode(randomBytes);
  const isSent = recipient !== undefined && hasCode;
  const hash = isSent ? hashCode(code, row.id, vault.codeKeys()[0]) : randomBytes(32);
  const isNewest = await storeCodeHash(db, row, { askedAt, hash });
  if (!isSent || !isNewest) return;
  const challenged = await findChallengedBrowser(service, caller, row.challenge_id);
  await sender.sendCode({
    ...recipient,
    code,
    attempt: challenged && describeAttempt(service, challenged),
    disownUrl: disownUrlOf(service, caller, row.challenge_id),
    expiresInMinutes: codeLimits.lifetimeMinutes,
    project: { name: caller.project.name, origin: new URL(publicUrl).origin },
  });
}

function recipientOf(service: Service, user: UserRow | undefined) {
  if (!user || user.status === 'suspended') return undefined;
  const channel = chooseChannel(user, service.sender.channels, undefined);
  const to = channel && addressOf(service, user, channel);
  return channel && to !== undefined ? { channel, to, language: languageOf(user) } : undefined;
}
