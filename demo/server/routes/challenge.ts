import { WhorlApiError } from 'whorl/server';
import type { Channel } from 'whorl/wire';
import { type Handler, logInReply } from '../demo.js';
import { optionalText, text } from '../http/fields.js';
import { Refusal } from '../http/refusal.js';
import { enter } from './act-on.js';
import { sessionAt, viewOf } from './session.js';

/** Less than the time between two codes, or the client would wait that out by itself. */
const SEND_TIMEOUT_MS = 4_000;

/** POST /api/challenge/send, with `channel` where there is a choice. */
export const sendCode: Handler = async (demo, visit) => {
  const { id, session } = sessionAt(demo, visit, 'challenge');
  const channel = readChannel(optionalText(visit.fields, 'channel', 16));
  const sent = await explained(
    demo.whorl.challenges.send(session.challengeId, channel && { channel }, { timeoutMs: SEND_TIMEOUT_MS }),
  );
  const next = { ...session, sent: { channel: sent.channel, to: sent.sent_to } };
  demo.sessions.update(id, next);
  return logInReply(viewOf(demo, next));
};

/** POST /api/challenge/verify. A right code lets in, and completes the challenge: device and address are trusted then. */
export const verifyCode: Handler = async (demo, visit) => {
  const { session } = sessionAt(demo, visit, 'challenge');
  const { challenges } = demo.whorl;
  const code = text(visit.fields, 'code', 32).replace(/\s/g, '');
  const { success, attempts_remaining } = await explained(challenges.verify(session.challengeId, { code }));
  if (!success) throw new Refusal(422, 'wrong_code', `This code is wrong. ${triesLeft(attempts_remaining)}`);
  await explained(challenges.complete(session.challengeId));
  const { userId, judged } = session;
  return enter(demo, visit, { userId, rights: 'all', byCode: true, judged });
};

/** POST /api/challenge/check: whether the service's page has completed the challenge. That somebody came back proves nothing. */
export const checkChallenge: Handler = async (demo, visit) => {
  const { session } = sessionAt(demo, visit, 'challenge');
  const { userId, judged, challengeId } = session;
  const { status } = await demo.whorl.challenges.retrieve(challengeId);
  if (status === 'completed') return enter(demo, visit, { userId, rights: 'all', byCode: true, judged });
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

const sentences: Readonly<Partial<Record<WhorlApiError['code'], string>>> = {
  code_not_sent: 'No code was sent yet.',
  code_expired: 'This code is too old. Send a new one.',
  challenge_closed: 'This login is over. Log in again.',
  no_channel: 'There is no address that a code can be sent to.',
};

/** Makes sentences for the visitor of what the service refuses. */
async function explained<Answer>(call: Promise<Answer>): Promise<Answer> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof WhorlApiError)) throw error;
    const { code, status, retryAfterSeconds } = error;
    const message = sentences[code] ?? sentenceOfLimit(code, retryAfterSeconds);
    if (!message) throw error;
    throw new Refusal(status, code, message, {
      ...(retryAfterSeconds !== undefined && { waitSeconds: retryAfterSeconds }),
    });
  }
}

function sentenceOfLimit(code: WhorlApiError['code'], waitSeconds: number | undefined): string | undefined {
  const wait = waitSeconds === undefined ? '' : ` Try again in ${waitSeconds} seconds.`;
  if (code === 'too_many_attempts') return wait ? `Too many wrong codes.${wait}` : 'Too many tries. Send a new code.';
  if (code !== 'rate_limited') return undefined;
  return waitSeconds === undefined
    ? 'No more codes can be sent for this login.'
    : `A new code can be sent in ${waitSeconds} seconds.`;
}
