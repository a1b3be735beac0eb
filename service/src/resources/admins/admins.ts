import { emailContext } from '../audit/audit.js';
import type { Service, Transaction } from '../service.js';
import { parseEmail } from '../users/rules/contacts.js';
import { type AdminRow, findAdmin, hasAdmins } from './admins-queries.js';

/**
 * Returns the normalised spelling of an email address, which identifies an account and is shown on the
 * dashboard. Returns undefined if the text is not an email address.
 */
export function readAdminEmail(text: string): string | undefined {
  return parseEmail(text)?.display.toLowerCase();
}

/** Returns the sealed email address and its blind index, both under the current master secret. */
export function sealAdminEmail({ vault }: Service, email: string): Pick<AdminRow, 'email' | 'email_mark'> {
  return { email: vault.seal(email, emailContext), email_mark: vault.blindIndex(email, emailContext) };
}

export function findAdminByEmail(db: Service['db'] | Transaction, { vault }: Service, email: string) {
  return findAdmin(db, vault.blindIndexes(email, emailContext));
}

/** Returns whether an account exists. */
export function isSetUp({ db }: Service): Promise<boolean> {
  return hasAdmins(db);
}
