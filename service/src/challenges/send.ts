import { randomBytes } from 'node:crypto';
import type { Channel, SendAnswer } from 'whorl/wire';
import { ApiError } from '../errors.js';
import { DeliveryUnavailable } from '../messages/message.js';
import type { Caller, Service } from '../service.js';
import type { UserRow } from '../users/queries/users.js';
import { parseEmail } from '../users/rules/contacts.js';
import { maskEmail, maskPhone } from '../users/rules/mask.js';
import { emit } from '../webhooks/emit.js';
import { changeChallenge } from './queries.js';
import { giveBackCodes, type TakenCode, takeCode } from './quotas.js';
import { chooseChannel, explainNoChannel } from './rules/channels.js';
import { codeExpiry, codeLimits, createCode, hashCode, refusalOfSend } from './rules/codes.js';
import { loadChallengeView } from './views.js';
import { type HeldChallenge, requireStanding, requireTransition, withChallenge } from './with-challenge.js';

export interface SendOptions {
  /** Default: the first on which the user has an address and the service can send. */
  readonly channel?: Channel | undefined;
  /** Whether the code is asked for by the managed challenge page, where it is entered then. Default: false. */
  readonly onPage?: boolean;
}

/** A message that may go out: nobody else sends for this challenge meanwhile. */
interface PreparedCode {
  /** Of the challenge, which is another one than the claim's where the same was open already. */
  readonly id: string;
  readonly channel: Channel;
  readonly to: string;
  readonly language: string;
  readonly taken: readonly TakenCode[];
  /** Until when it is given time. */
  readonly sendingUntil: Date;
}

/**
 * Sends a new code, which voids the one before (docs/challenges.md). The message goes out between two transactions; the
 * first keeps all others from sending for so long. Where it cannot be sent, all is as before: the old code, and what may
 * still be sent.
 *
 * @throws {ApiError} `not_found`, `challenge_closed`, `no_channel`, `rate_limited`, `unavailable`
 */
export async function sendChallenge(
  service: Service,
  caller: Caller,
  id: string,
  { channel, onPage = false }: SendOptions = {},
): Promise<SendAnswer> {
  const prepared = await withChallenge(service, caller, id, (held) => prepare(held, channel));
  const code = createCode(randomBytes);
  try {
    await service.sender.sendCode({
      channel: prepared.channel,
      to: prepared.to,
      code,
      expiresInMinutes: codeLimits.lifetimeMinutes,
      project: { name: caller.project.name, origin: siteOf(service, caller, onPage) },
      language: prepared.language,
    });
  } catch (cause) {
    // An address that nothing reaches stays counted, or it could be tried without end.
    if (isDeadAddress(cause))
      throw new ApiError('no_channel', { detail: "Nothing reaches the user's address.", cause });
    await withChallenge(service, caller, prepared.id, (held) => giveUp(held, prepared));
    if (!(cause instanceof DeliveryUnavailable)) throw cause;
    throw new ApiError('unavailable', { detail: 'The code could not be sent.', retryAfterSeconds: 30, cause });
  }
  return withChallenge(service, caller, prepared.id, (held) => confirm(held, prepared, code));
}

/** Takes the right to send: what is taken here is given back where the message does not go out. */
async function prepare(held: HeldChallenge, asked: Channel | undefined): Promise<PreparedCode> {
  const { scope, challenge, user } = held;
  const now = scope.now();
  requireTransition(challenge, 'send', now);
  await requireStanding(held);
  const { channels } = scope.sender;
  const channel = chooseChannel(user, channels, asked);
  const to = channel && addressOf(scope, user, channel);
  if (!channel || to === undefined) {
    throw new ApiError('no_channel', { detail: explainNoChannel(user, channels, asked) });
  }
  const refusal = refusalOfSend(challenge, now);
  if (refusal) {
    const { reason, retryAfterSeconds } = refusal;
    throw new ApiError('rate_limited', { detail: reason, ...(retryAfterSeconds && { retryAfterSeconds }) });
  }
  const taken = await takeCode(scope, { channel, to: normalisedAddress(channel, to) });
  const sendingUntil = new Date(now.getTime() + codeLimits.resendAfterSeconds * 1000);
  await changeChallenge(scope.db, challenge.world_id, challenge.id, { sending_until: sendingUntil });
  return { id: challenge.id, channel, to, language: languageOf(user), taken, sendingUntil };
}

async function giveUp({ scope, challenge }: HeldChallenge, { taken, sendingUntil }: PreparedCode): Promise<void> {
  await giveBackCodes(scope.db, taken);
  // After its time another message may be on its way, and have the challenge for itself.
  if (challenge.sending_until?.getTime() !== sendingUntil.getTime()) return;
  await changeChallenge(scope.db, challenge.world_id, challenge.id, { sending_until: null });
}

async function confirm(
  { scope, challenge, user }: HeldChallenge,
  { channel, to }: PreparedCode,
  code: string,
): Promise<SendAnswer> {
  const now = scope.now();
  // It may have been closed while the message was on its way.
  requireTransition(challenge, 'send', now);
  const expiresAt = codeExpiry(now);
  const sent = await changeChallenge(scope.db, challenge.world_id, challenge.id, {
    code_hash: hashCode(code, challenge.id, scope.vault.codeKeys()[0]),
    code_channel: channel,
    code_expires_at: expiresAt,
    code_tries: 0,
    sends: challenge.sends + 1,
    sent_at: now,
    sending_until: null,
  });
  const view = await loadChallengeView(scope, sent);
  await emit(scope, 'challenge.pending', { challenge: view }, { userId: user.id });
  return {
    challenge_id: challenge.id,
    channel,
    sent_to: channel === 'email' ? maskEmail(to) : maskPhone(to),
    expires_at: expiresAt.toISOString(),
  };
}

/** Returns a user's address on a channel, opened. */
export function addressOf({ vault }: Service, { email, phone }: UserRow, channel: Channel): string | undefined {
  if (channel === 'email') return email ? vault.open(email, 'user.email') : undefined;
  return phone ? vault.open(phone, 'user.phone') : undefined;
}

/** All spellings of one mailbox share what may be sent to it. */
export function normalisedAddress(channel: Channel, to: string): string {
  return channel === 'email' ? (parseEmail(to)?.normalised ?? to) : to;
}

/** The language of messages to a user: `metadata.language`, or English. */
export function languageOf({ metadata: { language } }: Pick<UserRow, 'metadata'>): string {
  return typeof language === 'string' ? language : 'en';
}

/** The site that a text message's code is bound to: ours, where it is entered here, or the project's, if it has one alone. */
function siteOf({ publicUrl }: Service, { settings }: Caller, onPage: boolean): string | undefined {
  if (onPage) return new URL(publicUrl).origin;
  const [origin, ...others] = settings.allowed_origins;
  return others.length === 0 ? origin : undefined;
}

function isDeadAddress(cause: unknown): boolean {
  return cause instanceof DeliveryUnavailable && cause.failure === 'recipient';
}
