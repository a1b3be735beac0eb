import { randomUUID, scryptSync, timingSafeEqual } from 'node:crypto';

/** Accounts by email address. An application keeps them in its database. */
globalThis.accounts ??= new Map();
const { accounts } = globalThis;

export const findAccount = (email) => accounts.get(email);

export function createAccount(id, email, password) {
  const salt = randomUUID();
  accounts.set(email, { id, email, salt, hash: hash(password, salt) });
}

export function passwordMatches(account, password) {
  return timingSafeEqual(hash(password, account.salt), account.hash);
}

function hash(password, salt) {
  return scryptSync(password, salt, 32);
}
