import type { AttachRequest, DecidedBy } from 'whorl/wire';
import { ApiError } from '../ground/errors.js';
import type { EndpointRequest } from '../http/endpoint.js';
import { readProof } from '../recognition/proof/proof.js';
import { type FingerprintFault, faultOfFingerprint } from '../resources/devices/rules/fingerprint-text.js';
import type { Caller } from '../resources/service.js';
import { type Contacts, invalidContact, readContacts, unreadableContact } from '../resources/users/rules/contacts.js';

const messages: Readonly<Record<FingerprintFault, string>> = {
  opaque: 'was not created by the browser package, so it only matches exactly the same text',
  placeholder: 'is a placeholder and never matches a device: wait for `getHash` to resolve and send its result',
  unreadable: 'has too few readable facets and never matches a device',
};

/** Warns about a fingerprint that is accepted but matches little or nothing. */
export function warnAboutFingerprint(
  warn: (path: string, message: string) => void,
  path: string,
  text: string | undefined,
): void {
  const fault = text === undefined ? undefined : faultOfFingerprint(text);
  if (fault) warn(path, messages[fault]);
}

type Warned = Pick<EndpointRequest<unknown, unknown, unknown>, 'service' | 'caller' | 'warn'>;

/** Warns about missing and unusable data that an evaluation or attachment accepts. Only with test keys. */
export async function warnAboutDevice(
  { service, caller, warn }: Warned,
  request: Omit<AttachRequest, 'user' | 'fingerprint'> & { readonly fingerprint?: string },
): Promise<void> {
  if (caller.mode !== 'test') return;
  if (request.fingerprint === undefined) warn('fingerprint', 'is missing, so no device is recognised or attached');
  warnAboutFingerprint(warn, 'fingerprint', request.fingerprint);
  warnAboutFingerprint(warn, 'last_fingerprint', request.last_fingerprint);
  if (caller.kind === 'secret' && request.ip === undefined) {
    warn('ip', "is missing, so the user's address is neither checked nor trusted");
  }
  if (request.proof === undefined) {
    warn('proof', 'is missing, so a copy of the fingerprint is accepted at a trusted address (docs/proof.md)');
    return;
  }
  const { outcome, origin = '' } = await readProof(service, caller, request);
  if (outcome !== 'wrong_origin') return;
  // Any text can be signed.
  const named = URL.canParse(origin) && new URL(origin).origin === origin ? `, ${origin},` : '';
  warn('proof', `was ignored, because the page's origin${named} is not in the project's \`allowed_origins\``);
}

/** Warns about reasons that have no effect because the key is a test key. */
export function warnAboutTestKey({ warn }: Pick<Warned, 'warn'>, decidedBy: DecidedBy | undefined): void {
  for (const { reason, effect, excused_by } of decidedBy?.excused ?? []) {
    if (!excused_by.includes('test_key')) continue;
    warn(
      'action',
      `raises \`${reason}\`, which is only reported for test keys. With a live key, its effect is \`${effect}\`. ` +
        'To test that, switch on the setting `enforce_for_test_keys`',
    );
  }
}

/**
 * Parses contacts that the request is about.
 *
 * @throws {ApiError} `invalid_request` if one cannot be parsed.
 */
export function requireContacts({ settings }: Caller, input: Contacts): Contacts {
  const { contacts, unreadable } = readContacts(input, settings.default_country);
  if (unreadable.length === 0) return contacts;
  const errors = unreadable.map((kind) => ({ path: kind, message: invalidContact[kind] }));
  throw new ApiError('invalid_request', { errors });
}

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
