import type { Handler } from '../demo.js';
import { optionalText, text } from '../http/fields.js';
import type { Fields } from '../http/json.js';
import { Refusal } from '../http/refusal.js';
import { hashPassword } from '../users/passwords.js';
import { Users } from '../users/users.js';
import { actOn } from './act-on.js';
import { contactOf, fingerprintOf } from './log-in.js';

const SHORTEST_PASSWORD = 8;

/** POST /api/sign-up. The device that an account is made with is trusted, where the verdict is `allow`. */
export const signUp: Handler = async (demo, visit) => {
  const { fields, ip, userAgent } = visit;
  const { password, ...asked } = readAsked(fields);
  if (demo.users.withEmail(asked.email)) {
    throw new Refusal(409, 'taken', 'There is an account with this address already: log in.');
  }
  const id = Users.newId();
  const evaluation = await demo.whorl.evaluate({
    action: 'signup',
    user: id,
    ...contactOf(asked),
    ...fingerprintOf(fields),
    ip,
    ...(userAgent && { user_agent: userAgent }),
  });
  const user = { id, ...asked, passwordHash: await hashPassword(password) };
  if (evaluation.verdict !== 'deny') await demo.users.add(user);
  return actOn(demo, visit, user, evaluation);
};

function readAsked(fields: Fields) {
  const email = text(fields, 'email', 254).toLowerCase();
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new Refusal(400, 'invalid_request', 'This is no mail address.');
  const phone = optionalText(fields, 'phone', 32)?.replace(/[\s()/-]/g, '');
  if (phone && !/^\+[1-9]\d{6,14}$/.test(phone)) {
    throw new Refusal(
      400,
      'invalid_request',
      'Write the phone number with + and the country code, as in +49 170 1234567.',
    );
  }
  const password = text(fields, 'password', 1000);
  if (password.length < SHORTEST_PASSWORD) {
    throw new Refusal(400, 'invalid_request', `The password needs ${SHORTEST_PASSWORD} characters.`);
  }
  return { email, password, ...(phone && { phone }) };
}
