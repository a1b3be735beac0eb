import type { AttachRequest } from 'whorl/wire';
import { readFingerprint } from '../../domain/linking/fingerprint-text.js';
import type { EndpointRequest } from '../../http/endpoint.js';

type Warned = Pick<EndpointRequest<unknown, unknown, unknown>, 'caller' | 'warn'>;

/** Warns about what an evaluation or attachment accepts, and can do little with. */
export function warnAboutDevice({ caller, warn }: Warned, request: Omit<AttachRequest, 'user'>): void {
  if (caller.mode !== 'test') return;
  for (const field of ['fingerprint', 'last_fingerprint'] as const) {
    const fault = faultOfFingerprint(request[field]);
    if (fault) warn(field, fault);
  }
  if (caller.kind === 'secret' && request.ip === undefined) {
    warn('ip', "is missing: nothing about the user's address is judged or trusted");
  }
  if (request.proof === undefined) {
    warn('proof', 'is missing: a copy of the fingerprint passes at a trusted address (docs/proof.md)');
  }
}

function faultOfFingerprint(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const { parsed, isReadable } = readFingerprint(text);
  if (parsed) return isReadable ? undefined : 'has too few readable parts and never matches a device';
  return isReadable
    ? 'is not a fingerprint of the browser package: it only matches exactly the same text'
    : 'is a placeholder and never matches a device: pass what `getHash` resolves to, after it has resolved';
}
