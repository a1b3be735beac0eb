import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { WhorlApiError, WhorlConnectionError, WhorlVerificationError } from 'whorl/server';
import type { Problem } from '../api.js';

/** Thrown to refuse a request. The visitor sees the message. */
export class Refusal extends HTTPException {
  constructor(
    status: ContentfulStatusCode,
    readonly code: string,
    message: string,
    readonly details: Omit<Problem, 'code' | 'message'> = {},
  ) {
    super(status, { message });
  }
}

/** Returns the response for an error. Logs only unexpected errors. */
export function answerError(error: Error, c: Context): Response {
  const answer = (status: ContentfulStatusCode, problem: Problem) => c.json(problem, status);
  if (error instanceof Refusal) {
    const { status, code, message, details } = error;
    return answer(status, { code, message, ...details });
  }
  if (error instanceof WhorlConnectionError || (error instanceof WhorlApiError && error.status >= 500)) {
    const message =
      'The service that evaluates logins is unreachable, so you cannot log in now. Try again in a moment.';
    return answer(503, { code: 'unavailable', message });
  }
  if (error instanceof WhorlApiError || error instanceof WhorlVerificationError) {
    // The demo's own fault, such as a wrong key. A token of the page is the visitor's.
    if (error instanceof WhorlApiError) console.error(error);
    return answer(502, { code: error.code, message: `The service returned the error ${error.code}.` });
  }
  console.error(error);
  return answer(500, { code: 'internal', message: 'An internal error occurred. Try again.' });
}
