import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { WhorlApiError } from 'whorl/server';
import type { Channel } from 'whorl/wire';
import type { Handler } from '../demo.js';
import { Refusal } from '../http/errors.js';
import { optionalText, text } from '../http/fields.js';
import { beginSession, sessionAt, viewOf } from './session.js';

/** Less than the wait between two codes: the client would otherwise wait it out by itself. */
const SEND_TIMEOUT_MS = 4_000;

/** POST /api/challenge/send: sends a code, by `channel` if the page gives one. */
export const sendCode: Handler = async (c) => {
  const { whorl, sessions } = c.var.demo;
  const { id, session } = sessionAt(c, 'challenge');
  const channel = readChannel(optionalText(c.var.fields, 'channel', 16));
  const sent = await explained(
    whorl.challenges.send(session.challengeId, channel && { channel }, { timeoutMs: SEND_TIMEOUT_MS }),
  );
  const next = { ...session, sent: { channel: sent.channel, to: sent.sent_to } };
  sessions.update(id, next);
  return c.json({ logIn: viewOf(c, next) });
};

/** POST /api/challenge/verify: logs in with the right code, and completes the challenge. Device and address are then trusted. */
export const verifyCode: Handler = async (c) => {
  const { challenges } = c.var.demo.whorl;
  const { session } = sessionAt(c, 'challenge');
  const { userId, judged, challengeId } = session;
  const code = text(c.var.fields, 'code', 32).replace(/\s/g, '');
  const { success, attempts_remaining } = await explained(challenges.verify(challengeId, { code }));
  if (!success) throw new Refusal(422, 'wrong_code', `This code is wrong. ${triesLeft(attempts_remaining)}`);
  await explained(challenges.complete(challengeId));
  return beginSession(c, { step: 'signed_in', userId, rights: 'all', byCode: true, judged });
};

/**
 * POST /api/challenge/check: logs in if the challenge was completed on the service's page. That the visitor came back
 * from there proves nothing, so the server asks the service.
 */
export const checkChallenge: Handler = async (c) => {
  const { session } = sessionAt(c, 'challenge');
  const { userId, judged, challengeId } = session;
  const { status } = await c.var.demo.whorl.challenges.retrieve(challengeId);
  if (status === 'completed') {
    return beginSession(c, { step: 'signed_in', userId, rights: 'all', byCode: true, judged });
  }
  if (status === 'pending') throw new Refusal(409, 'not_completed', 'The code was not entered there yet.');
  throw new Refusal(401, 'not_there', 'This login is over. Log in again.');
};

function readChannel(name: string | undefined): Channel | undefined {
  if (name === undefined || name === 'email' || name === 'text') return name;
  throw new Refusal(400, 'invalid_request', '"channel" must be email or text.');
}

function triesLeft(count: number | undefined): string {
  if (count === undefined) return '';
  return count === 0 ? 'It cannot be tried again: send a new one.' : `${count} ${count === 1 ? 'try' : 'tries'} left.`;
}

type Explanation = readonly [status: ContentfulStatusCode, message: string];

const explanations: Readonly<Partial<Record<WhorlApiError['code'], Explanation>>> = {
  code_not_sent: [409, 'No code was sent yet.'],
  code_expired: [410, 'This code is too old. Send a new one.'],
  challenge_closed: [409, 'This login is over. Log in again.'],
  no_channel: [422, 'There is no address that a code can be sent to.'],
};

/** Tells the visitor in words what the service has refused. @throws Refusal */
async function explained<Answer>(call: Promise<Answer>): Promise<Answer> {
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
    return [429, waitSeconds === undefined ? 'Too many tries. Send a new code.' : wait];
  }
  if (code !== 'rate_limited') return undefined;
  const wait = `A new code can be sent in ${waitSeconds} seconds.`;
  return [429, waitSeconds === undefined ? 'No more codes can be sent for this login.' : wait];
}
