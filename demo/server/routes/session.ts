import type { LogIn, SessionAnswer } from '../api.js';
import { type Demo, type Handler, logInReply, type Visit } from '../demo.js';
import { Refusal } from '../http/refusal.js';
import type { Session } from '../users/sessions.js';

/** GET /api/session */
export const readSession: Handler = async (demo, visit) => {
  const { clientId } = demo.project;
  const answer: SessionAnswer = {
    whorl: { clientId, baseUrl: visit.serviceUrl },
    logIn: viewOf(demo, findSession(demo, visit)),
  };
  return { status: 200, answer };
};

/** POST /api/log-out: here alone. The device stays known to the service. */
export const logOut: Handler = async (demo, { sessionId }) => {
  if (sessionId) demo.sessions.end(sessionId);
  return logInReply({ step: 'signed_out' }, null);
};

/** What a page may know of a session. */
export function viewOf({ users }: Pick<Demo, 'users'>, session: Session | undefined): LogIn {
  if (!session) return { step: 'signed_out' };
  if (session.step === 'evaluate') return { step: 'evaluate', user: session.userId };
  const { verdict, reasons, deviceToken } = session.judged;
  if (session.step === 'challenge') {
    const { page, channels, sent } = session;
    return { step: 'challenge', page, verdict, reasons, channels, ...(sent && { sent }) };
  }
  const { rights, byCode, userId } = session;
  const email = users.withId(userId)?.email ?? '';
  return { step: 'signed_in', email, rights, verdict, reasons, byCode, ...(deviceToken && { deviceToken }) };
}

/** The session of a visitor who has come to a step. @throws Refusal for others. */
export function sessionAt<Step extends Session['step']>(
  demo: Demo,
  visit: Visit,
  step: Step,
): { id: string; session: Extract<Session, { step: Step }> } {
  const session = findSession(demo, visit);
  if (visit.sessionId && session && isAt(session, step)) return { id: visit.sessionId, session };
  throw new Refusal(401, 'not_there', 'This login is over. Log in again.');
}

function findSession({ sessions }: Demo, { sessionId }: Visit): Session | undefined {
  return sessionId ? sessions.find(sessionId) : undefined;
}

function isAt<Step extends Session['step']>(session: Session, step: Step): session is Extract<Session, { step: Step }> {
  return session.step === step;
}
