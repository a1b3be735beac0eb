import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { WhorlApiError } from 'whorl/server';
import type { Channel } from 'whorl/wire';
import type { Handler } from '../demo.js';
import { Refusal } from '../http/errors.js';
import { optionalText, text } from '../http/fields.js';
import { beginSession, sessionAt, viewOf } from './session.js';

/** Shorter than the wait between two codes, so that the client does not retry after that wait. */
const SEND_TIMEOUT_MS = 4_000;

/** POST /api/challenge/send: sends a code, by the given `channel`, if any. */
export const sendCode: Handler = async (c) => {
  const { whorl, sessions } = c.var.demo;
  const { id, session } = sessionAt(c, 'challenge');
  const channel = readChannel(optionalText(c.var.fields, 'channel', 16));
  const sent = await withExplanation(
    whorl.challenges.send(session.challengeId, channel && { channel }, { timeoutMs: SEND_TIMEOUT_MS }),
  );
  const next = { ...session, sent: { channel: sent.channel, to: sent.sent_to } };
  sessions.update(id, next);
  return c.json({ logIn: viewOf(c, next) });
};

/**
 * POST /api/challenge/verify: with the correct code, logs the user in and completes the challenge. The device and the
 * address are then trusted.
 */
export const verifyCode: Handler = async (c) => {
  const { sessions, whorl } = c.var.demo;
  const { challenges } = whorl;
  const { id, session } = sessionAt(c, 'challenge');
  const { userId, judged, challengeId } = session;
  const code = text(c.var.fields, 'code', 32).replace(/\s/g, '');
  const {
    success,
    attempts_remaining: left,
    resend_after_seconds: waitSeconds,
  } = await withExplanation(challenges.verify(challengeId, { code }));
  if (!success && left === 0) {
    // The page must not ask for this code again.
    const { sent: _, ...next } = session;
    sessions.update(id, next);
    const more = { ...(waitSeconds && { waitSeconds }), logIn: viewOf(c, next) };
    throw new Refusal(429, 'too_many_attempts', usedUp(waitSeconds), more);
  }
  if (!success) {
    throw new Refusal(422, 'wrong_code', `This code is wrong. ${left} ${left === 1 ? 'attempt' : 'attempts'} left.`);
  }
  await withExplanation(challenges.complete(challengeId));
  return beginSession(c, { step: 'signed_in', userId, rights: 'all', byCode: true, judged });
};

/**
 * POST /api/challenge/check: logs the user in if the challenge was completed on the service's page. The visitor's
 * return proves nothing, so the server asks the service.
 */
export const checkChallenge: Handler = async (c) => {
  const { session } = sessionAt(c, 'challenge');
  const { userId, judged, challengeId } = session;
  const { status } = await c.var.demo.whorl.challenges.retrieve(challengeId);
  if (status === 'completed') {
    return beginSession(c, { step: 'signed_in', userId, rights: 'all', byCode: true, judged });
  }
  if (status === 'pending')
    throw new Refusal(
      409,
      'not_completed',
      'The code has not been entered on the challenge page yet. Enter it there first.',
    );
  throw new Refusal(401, 'not_there', 'This login has expired. Log in again.');
};

function readChannel(name: string | undefined): Channel | undefined {
  if (name === undefined || name === 'email' || name === 'text') return name;
  throw new Refusal(400, 'invalid_request', '"channel" must be email or text.');
}

function usedUp(waitSeconds: number | undefined): string {
  if (waitSeconds === undefined) return 'Too many wrong codes. No more codes can be sent for this login. Log in again.';
  return `Too many wrong codes. ${waitSeconds > 0 ? `You can request a new one in ${waitSeconds} seconds.` : 'Request a new one.'}`;
}

type Explanation = readonly [status: ContentfulStatusCode, message: string];

const explanations: Readonly<Partial<Record<WhorlApiError['code'], Explanation>>> = {
  code_not_sent: [409, 'No code has been sent yet. Send one first.'],
  code_expired: [410, 'This code has expired. Send a new one.'],
  challenge_closed: [409, 'This login has expired. Log in again.'],
  no_channel: [422, 'This account has no address for codes. Log in again with another account.'],
};

/** Replaces the service's errors with texts for the visitor. @throws Refusal */
async function withExplanation<Answer>(call: Promise<Answer>): Promise<Answer> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof WhorlApiError)) throw error;
    const { code, retryAfterSeconds: waitSeconds } = error;
    const [status, message] = explanations[code] ?? explainLimit(code, waitSeconds) ?? [];
    if (!status || !message) throw error;
    throw new Refusal(status, code, message, waitSeconds === undefined ? {} : { waitSeconds });
  }
}

function explainLimit(code: WhorlApiError['code'], waitSeconds: number | undefined): Explanation | undefined {
  if (code === 'too_many_attempts') {
    const wait = `Too many wrong codes. Try again in ${waitSeconds} seconds.`;
    return [429, waitSeconds === undefined ? 'Too many attempts. Send a new code.' : wait];
  }
  if (code !== 'rate_limited') return undefined;
  const wait = `A new code can be sent in ${waitSeconds} seconds.`;
  return [429, waitSeconds === undefined ? 'No more codes can be sent for this login. Log in again.' : wait];
}
