import { WhorlError } from '../errors.js';
import type { ClaimedEvaluation } from '../wire/answers.js';
import type { EvaluateRequest } from '../wire/requests.js';
import { findMisfit } from './find-misfit.js';
import { untilStopped } from './until-stopped.js';

/** The body of the request. JSON leaves out what is undefined. */
export type EvaluateBody = { readonly [Name in keyof EvaluateRequest]: EvaluateRequest[Name] | undefined };

type Fields = Readonly<Record<string, unknown>>;

/**
 * Asks the service for an evaluation with a publishable client id (interface specification, 4.4).
 *
 * @throws {WhorlError} (rejects with) `network` where no answer came, `http` for one that is no evaluation.
 */
export async function requestEvaluation(
  baseUrl: string,
  clientId: string,
  body: EvaluateBody,
  signal: AbortSignal,
): Promise<ClaimedEvaluation> {
  let response: Response;
  try {
    response = await post(baseUrl, 'evaluate', clientId, body, signal);
  } catch (cause) {
    throw new WhorlError('network', 'The service did not answer, or not to this origin.', { cause });
  }
  const { ok, status, headers } = response;
  // No fields, where it is no JSON, or broke off.
  const answer: Fields = Object(await response.json().catch(() => undefined));
  if (ok && isEvaluation(answer)) return answer;
  throw new WhorlError('http', `The service answered ${status}.`, {
    status,
    problemCode: textOf(answer.code),
    requestId: textOf(answer.request_id),
    // No header is 0, and a date is NaN.
    retryAfter: Number(headers.get('Retry-After')) || undefined,
  });
}

/** How long to wait for a nonce: an evaluation without a proof is better than none. */
const nonceTimeoutMs = 2000;

/** Asks the service for a nonce with a publishable client id. Rejects where no answer came, or not in time. */
export async function requestNonce(
  baseUrl: string,
  clientId: string,
  stopped: AbortSignal,
): Promise<string | undefined> {
  const ask = async (signal: AbortSignal) => (await post(baseUrl, 'nonce', clientId, {}, signal)).json();
  return textOf(Object(await untilStopped(ask, nonceTimeoutMs, stopped)).nonce);
}

function post(baseUrl: string, name: string, clientId: string, body: object, signal: AbortSignal): Promise<Response> {
  return fetch(baseUrl.replace(/\/?$/, `/v2/device/${name}`), {
    method: 'POST',
    headers: { Authorization: `Bearer ${clientId}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  });
}

function isEvaluation(answer: object): answer is ClaimedEvaluation {
  return !findMisfit(answer, {
    verdict: /^(allow|restrict|deny|challenge(_and_restrict)?)$/,
    evaluation_id: /./,
    fingerprint_id: /./,
    token: /./,
    challenge_id: /^/,
    // What the page may go to is an address, and no script.
    challenge_url: /^https?:\/\/|^$/,
  });
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
