import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { LogIn, SessionResponse } from '../api.js';
import type { DemoContext, Handler } from '../demo.js';
import { Refusal } from '../http/errors.js';
import { cookieOptions } from '../http/middleware.js';
import type { Session } from '../users/sessions.js';

const COOKIE = 'session';

/** GET /api/session: the options for the page, and the visitor's state. */
export const readSession: Handler = (c) => {
  const { project, site } = c.var.demo;
  const whorl = { clientId: project.clientId, baseUrl: site.serviceOf(c.req.header('Host')) };
  return c.json({ whorl, logIn: viewOf(c, findSession(c)?.session) } satisfies SessionResponse);
};

/** POST /api/log-out: ends the session here. The service still recognises the device. */
export const logOut: Handler = (c) => endSession(c);

/**
 * Starts a session with a new ID, which prevents session fixation.
 *
 * @param once Data for this response only.
 */
export function beginSession(c: DemoContext, session: Session, once: { pageUrl?: string } = {}): Response {
  const { sessions } = c.var.demo;
  const old = getCookie(c, COOKIE);
  if (old) sessions.end(old);
  setCookie(c, COOKIE, sessions.begin(session), cookieOptions);
  return c.json({ logIn: { ...viewOf(c, session), ...once } });
}

export function endSession(c: DemoContext): Response {
  const id = getCookie(c, COOKIE);
  if (id) c.var.demo.sessions.end(id);
  deleteCookie(c, COOKIE, cookieOptions);
  return c.json({ logIn: { step: 'signed_out' } satisfies LogIn });
}

/** Returns the session of a visitor at this step. @throws Refusal for other visitors. */
export function sessionAt<Step extends Session['step']>(
  c: DemoContext,
  step: Step,
): { id: string; session: Extract<Session, { step: Step }> } {
  const found = findSession(c);
  if (found && isAt(found.session, step)) return { id: found.id, session: found.session };
  throw new Refusal(401, 'not_there', 'This login has expired. Log in again.');
}

/** Returns the part of a session that the page may see. */
export function viewOf(c: DemoContext, session: Session | undefined): LogIn {
  if (!session) return { step: 'signed_out' };
  if (session.step === 'evaluate') return { step: 'evaluate', user: session.userId };
  const { verdict, reasons, deviceToken } = session.judged;
  if (session.step === 'challenge') {
    const { page, channels, sent } = session;
    return { step: 'challenge', page, verdict, reasons, channels, ...(sent && { sent }) };
  }
  const { rights, byCode, userId } = session;
  const email = c.var.demo.users.withId(userId)?.email ?? '';
  return { step: 'signed_in', email, rights, verdict, reasons, byCode, ...(deviceToken && { deviceToken }) };
}

function findSession(c: DemoContext): { id: string; session: Session } | undefined {
  const id = getCookie(c, COOKIE);
  const session = id && c.var.demo.sessions.find(id);
  return id && session ? { id, session } : undefined;
}

function isAt<Step extends Session['step']>(session: Session, step: Step): session is Extract<Session, { step: Step }> {
  return session.step === step;
}
