import type { Handler } from '../demo.js';
import { optionalText, text } from '../http/fields.js';
import type { Fields } from '../http/json.js';
import { Refusal } from '../http/refusal.js';
import { matchesPassword } from '../users/passwords.js';
import type { User, Users } from '../users/users.js';
import { actOn, begin } from './act-on.js';
import { sessionAt } from './session.js';

const ACTION = 'login';
const LONGEST_FINGERPRINT = 4096;
const LONGEST_TOKEN = 4096;
const LONGEST_PROOF = 8192;

/** POST /api/log-in, the server flow: the page sends what `collect` gave; we ask the service. */
export const logIn: Handler = async (demo, visit) => {
  const user = await authenticate(demo.users, visit.fields);
  const { ip, userAgent, fields } = visit;
  const evaluation = await demo.whorl.evaluate({
    action: ACTION,
    user: user.id,
    ...contactOf(user),
    ...fingerprintOf(fields),
    ip,
    ...(userAgent && { user_agent: userAgent }),
  });
  return actOn(demo, visit, user, evaluation);
};

/** POST /api/password, the browser flow's first half: the page learns for whom it has to call `evaluate`. */
export const checkPassword: Handler = async (demo, visit) => {
  const { id } = await authenticate(demo.users, visit.fields);
  return begin(demo, visit, { step: 'evaluate', userId: id });
};

/**
 * POST /api/token, the second half. The token is a hint; what counts, and counts once, is the evaluation that is
 * consumed, for the user whose password was right.
 */
export const takeToken: Handler = async (demo, visit) => {
  const { session } = sessionAt(demo, visit, 'evaluate');
  const user = demo.users.withId(session.userId);
  if (!user) throw new Refusal(401, 'not_there', 'This login is over. Log in again.');
  const expected = { user: user.id, action: ACTION };
  const token = text(visit.fields, 'token', LONGEST_TOKEN);
  const { jti } = await demo.whorl.verifyToken(token, { audience: demo.project.id, ...expected });
  // What a page says of an address is not saved, so the address on record goes along.
  return actOn(demo, visit, user, await demo.whorl.evaluations.consume(jti, { ...expected, ...contactOf(user) }));
};

/** @throws Refusal that does not tell which of the two was wrong. */
async function authenticate(users: Users, fields: Fields): Promise<User> {
  const user = users.withEmail(text(fields, 'email', 254).toLowerCase());
  const isRight = await matchesPassword(text(fields, 'password', 1000), user?.passwordHash);
  if (user && isRight) return user;
  throw new Refusal(401, 'wrong_password', 'The address or the password is wrong.');
}

/** How the service can reach a user. */
export function contactOf({ email, phone }: Pick<User, 'email' | 'phone'>) {
  return { email, ...(phone && { phone }) };
}

/** What the page got from `collect`. Each field is read by its name: a page could send others, such as an `ip`. */
export function fingerprintOf(fields: Fields) {
  const last = optionalText(fields, 'last_fingerprint', LONGEST_FINGERPRINT);
  const version = optionalText(fields, 'version', 32);
  const proof = optionalText(fields, 'proof', LONGEST_PROOF);
  return {
    fingerprint: text(fields, 'fingerprint', LONGEST_FINGERPRINT),
    ...(last && { last_fingerprint: last }),
    ...(version && { version }),
    ...(proof && { proof }),
  };
}
