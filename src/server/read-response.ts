import type { ErrorCode } from '../wire/index.js';
import { isProblem, type ResultCheck } from './checks.js';
import { WhorlApiError, type WhorlClientError, WhorlConnectionError } from './errors.js';
import { parseJson } from './json.js';
import type { FetchResponse } from './platform.js';
import { readRetryAfter } from './retry.js';

/** Error codes for statuses that a proxy in front of the service returns without a problem document. */
const codeOfStatus: Readonly<Record<number, ErrorCode>> = { 408: 'timeout', 429: 'rate_limited', 500: 'internal' };

/**
 * Returns the body of a response.
 *
 * @throws {WhorlApiError} if the service returned an error.
 * @throws {WhorlConnectionError} `invalid_response` if the response does not come from the service.
 */
export function readResponse<Result>(
  name: string,
  response: FetchResponse,
  text: string,
  isResult: ResultCheck<Result>,
): Result {
  const { status } = response;
  const body = parseJson(text);
  if (status < 200 || status > 299) throw errorOf(name, response, body);
  if (!isResult(body)) throw invalid(name, status, 'an unexpected body');
  return body;
}

function errorOf(name: string, { status, headers }: FetchResponse, body: unknown): WhorlClientError {
  const retryAfterSeconds = readRetryAfter(headers.get('retry-after'));
  if (isProblem(body)) {
    const { code, detail = '', request_id: requestId, errors } = body;
    const message = `${name} returned ${status} ${code}. ${detail}`.trim();
    return new WhorlApiError(message, { status, code, requestId, errors, retryAfterSeconds });
  }
  const code = codeOfStatus[status] ?? (status >= 500 ? 'unavailable' : undefined);
  if (code) return new WhorlApiError(`${name} returned ${status}.`, { status, code, retryAfterSeconds });
  // Some platforms report the status of a redirect as 0.
  const isRedirect = status === 0 || (status >= 300 && status < 400);
  return invalid(
    name,
    status,
    isRedirect ? 'a redirect, which is not followed' : 'an error that is not from the service',
  );
}

function invalid(name: string, status: number, what: string): WhorlConnectionError {
  return new WhorlConnectionError(
    'invalid_response',
    `${name} returned ${status} with ${what}. Check that baseUrl is the URL of the service.`,
  );
}
