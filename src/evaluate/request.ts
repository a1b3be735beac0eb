import { WhorlError } from '../errors.js';
import { ownFields } from '../own-fields.js';
import { stringify } from '../stringify.js';
import type { ClaimedEvaluation, EvaluateRequest } from '../wire/evaluate.js';
import { firstInvalidField } from './first-invalid-field.js';
import { untilStopped } from './until-stopped.js';

/** The body of the request. JSON omits undefined fields. */
export type EvaluateBody = { readonly [Name in keyof EvaluateRequest]: EvaluateRequest[Name] | undefined };

type Fields = Readonly<Record<string, unknown>>;

/**
 * Requests an evaluation with a publishable key (`POST /v2/device/evaluate`, docs/api.md).
 *
 * @throws {WhorlError} (rejects with) `network` if no response arrived, `http` if the response is not an evaluation.
 */
export async function requestEvaluation(
  baseUrl: string,
  clientId: string,
  body: EvaluateBody,
  signal: AbortSignal,
): Promise<ClaimedEvaluation> {
  let response: Response;
  try {
    response = await post(urlOf(baseUrl, 'evaluate'), clientId, body, signal);
  } catch (cause) {
    throw new WhorlError('network', 'No response. Check baseUrl and the allowed origins.', { cause });
  }
  const { ok, status, headers } = response;
  const fields = await fieldsOf(response);
  if (ok && isEvaluation(fields)) return fields;
  const hint = ok ? ', but no evaluation. Check baseUrl' : '';
  throw new WhorlError('http', `The service returned status ${status}${hint}.`, {
    status,
    problemCode: textOf(fields.code),
    requestId: textOf(fields.request_id),
    // A missing header gives 0, and a date gives NaN.
    retryAfter: Number(headers.get('Retry-After')) || undefined,
  });
}

/** How long to wait for a nonce. An evaluation without a proof is better than none. */
const nonceTimeoutMs = 2000;

/**
 * Requests a nonce with a publishable key. Resolves to undefined if the response contains none, and rejects if no
 * response arrives in time.
 */
export async function requestNonce(
  baseUrl: string,
  clientId: string,
  stopped: AbortSignal,
): Promise<string | undefined> {
  const ask = async (signal: AbortSignal) => fieldsOf(await post(urlOf(baseUrl, 'nonce'), clientId, {}, signal));
  return textOf((await untilStopped(ask, nonceTimeoutMs, stopped)).nonce);
}

function urlOf(baseUrl: string, name: string): string {
  return baseUrl.replace(/\/?$/, `/v2/device/${name}`);
}

function post(url: string, clientId: string, body: object, signal: AbortSignal): Promise<Response> {
  const headers = { Authorization: `Bearer ${clientId}`, 'Content-Type': 'application/json' };
  return fetch(url, ownFields({ method: 'POST', headers, body: stringify(body), signal }));
}

/** Returns the fields of a response. There are none if it is not JSON or is incomplete. */
async function fieldsOf(response: Response): Promise<Fields> {
  return ownFields(Object(await response.json().catch(() => undefined)));
}

function isEvaluation(fields: object): fields is ClaimedEvaluation {
  return !firstInvalidField(fields, {
    verdict: /^(allow|restrict|deny|challenge(_and_restrict)?)$/,
    evaluation_id: /./,
    fingerprint_id: /./,
    token: /./,
    challenge_id: /^/,
    // Only http and https, so that the page never navigates to a `javascript:` URL.
    challenge_url: /^https?:\/\/|^$/,
  });
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
