import type { Problem } from 'whorl/wire';
import { DatabaseUnavailableError } from '../db/availability.js';
import { ApiError, errorTable } from '../errors.js';
import type { Service } from '../service.js';

/** What goes back, before it becomes a response: it can be kept, and given again. */
export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export function jsonAnswer(value: unknown): Answer {
  return { status: 200, type: 'application/json', body: JSON.stringify(value) };
}

/** @param headers What was learnt on the way to the answer; the answer's own come on top. */
export function toResponse({ status, type, body, headers: own = {} }: Answer, headers = new Headers()): Response {
  for (const [name, value] of Object.entries(own)) headers.set(name, value);
  headers.set('Content-Type', type);
  return new Response(body, { status, headers });
}

/** How long to wait where the error itself does not say. */
const retryAfterSeconds = { unavailable: 5, idempotency_in_flight: 1 } as const;

const deepestCause = 5;

/** Whatever was thrown as what the caller is told: nothing of an error that was not meant for it. */
function toApiError(error: unknown, depth = 0): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof DatabaseUnavailableError) {
    return new ApiError('unavailable', { detail: 'The database is not available.', cause: error });
  }
  if (error instanceof Error && error.cause !== undefined && depth < deepestCause) {
    const { code } = toApiError(error.cause, depth + 1);
    if (code === 'unavailable') return new ApiError('unavailable', { cause: error });
  }
  return new ApiError('internal', { cause: error });
}

/** What the caller is told of whatever was thrown; the log is told of what is not the caller's doing. */
export function answerError(
  { log, publicUrl }: Pick<Service, 'log' | 'publicUrl'>,
  thrown: unknown,
  requestId: string,
): Answer {
  const error = toApiError(thrown);
  const { code, status } = error;
  const fields = { err: thrown, request_id: requestId };
  if (code === 'unavailable') log.warn(fields, 'not available');
  else if (status >= 500) log.error(fields, 'request failed');
  return problemAnswer(error, { publicUrl, requestId });
}

/** An error as RFC 9457 has it. */
export function problemAnswer(
  error: ApiError,
  { publicUrl, requestId }: { publicUrl: string; requestId: string },
): Answer {
  const { code, status, detail, errors } = error;
  const problem: Problem = {
    type: `${publicUrl}/docs#error-${code}`,
    title: errorTable[code].title,
    status,
    detail,
    code,
    request_id: requestId,
    ...(errors && { errors }),
  };
  return { status, type: 'application/problem+json', body: JSON.stringify(problem), headers: headersOf(error) };
}

function headersOf({ code, retryAfterSeconds: given }: ApiError): Record<string, string> {
  const usual = code === 'unavailable' || code === 'idempotency_in_flight' ? retryAfterSeconds[code] : undefined;
  const seconds = given ?? usual;
  return {
    ...(seconds !== undefined && { 'Retry-After': String(Math.max(1, Math.ceil(seconds))) }),
    ...(code === 'unauthorized' && { 'WWW-Authenticate': 'Bearer realm="whorl"' }),
  };
}
