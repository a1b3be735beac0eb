import { domainToASCII } from 'node:url';
import validator from 'validator';
import { mailboxOf } from './providers.js';

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
