import { domainToASCII } from 'node:url';
import parsePhoneNumber, { type CountryCode, isSupportedCountry } from 'libphonenumber-js';
import validator from 'validator';
import { mailboxOf } from './mailbox.js';

export { maskEmail, maskPhone } from './mask.js';
export interface Email {
  /** As it was given, without spaces around it: where mail is sent to. */
  readonly display: string;
  /** The same for all spellings of one mailbox that the provider is known to treat alike: what is compared. */
  readonly normalised: string;
  /** The domain of `normalised`, in ASCII. */
  readonly domain: string;
}

/** Spaces, controls, and characters that nobody sees: they tell no mailboxes apart, and are only good for hiding. */
const invisible = /[\p{C}\p{Z}]/u;

/**
 * Reads one mail address (RFC 5321, with RFC 6531's letters of any script and domains in any script). Undefined where
 * the text is none. Addresses with a quoted local part, an address literal or a domain of one label are refused: they
 * are valid, but nobody has one as a contact.
 */
export function parseEmail(text: string): Email | undefined {
  const display = text.trim();
  const at = display.lastIndexOf('@');
  // In this order: lower case can make what composes further.
  const local = display.slice(0, at).toLowerCase().normalize('NFC');
  const host = domainToASCII(display.slice(at + 1));
  const ascii = `${local}@${host}`;
  // Both forms: the first may hold what vanishes in the second, such as %61, and the second may be too long.
  if (invisible.test(display) || local.startsWith('"') || !validator.isEmail(display) || !validator.isEmail(ascii)) {
    return undefined;
  }
  const { name, domain } = mailboxOf(local, host);
  return { display, normalised: `${name}@${domain}`, domain };
}

/** Whether a text is a country whose phone numbers can be read (ISO 3166-1 alpha-2). */
export function isPhoneCountry(text: string): text is CountryCode {
  return isSupportedCountry(text);
}

/**
 * Reads one phone number as E.164 (`+491701234567`): in international form, with `+` or with 00 in front, or in the
 * national form of the default country, if there is one. Undefined where the text is none. Whether a number of such a
 * length can exist in its country is checked, not whether it was given out: numbering plans change more often than
 * libraries. An extension is left out, for a text message has none.
 */
export function parsePhone(text: string, defaultCountry: string | null = null): string | undefined {
  const international = text.trim().replace(/^00/, '+');
  const phone = parsePhoneNumber(international, {
    // The number alone, not one somewhere in a sentence.
    extract: false,
    ...(defaultCountry !== null && isPhoneCountry(defaultCountry) && { defaultCountry }),
  });
  return phone?.isPossible() ? phone.number : undefined;
}

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
