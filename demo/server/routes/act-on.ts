import type { Reason, Verdict } from 'whorl/wire';
import { type Demo, logInReply, type Reply, type Visit } from '../demo.js';
import { Refusal } from '../http/refusal.js';
import type { Judged, Session } from '../users/sessions.js';
import type { User } from '../users/users.js';
import { viewOf } from './session.js';

/** What is used of an evaluation, or of one that was consumed. */
interface Evaluated {
  readonly verdict: Verdict;
  readonly reasons: readonly Reason[];
  readonly device_id?: string;
  readonly device_token?: string;
  readonly challenge_id?: string;
  readonly challenge_url?: string;
}

/**
 * Carries a verdict out.
 *
 * @throws Refusal for `deny`.
 */
export async function actOn(demo: Demo, visit: Visit, user: User, evaluation: Evaluated): Promise<Reply> {
  const { verdict, reasons, device_id, device_token, challenge_id, challenge_url } = evaluation;
  const judged = { verdict, reasons, deviceId: device_id, deviceToken: device_token };
  if (verdict === 'allow') return enter(demo, visit, { userId: user.id, rights: 'all', byCode: false, judged });
  if (verdict === 'restrict') return enter(demo, visit, { userId: user.id, rights: 'few', byCode: false, judged });
  if (verdict === 'deny' || challenge_id === undefined) {
    throw new Refusal(403, 'denied', 'This was refused.', { reasons });
  }
  const challenge = { step: 'challenge', userId: user.id, challengeId: challenge_id, judged } as const;
  if (visit.fields.challenge_page === 'service' && challenge_url) {
    return begin(demo, visit, { ...challenge, page: 'service', channels: [] }, { pageUrl: challenge_url });
  }
  const { channels } = await demo.whorl.challenges.open(challenge_id);
  return begin(demo, visit, { ...challenge, page: 'own', channels });
}

interface Entry {
  readonly userId: string;
  readonly rights: 'all' | 'few';
  readonly byCode: boolean;
  readonly judged: Judged;
}

/** Lets somebody in. */
export function enter(demo: Demo, visit: Visit, entry: Entry): Reply {
  return begin(demo, visit, { step: 'signed_in', ...entry });
}

/**
 * Goes on in a session with a new id: whoever slipped the visitor an old one has nothing of it.
 *
 * @param once What the page is told now, and not again.
 */
export function begin(demo: Demo, { sessionId }: Visit, session: Session, once: { pageUrl?: string } = {}): Reply {
  if (sessionId) demo.sessions.end(sessionId);
  return logInReply({ ...viewOf(demo, session), ...once }, demo.sessions.begin(session));
}
