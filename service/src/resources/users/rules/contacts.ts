import { domainToASCII } from 'node:url';
import parsePhoneNumber, { type CountryCode, isSupportedCountry } from 'libphonenumber-js';
import validator from 'validator';
import { mailboxOf } from './mailbox.js';

export interface Email {
  /** Address as entered, trimmed. Messages are sent to it. */
  readonly display: string;
  /** Form for comparison: equal for all spellings that the provider is known to deliver to one mailbox. */
  readonly normalised: string;
  /** Domain as entered, in ASCII. That of `normalised` is another one if the provider has several. */
  readonly domain: string;
}

/** Spaces, control and invisible characters, which no real mailbox needs and which could disguise an address. */
const invisible = /[\p{C}\p{Z}]/u;

/**
 * Parses an email address (RFC 5321, with local parts and domains in any script as in RFC 6531). Returns undefined if it
 * is invalid. Addresses with a quoted local part, an address literal or a single-label domain are valid but rejected,
 * because nobody uses them as a contact.
 */
export function parseEmail(text: string): Email | undefined {
  const display = text.trim();
  const at = display.lastIndexOf('@');
  // In this order, because converting to lower case can produce characters that compose further.
  const local = display.slice(0, at).toLowerCase().normalize('NFC');
  const host = domainToASCII(display.slice(at + 1));
  const ascii = `${local}@${host}`;
  // Both forms are checked: the first may contain characters that disappear in the second, such as %61, and the second
  // may be too long.
  if (invisible.test(display) || local.startsWith('"') || !validator.isEmail(display) || !validator.isEmail(ascii)) {
    return undefined;
  }
  const { name, domain } = mailboxOf(local, host);
  return { display, normalised: `${name}@${domain}`, domain: host };
}

/** Returns whether a text is a country whose phone numbers can be parsed (ISO 3166-1 alpha-2). */
export function isPhoneCountry(text: string): text is CountryCode {
  return isSupportedCountry(text);
}

/**
 * Parses a phone number and returns it in E.164 format (`+491701234567`); undefined if it is invalid. Accepts the
 * international format with `+` or `00`, and the national format of the default country, if there is one. Only the length
 * for the country is checked, not whether the number is assigned, because numbering plans change more often than
 * libraries. Extensions are dropped, because text messages cannot be sent to them.
 */
export function parsePhone(text: string, defaultCountry: string | null = null): string | undefined {
  const international = text.trim().replace(/^00/, '+');
  const phone = parsePhoneNumber(international, {
    // The text must be a number; numbers within sentences are not extracted.
    extract: false,
    ...(defaultCountry !== null && isPhoneCountry(defaultCountry) && { defaultCountry }),
  });
  return phone?.isPossible() ? phone.number : undefined;
}

export type ContactKind = 'email' | 'phone';

/** Contacts, as received or as parsed. */
export type Contacts = Readonly<Partial<Record<ContactKind, string>>>;

export interface ReadContacts {
  /** Contacts that could be parsed: trimmed email addresses, and phone numbers in E.164 format. */
  readonly contacts: Contacts;
  readonly unreadable: readonly ContactKind[];
}

/**
 * Parses the contacts of any request. National phone numbers are parsed for the project's `default_country`. Contacts that
 * cannot be parsed are left out, as if they were not in the request.
 */
export function readContacts(input: Contacts, defaultCountry: string | null): ReadContacts {
  const contacts: Partial<Record<ContactKind, string>> = {};
  const unreadable: ContactKind[] = [];
  for (const kind of ['email', 'phone'] as const) {
    const text = input[kind];
    if (text === undefined) continue;
    const read = kind === 'email' ? parseEmail(text)?.display : parsePhone(text, defaultCountry);
    if (read === undefined) unreadable.push(kind);
    else contacts[kind] = read;
  }
  return { contacts, unreadable };
}

const phoneAdvice =
  'use the international format, such as +491701234567, or set `default_country` to accept national numbers';

/** Warnings for contacts that were left out. The field name precedes them. */
export const unreadableContact: Readonly<Record<ContactKind, string>> = {
  email: 'is not an email address and was ignored',
  phone: `is not a valid phone number and was ignored: ${phoneAdvice}`,
};

/** Errors for contacts that a request must not contain. The field name precedes them. */
export const invalidContact: Readonly<Record<ContactKind, string>> = {
  email: 'is not an email address',
  phone: `is not a valid phone number: ${phoneAdvice}`,
};
