import type { AttachRequest } from 'whorl/wire';
import type { EndpointRequest } from '../../http/endpoint.js';
import { warnAboutFingerprint } from './fingerprint-warning.js';

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
