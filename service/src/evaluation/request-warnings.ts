import type { AttachRequest } from 'whorl/wire';
import type { EndpointRequest } from '../http/endpoint.js';
import { type FingerprintFault, faultOfFingerprint } from '../linking/rules/fingerprint-fault.js';

const messages: Readonly<Record<FingerprintFault, string>> = {
  opaque: 'is not a fingerprint of the browser package: it only matches exactly the same text',
  placeholder: 'is a placeholder and never matches a device: pass what `getHash` resolves to, after it has resolved',
  unreadable: 'has too few readable parts and never matches a device',
};

/** Warns about a fingerprint that is accepted, and matches little or nothing. */
export function warnAboutFingerprint(
  warn: (path: string, message: string) => void,
  path: string,
  text: string | undefined,
): void {
  const fault = text === undefined ? undefined : faultOfFingerprint(text);
  if (fault) warn(path, messages[fault]);
}

type Warned = Pick<EndpointRequest<unknown, unknown, unknown>, 'caller' | 'warn'>;

/** Warns about what an evaluation or attachment accepts, and can do little with. */
export function warnAboutDevice({ caller, warn }: Warned, request: Omit<AttachRequest, 'user'>): void {
  if (caller.mode !== 'test') return;
  warnAboutFingerprint(warn, 'fingerprint', request.fingerprint);
  warnAboutFingerprint(warn, 'last_fingerprint', request.last_fingerprint);
  if (caller.kind === 'secret' && request.ip === undefined) {
    warn('ip', "is missing: nothing about the user's address is judged or trusted");
  }
  if (request.proof === undefined) {
    warn('proof', 'is missing: a copy of the fingerprint passes at a trusted address (docs/proof.md)');
  }
}
