import type { EvaluateRequest } from 'whorl/wire';
import type { Service } from '../service.js';
import type { NormalisedRequest } from './normalised-request.js';
import type { EvaluationRow } from './queries/evaluations.js';

/** Part of an evaluation's request that is stored encrypted. */
export type SealedRequest = Pick<
  EvaluateRequest,
  'fingerprint' | 'last_fingerprint' | 'version' | 'email' | 'phone' | 'metadata' | 'user_agent'
>;

/** Returns the part of a request to store, with contacts in display form. */
export function requestToSeal({ request, email, phone }: NormalisedRequest): SealedRequest {
  const { fingerprint, last_fingerprint, version, metadata, user_agent } = request;
  const sealed: SealedRequest = { fingerprint };
  return Object.assign(sealed, {
    ...{ last_fingerprint, version, metadata, user_agent },
    ...{ email: email?.display, phone: phone?.display },
  });
}

/** Returns the decrypted request of a recorded evaluation. */
export function openRequest({ vault }: Service, { request }: Pick<EvaluationRow, 'request'>): SealedRequest {
  return JSON.parse(vault.open(request, 'evaluation.request'));
}
