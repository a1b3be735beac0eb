// Apart from contacts.ts, which loads what reads phone numbers: commands that only mask need none of it.

import { getPublicSuffix } from 'tldts';

/**
 * A mail address as it is shown to others: `j***@e******.com`. What stays is the first letter of the name, the first
 * letter of the domain, and the public suffix (https://publicsuffix.org). The numbers of stars are fixed, so that not
 * even lengths are told.
 */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const domain = email.slice(at + 1).toLowerCase();
  return `${firstOf(email.slice(0, at))}***@${firstOf(domain)}******.${suffixOf(domain)}`;
}

/** A phone number in E.164 as it is shown to others: all digits but the last two are stars. */
export function maskPhone(phone: string): string {
  return phone.replace(/\d(?=(?:\D*\d){2})/g, '*');
}

/** The public suffix; of a domain that is one itself only the last label, or else it would stand there in full. */
function suffixOf(domain: string): string {
  const suffix = getPublicSuffix(domain);
  return suffix === null || suffix === domain ? domain.slice(domain.lastIndexOf('.') + 1) : suffix;
}

/** By code points, so that no half of a character is cut off. */
function firstOf(text: string): string {
  const [first = ''] = text;
  return first;
}
