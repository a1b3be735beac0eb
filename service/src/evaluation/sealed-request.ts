import type { EvaluateRequest } from 'whorl/wire';
import type { Service } from '../service.js';
import type { NormalisedRequest } from './normalised-request.js';
import type { EvaluationRow } from './queries/evaluations.js';

/** What is stored, encrypted, of an evaluation's request. */
export type SealedRequest = Pick<
  EvaluateRequest,
  'fingerprint' | 'last_fingerprint' | 'version' | 'email' | 'phone' | 'metadata' | 'user_agent'
>;

/** Returns what is kept of a request; its contacts in the form in which they are shown. */
export function requestToSeal({ request, email, phone }: NormalisedRequest): SealedRequest {
  const { fingerprint, last_fingerprint, version, metadata, user_agent } = request;
  const sealed: SealedRequest = { fingerprint };
  return Object.assign(sealed, {
    ...{ last_fingerprint, version, metadata, user_agent },
    ...{ email: email?.display, phone: phone?.display },
  });
}

/** Returns the request of a recorded evaluation. */
export function openRequest({ vault }: Service, { request }: Pick<EvaluationRow, 'request'>): SealedRequest {
  return JSON.parse(vault.open(request, 'evaluation.request'));
}
