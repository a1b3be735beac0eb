import type { Problem } from 'whorl/wire';
import { DatabaseUnavailableError } from '../ground/db/availability.js';
import { ApiError, errorTable } from '../ground/errors.js';
import type { Service } from '../resources/service.js';

/** Response as plain data, which can be stored and replayed. */
export interface ResponseParts {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Response of an endpoint that speaks another protocol than the API's JSON. */
export class OwnResponse implements ResponseParts {
  constructor(
    readonly status: number,
    readonly type: string,
    readonly body: string,
  ) {}
}

export function jsonResponse(value: unknown): ResponseParts {
  return { status: 200, type: 'application/json', body: JSON.stringify(value) };
}

/** @param headers Headers collected while the request was handled; the response's own headers override them. */
export function toResponse(
  { status, type, body, headers: own = {} }: ResponseParts,
  headers = new Headers(),
): Response {
  for (const [name, value] of Object.entries(own)) headers.set(name, value);
  headers.set('Content-Type', type);
  return new Response(body, { status, headers });
}

/** Default `Retry-After`, for errors that do not set it. */
const retryAfterSeconds = { unavailable: 5, idempotency_in_flight: 1 } as const;

const maxCauseDepth = 5;

/** Converts any thrown value to the error sent to the caller, which reveals nothing about internal errors. */
function toApiError(error: unknown, depth = 0): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof DatabaseUnavailableError) {
    return new ApiError('unavailable', { detail: 'The database is not available.', cause: error });
  }
  if (error instanceof Error && error.cause !== undefined && depth < maxCauseDepth) {
    const { code } = toApiError(error.cause, depth + 1);
    if (code === 'unavailable') return new ApiError('unavailable', { cause: error });
  }
  return new ApiError('internal', { cause: error });
}

/** Returns the error that the caller gets for a thrown value, and logs errors that the caller did not cause. */
export function reportError({ log }: Pick<Service, 'log'>, thrown: unknown, requestId?: string): ApiError {
  const error = toApiError(thrown);
  const { code, status } = error;
  const fields = { err: thrown, ...(requestId !== undefined && { request_id: requestId }) };
  if (code === 'unavailable') log.warn(fields, 'Service unavailable');
  else if (status >= 500 && code !== 'user_busy') log.error(fields, 'Request failed');
  return error;
}

/** Returns the error response for a thrown value, and logs errors that the caller did not cause. */
export function errorResponse(
  service: Pick<Service, 'log' | 'publicUrl'>,
  thrown: unknown,
  requestId: string,
): ResponseParts {
  const { publicUrl } = service;
  return problemResponse(reportError(service, thrown, requestId), { publicUrl, requestId });
}

/** Returns an error as problem details (RFC 9457). */
export function problemResponse(
  error: ApiError,
  { publicUrl, requestId }: { publicUrl: string; requestId: string },
): ResponseParts {
  const { code, status, detail, errors } = error;
  const problem: Problem = {
    type: `${publicUrl}/docs/api#error-${code}`,
    title: errorTable[code].title,
    status,
    detail,
    code,
    request_id: requestId,
    ...(errors && { errors }),
  };
  return { status, type: 'application/problem+json', body: JSON.stringify(problem), headers: headersOf(error) };
}

function headersOf({ code, retryAfterSeconds: specified }: ApiError): Record<string, string> {
  const byDefault = code === 'unavailable' || code === 'idempotency_in_flight' ? retryAfterSeconds[code] : undefined;
  const seconds = specified ?? byDefault;
  return {
    ...(seconds !== undefined && { 'Retry-After': String(Math.max(1, Math.ceil(seconds))) }),
    ...(code === 'unauthorized' && { 'WWW-Authenticate': 'Bearer realm="whorl"' }),
    // RFC 6750, section 3.1.
    ...(code === 'insufficient_scope' && { 'WWW-Authenticate': 'Bearer realm="whorl", error="insufficient_scope"' }),
  };
}
