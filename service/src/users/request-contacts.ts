import type { EndpointRequest } from '../http/endpoint.js';
import { type Contacts, readContacts, unreadableContact } from './rules/contacts.js';

type Request = Pick<EndpointRequest<unknown, unknown, unknown>, 'caller' | 'metrics' | 'warn'>;

/** Reads the contacts of a request. Those that cannot be read are left out, warned about and counted. */
export function contactsOf({ caller, metrics, warn }: Request, given: Contacts): Contacts {
  const { contacts, unreadable } = readContacts(given, caller.settings.default_country);
  for (const kind of unreadable) {
    warn(kind, unreadableContact[kind]);
    metrics.countUnreadableContact(kind);
  }
  return contacts;
}
