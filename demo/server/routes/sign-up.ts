import type { Handler } from '../demo.js';
import { Refusal } from '../http/errors.js';
import { type Fields, optionalText, text } from '../http/fields.js';
import { hashPassword } from '../users/passwords.js';
import { Users } from '../users/users.js';
import { actOn } from './act-on.js';
import { contactOf, visitOf } from './log-in.js';

const MIN_PASSWORD_LENGTH = 8;

/** POST /api/sign-up. If the verdict is `allow`, the device becomes trusted. */
export const signUp: Handler = async (c) => {
  const { users, whorl } = c.var.demo;
  const { password, ...account } = readAccount(c.var.fields);
  if (users.withEmail(account.email)) {
    throw new Refusal(409, 'taken', 'An account with this address already exists. Log in.');
  }
  const id = Users.newId();
  const evaluation = await whorl.evaluate({
    action: 'signup',
    user: id,
    ...contactOf(account),
    ...visitOf(c),
  });
  const user = { id, ...account, passwordHash: await hashPassword(password) };
  if (evaluation.verdict !== 'deny') await users.add(user);
  return actOn(c, user, evaluation);
};

function readAccount(fields: Fields) {
  const email = text(fields, 'email', 254).toLowerCase();
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new Refusal(400, 'invalid_request', 'This is not a valid email address.');
  const phone = optionalText(fields, 'phone', 32)?.replace(/[\s()/-]/g, '');
  if (phone && !/^\+[1-9]\d{6,14}$/.test(phone)) {
    throw new Refusal(
      400,
      'invalid_request',
      'Enter the phone number with + and the country code, such as +49 170 1234567.',
    );
  }
  const password = text(fields, 'password', 1000);
  if (password.length < MIN_PASSWORD_LENGTH) {
    throw new Refusal(400, 'invalid_request', `The password must have at least ${MIN_PASSWORD_LENGTH} characters.`);
  }
  return { email, password, ...(phone && { phone }) };
}
