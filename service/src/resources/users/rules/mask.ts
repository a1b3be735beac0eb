// Separate from contacts.ts, so that commands that only mask contacts do not load the phone number library.

import { getPublicSuffix } from 'tldts';

/**
 * Masks an email address for display: `j***@e******.com`. Keeps the first letter of the name, the first letter of the
 * domain, and the public suffix (https://publicsuffix.org). The number of asterisks is fixed, so that lengths are not
 * revealed.
 */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const domain = email.slice(at + 1).toLowerCase();
  return `${firstOf(email.slice(0, at))}***@${firstOf(domain)}******.${suffixOf(domain)}`;
}

/** Masks a phone number in E.164 format for display: all digits but the last two become asterisks. */
export function maskPhone(phone: string): string {
  return phone.replace(/\d(?=(?:\D*\d){2})/g, '*');
}

/**
 * Returns the public suffix of a domain. If the domain is itself a public suffix, returns only its last label, because
 * the domain would otherwise be shown in full.
 */
function suffixOf(domain: string): string {
  const suffix = getPublicSuffix(domain);
  return suffix === null || suffix === domain ? domain.slice(domain.lastIndexOf('.') + 1) : suffix;
}

/** Returns the first code point, so that surrogate pairs are not split. */
function firstOf(text: string): string {
  const [first = ''] = text;
  return first;
}
