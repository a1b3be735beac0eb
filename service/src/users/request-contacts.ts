import type { EndpointRequest } from '../http/endpoint.js';
import { type Contacts, readContacts, unreadableContact } from './rules/contacts.js';

type Request = Pick<EndpointRequest<unknown, unknown, unknown>, 'caller' | 'metrics' | 'warn'>;

/** Parses the contacts of a request. Contacts that cannot be parsed are left out, with a warning, and counted. */
export function contactsOf({ caller, metrics, warn }: Request, input: Contacts): Contacts {
  const { contacts, unreadable } = readContacts(input, caller.settings.default_country);
  for (const kind of unreadable) {
    warn(kind, unreadableContact[kind]);
    metrics.countUnreadableContact(kind);
  }
  return contacts;
}
