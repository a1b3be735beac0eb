import { getConnInfo } from '@hono/node-server/conninfo';
import { browserOf } from 'whorl/server';
import type { NonceResponse } from '../api.js';
import type { DemoContext, Handler } from '../demo.js';
import { Refusal } from '../http/errors.js';
import { text } from '../http/fields.js';
import { matchesPassword } from '../users/passwords.js';
import type { User } from '../users/users.js';
import { actOn } from './act-on.js';
import { beginSession, sessionAt } from './session.js';

const ACTION = 'login';
const MAX_TOKEN_LENGTH = 4096;

/**
 * POST /api/nonce, for the server flow: the page calls `collect` with it. The page could request it from the service
 * directly, with the publishable key. Through its own server, the page needs no key and no second origin.
 */
export const createNonce: Handler = async (c) => {
  const { nonce } = await c.var.demo.whorl.devices.nonce();
  return c.json({ nonce } satisfies NonceResponse);
};

/** POST /api/log-in, the server flow: the page sends what `collect` returned, and this server asks the service. */
export const logIn: Handler = async (c) => {
  const user = await authenticate(c);
  const evaluation = await c.var.demo.whorl.evaluate({
    action: ACTION,
    user: user.id,
    ...contactOf(user),
    ...visitOf(c),
  });
  return actOn(c, user, evaluation);
};

/**
 * POST /api/password, the first half of the browser flow: returns the user for whom the page has to call `evaluate`.
 */
export const checkPassword: Handler = async (c) => {
  const { id } = await authenticate(c);
  return beginSession(c, { step: 'evaluate', userId: id });
};

/**
 * POST /api/token, the second half. The token is only a hint. The evaluation behind it counts: it is consumed, once,
 * for the user whose password was correct.
 */
export const consumeToken: Handler = async (c) => {
  const { users, whorl, project } = c.var.demo;
  const { session } = sessionAt(c, 'evaluate');
  const user = users.withId(session.userId);
  if (!user) throw new Refusal(401, 'not_there', 'This login has expired. Log in again.');
  const expected = { user: user.id, action: ACTION };
  const token = text(c.var.fields, 'token', MAX_TOKEN_LENGTH);
  const { jti } = await whorl.verifyToken(token, { audience: project.id, ...expected });
  // The service does not save contacts that a page sends, so they are sent from here.
  const evaluation = await whorl.evaluations.consume(jti, { ...expected, ...contactOf(user) });
  return actOn(c, user, evaluation);
};

/**
 * Returns the user with this email address and password. Otherwise, reports the failure. @throws Refusal that does not
 * reveal which of the two was wrong.
 */
async function authenticate(c: DemoContext): Promise<User> {
  const { fields, demo } = c.var;
  const email = text(fields, 'email', 254).toLowerCase();
  const user = demo.users.withEmail(email);
  const isRight = await matchesPassword(text(fields, 'password', 1000), user?.passwordHash);
  if (user && isRight) return user;
  // Attackers try many passwords, or one for many accounts. The service can only notice what is reported to it.
  const { verdict } = await demo.whorl.reportFailure({ action: ACTION, user: user?.id ?? email, ...visitOf(c) });
  if (verdict === 'deny') throw new Refusal(403, 'denied', 'Access was denied.');
  throw new Refusal(401, 'wrong_password', 'The email address or the password is wrong.');
}

/** Returns the user's contacts for the service. */
export function contactOf({ email, phone }: Pick<User, 'email' | 'phone'>) {
  return { email, ...(phone && { phone }) };
}

/**
 * Returns the data about the browser for the service: the page's result of `collect`, the address and the user agent.
 * What the service would refuse is left out, so that every attempt counts. @throws Refusal without an address.
 */
export function visitOf(c: DemoContext) {
  // There is no proxy in front of the demo, so its headers would prove nothing.
  const { address } = getConnInfo(c).remote;
  if (!address) throw new Refusal(503, 'unavailable', 'Your address could not be determined. Try again.');
  return { ...browserOf(c.var.fields, c.req.raw.headers), ip: address.replace(/^::ffff:/, '') };
}
