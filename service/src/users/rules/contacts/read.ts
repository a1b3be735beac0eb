import { parseEmail } from './email.js';
import { parsePhone } from './phone.js';

export type ContactKind = 'email' | 'phone';

/** Contacts as a request has them, or as they were read. */
export type Contacts = Readonly<Partial<Record<ContactKind, string>>>;

export interface ReadContacts {
  /** Those that can be read: e-mail addresses without spaces around them, phone numbers in E.164. */
  readonly contacts: Contacts;
  readonly unreadable: readonly ContactKind[];
}

/**
 * Reads the contacts of a request, by the one rule for all requests: national phone numbers are read as those of the
 * project's `default_country`, and what cannot be read is left out, as if the request did not have it.
 */
export function readContacts(given: Contacts, defaultCountry: string | null): ReadContacts {
  const contacts: Partial<Record<ContactKind, string>> = {};
  const unreadable: ContactKind[] = [];
  for (const kind of ['email', 'phone'] as const) {
    const text = given[kind];
    if (text === undefined) continue;
    const read = kind === 'email' ? parseEmail(text)?.display : parsePhone(text, defaultCountry);
    if (read === undefined) unreadable.push(kind);
    else contacts[kind] = read;
  }
  return { contacts, unreadable };
}

/** Says why a contact was left out, to follow the name of its field. */
export const unreadableContact: Readonly<Record<ContactKind, string>> = {
  email: 'is not an e-mail address and was ignored',
  phone:
    'is not a phone number that can be read and was ignored: write it in international form, such as +491701234567, ' +
    'or set `default_country` for national numbers',
};
