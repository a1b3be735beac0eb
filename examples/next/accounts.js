import { randomUUID, scryptSync, timingSafeEqual } from 'node:crypto';

/** Accounts by email address. An application keeps them in its database. */
globalThis.accounts ??= new Map();
globalThis.newIds ??= new Map();
const { accounts, newIds } = globalThis;

export const findAccount = (email) => accounts.get(email);

/** The ID that an account will have. After a code, the page sends the same sign-up again. */
export const newIdOf = (email) => newIds.get(email) ?? newIds.set(email, randomUUID()).get(email);

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
