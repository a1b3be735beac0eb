import { WhorlError } from '../errors.js';
import type { ClaimedEvaluation } from '../wire/answers.js';
import type { EvaluateRequest } from '../wire/requests.js';
import { findMisfit } from './find-misfit.js';

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
    response = await fetch(baseUrl.replace(/\/?$/, '/v2/device/evaluate'), {
      method: 'POST',
      headers: { Authorization: `Bearer ${clientId}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      signal,
    });
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
