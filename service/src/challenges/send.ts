import { randomBytes } from 'node:crypto';
import type { Channel, SendResponse } from 'whorl/wire';
import { ApiError } from '../ground/errors.js';
import { DeliveryUnavailable } from '../ground/messages/message.js';
import { loadChallengeView } from '../resources/challenges/present.js';
import { changeChallenge } from '../resources/challenges/queries.js';
import { chooseChannel, explainNoChannel } from '../resources/challenges/rules/channels.js';
import { methods } from '../resources/challenges/rules/methods/methods.js';
import { needsOwnFactor, ownFactorDetail } from '../resources/challenges/rules/own-factor.js';
import { emit } from '../resources/events/emit.js';
import type { Caller, Service } from '../resources/service.js';
import type { UserRow } from '../resources/users/queries/users.js';
import { type ChallengedBrowser, challengedBrowserOf, describeAttempt } from './attempt.js';
import { disownUrlOf } from './disown-url.js';
import { type ConsumedCode, consumeCodes, releaseCodes } from './quotas.js';
import { codeExpiry, codeLimits, createCode, hashCode, refusalOfSend } from './rules/codes.js';
import { type HeldChallenge, requireNotRevoked, requireTransition, withChallenge } from './with-challenge.js';

export interface SendOptions {
  /** Default: the first channel that is configured and for which the user has an address. */
  readonly channel?: Channel | undefined;
  /** Whether the user requests the code on the managed challenge page and enters it there. Default: false. */
  readonly onPage?: boolean;
}

/** Message that is about to be sent. No other message is sent for its challenge in the meantime. */
interface PreparedCode {
  /** ID of the challenge. It differs from the claim's if the same challenge was already open. */
  readonly id: string;
  readonly channel: Channel;
  readonly to: string;
  readonly language: string;
  readonly challenged: ChallengedBrowser;
  readonly consumed: readonly ConsumedCode[];
  /** Time until which no other message is sent. */
  readonly sendingUntil: Date;
}

/**
 * Sends a new code, which invalidates the previous one (docs/challenges.md). The message is sent between two
 * transactions, and the first one prevents others from sending in the meantime. If it cannot be sent, the previous code
 * stays valid and the quotas are restored.
 *
 * @throws {ApiError} `not_found`, `challenge_closed`, `no_channel`, `own_factor_required`, `rate_limited`,
 *   `unavailable`
 */
export async function sendChallenge(
  service: Service,
  caller: Caller,
  id: string,
  { channel, onPage = false }: SendOptions = {},
): Promise<SendResponse> {
  const prepared = await withChallenge(service, caller, id, (held) => prepare(held, channel));
  const code = createCode(randomBytes);
  try {
    await service.sender.sendCode({
      channel: prepared.channel,
      to: prepared.to,
      code,
      expiresInMinutes: codeLimits.lifetimeMinutes,
      project: { name: caller.project.name, origin: siteOf(service, caller, onPage) },
      attempt: describeAttempt(service, prepared.challenged),
      disownUrl: disownUrlOf(service, caller, prepared.id),
      language: prepared.language,
    });
  } catch (cause) {
    // Attempts to send to an unreachable address count, or they could be repeated without limit.
    if (isUnreachableAddress(cause))
      throw new ApiError('no_channel', { detail: "Messages to the user's address cannot be delivered.", cause });
    await withChallenge(service, caller, prepared.id, (held) => cancel(held, prepared));
    if (!(cause instanceof DeliveryUnavailable)) throw cause;
    const detail = 'The code could not be sent. Try again later.';
    throw new ApiError('unavailable', { detail, retryAfterSeconds: 30, cause });
  }
  return withChallenge(service, caller, prepared.id, (held) => recordSent(held, prepared, code));
}

/** Reserves sending a message: consumes the quotas, which are released if it cannot be sent. */
async function prepare(held: HeldChallenge, requested: Channel | undefined): Promise<PreparedCode> {
  const { work, challenge, user } = held;
  const now = work.now();
  requireTransition(challenge, 'send', now);
  await requireNotRevoked(held);
  if (needsOwnFactor(work.caller.settings, challenge)) {
    throw new ApiError('own_factor_required', { detail: ownFactorDetail });
  }
  const { channels } = work.sender;
  const channel = chooseChannel(user, channels, requested);
  const to = channel && addressOf(work, user, channel);
  if (!channel || to === undefined) {
    throw new ApiError('no_channel', { detail: explainNoChannel(user, channels, requested) });
  }
  const refusal = refusalOfSend(challenge, now);
  if (refusal) {
    const { reason, retryAfterSeconds } = refusal;
    throw new ApiError('rate_limited', { detail: reason, ...(retryAfterSeconds && { retryAfterSeconds }) });
  }
  const consumed = await consumeCodes(work, { channel, to: methods[channel].normalise(to) });
  const sendingUntil = new Date(now.getTime() + codeLimits.resendAfterSeconds * 1000);
  await changeChallenge(work.db, challenge.world_id, challenge.id, { sending_until: sendingUntil });
  const challenged = await challengedBrowserOf(work.db, challenge);
  return { id: challenge.id, channel, to, language: languageOf(user), challenged, consumed, sendingUntil };
}

async function cancel({ work, challenge }: HeldChallenge, { consumed, sendingUntil }: PreparedCode): Promise<void> {
  await releaseCodes(work.db, consumed);
  // After `sendingUntil`, another message may be being sent for the challenge.
  if (challenge.sending_until?.getTime() !== sendingUntil.getTime()) return;
  await changeChallenge(work.db, challenge.world_id, challenge.id, { sending_until: null });
}

async function recordSent(
  { work, challenge, user }: HeldChallenge,
  { channel, to }: PreparedCode,
  code: string,
): Promise<SendResponse> {
  const now = work.now();
  // The challenge may have been closed while the message was being sent.
  requireTransition(challenge, 'send', now);
  const expiresAt = codeExpiry(now);
  const sent = await changeChallenge(work.db, challenge.world_id, challenge.id, {
    code_hash: hashCode(code, challenge.id, work.vault.codeKeys()[0]),
    code_channel: channel,
    code_expires_at: expiresAt,
    code_tries: 0,
    sends: challenge.sends + 1,
    sent_at: now,
    sending_until: null,
  });
  const view = await loadChallengeView(work, sent);
  await emit(work, 'challenge.pending', { challenge: view }, { userId: user.id });
  return {
    challenge_id: challenge.id,
    channel,
    sent_to: methods[channel].mask(to),
    expires_at: expiresAt.toISOString(),
  };
}

/** Returns a user's decrypted address on a channel. */
export function addressOf({ vault }: Service, user: UserRow, channel: Channel): string | undefined {
  const { contact, context } = methods[channel];
  const sealed = user[contact];
  return sealed ? vault.open(sealed, context) : undefined;
}

/** Returns the language of messages to a user: `metadata.language`, otherwise English. */
export function languageOf({ metadata: { language } }: Pick<UserRow, 'metadata'>): string {
  return typeof language === 'string' ? language : 'en';
}

/**
 * Returns the origin that a text message's code is bound to: the service's if the code is entered on the challenge page,
 * otherwise the project's, if it has exactly one.
 */
function siteOf({ publicUrl }: Service, { settings }: Caller, onPage: boolean): string | undefined {
  if (onPage) return new URL(publicUrl).origin;
  const [origin, ...others] = settings.allowed_origins;
  return others.length === 0 ? origin : undefined;
}

function isUnreachableAddress(cause: unknown): boolean {
  return cause instanceof DeliveryUnavailable && cause.failure === 'recipient';
}
