import { codeLimits } from './codes.js';

/** What is on record about the codes of a challenge. */
export interface SentCodes {
  readonly sends: number;
  readonly sent_at: Date | null;
  /** Until when a code that is on its way to the provider is given time. */
  readonly sending_until: Date | null;
}

/** Why no code may be sent now. Without a time, waiting does not help. */
export interface SendRefusal {
  readonly reason: string;
  readonly retryAfterSeconds?: number;
}

/** What stands in the way of another code for the same challenge; undefined where it may be sent. */
export function refusalOfSend({ sends, sent_at, sending_until }: SentCodes, now: Date): SendRefusal | undefined {
  if (sending_until && sending_until > now) {
    return { reason: 'A code is on its way.', retryAfterSeconds: secondsUntil(sending_until, now) };
  }
  if (sends >= codeLimits.sendsPerChallenge) {
    return { reason: `A challenge sends ${codeLimits.sendsPerChallenge} codes at most.` };
  }
  const next = sent_at && new Date(sent_at.getTime() + codeLimits.resendAfterSeconds * 1000);
  if (next && next > now) {
    return {
      reason: `A code can be sent every ${codeLimits.resendAfterSeconds} seconds.`,
      retryAfterSeconds: secondsUntil(next, now),
    };
  }
  return undefined;
}

function secondsUntil(end: Date, now: Date): number {
  return Math.ceil((end.getTime() - now.getTime()) / 1000);
}
