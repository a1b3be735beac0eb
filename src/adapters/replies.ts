import { WhorlApiError, WhorlConnectionError } from '../server/index.js';
import { isUserBusy } from '../server/retry.js';
import type { Evaluation } from '../wire/index.js';
import type { Reply } from './action-response.js';

export type { Reply } from './action-response.js';

/** A response that refuses an action: with a body, or a redirect to the option `page`. */
export interface Refusal extends Reply {
  readonly body?: {
    /** One of docs/adapters.md, such as `challenge_required`. */
    readonly code: string;
    /** A sentence for the visitor. */
    readonly detail: string;
  };
}

/** The response if `protect` is used where nobody is logged in. */
export const notLoggedIn: Refusal = { status: 401, body: { code: 'not_logged_in', detail: 'Log in first.' } };

/** The response if the application does not say who is logged in. */
export const noDevices: Refusal = {
  status: 404,
  body: { code: 'not_found', detail: 'This server shows no devices: its routes have no option `user`.' },
};

/** Errors of the service that are meant for the page, with a sentence for the visitor. Others are the application's. */
const sentences: Readonly<Record<string, string>> = {
  challenge_closed: 'This request has expired. Start again.',
  not_found: 'This request has expired. Start again.',
  code_expired: 'The code has expired. Send a new one.',
  code_not_sent: 'Send a code first.',
  no_channel: 'No code can be sent to this account.',
  own_factor_required: 'This account is not confirmed with a code.',
  rate_limited: 'No more codes can be sent.',
  too_many_attempts: 'Too many wrong codes. Send a new one.',
};

export const foreignOrigin: Refusal = {
  status: 403,
  body: {
    code: 'origin_not_allowed',
    detail: 'Pages of this origin may not send requests. The server can add it to the option origins.',
  },
};

/** The reply to a webhook that is too large to be one of the service. */
export const tooLong: Refusal = {
  status: 413,
  body: { code: 'body_too_large', detail: 'The body is larger than 1 MiB.' },
};

/** The same for errors that pass with time. A new code does not help before that. */
const passing: Readonly<Record<string, string>> = {
  rate_limited: 'No new code can be sent now.',
  too_many_attempts: 'Too many wrong codes.',
};

/** The reply if the service is unavailable, or an address unknown. The log says which: visitors can change neither. */
export const unavailable: Refusal = {
  status: 503,
  body: { code: 'unavailable', detail: 'This cannot be checked at the moment. Try again soon.' },
  headers: { 'retry-after': '5' },
};

/** Returns the reply that refuses an action, if its verdict does. A failed attempt has no challenge. */
export function refusalOf({ verdict }: Evaluation, outcome?: 'failed'): Refusal | undefined {
  if (verdict === 'deny') return { status: 403, body: { code: 'denied', detail: 'Refused.' } };
  if (outcome || verdict === 'allow' || verdict === 'restrict') return undefined;
  const detail = 'A code is needed to continue.';
  return { status: 403, body: { code: 'challenge_required', detail } };
}

/** Returns a redirect to the page that asks for codes, with the headers of a reply. */
export function redirect(page: string, { headers }: Reply, code: string): Refusal {
  const location = `${page}${page.includes('?') ? '&' : '?'}${new URLSearchParams({ code })}`;
  return { status: 303, headers: { ...headers, location } };
}

/** The reply about a challenge that another browser began. */
export const foreignChallenge: Refusal = {
  status: 403,
  body: {
    code: 'challenge_of_another_browser',
    detail: 'This code was not requested in this browser. Start again here, or continue where you started.',
  },
};

/** Not passed on, because the service counts each wrong code. */
export const incompleteCode: Reply = {
  status: 400,
  body: { code: 'wrong_code', detail: 'Enter the six digits of the code.' },
};

/** Returns the reply after the last wrong code. `seconds`: until another one can be sent. Undefined if none can be. */
export function lastWrongCode(seconds: number | undefined): Refusal {
  const isLater = seconds !== undefined && seconds > 0;
  const later = isLater ? `You can request a new one in ${seconds} seconds.` : 'Request a new one.';
  const next = seconds === undefined ? 'No more codes can be sent. Start again later.' : later;
  const body = { code: 'too_many_attempts', detail: `Too many wrong codes. ${next}` };
  return { status: 429, body, ...(isLater && { headers: { 'retry-after': String(seconds) } }) };
}

/**
 * Returns whether visitors may have caused an error: the service has too much to do for this project or user, or something
 * else responded, such as a firewall.
 */
export function mayBeDueToVisitors(error: unknown): boolean {
  if (error instanceof WhorlConnectionError) return error.code === 'invalid_response';
  return error instanceof WhorlApiError && (error.status === 429 || isUserBusy(error));
}

/** Returns the reply to a page if an error of the service is meant for it, or the service is unavailable. */
export function replyFor(error: unknown): Refusal | undefined {
  if (error instanceof WhorlConnectionError) return unavailable;
  if (!(error instanceof WhorlApiError)) return undefined;
  const { status, code, retryAfterSeconds: seconds } = error;
  if (status >= 500) return unavailable;
  const sentence = sentences[code];
  if (!sentence) return undefined;
  if (seconds === undefined) return { status, body: { code, detail: sentence } };
  const detail = `${passing[code] ?? sentence} Try again in ${seconds} seconds.`;
  return { status, body: { code, detail }, headers: { 'retry-after': String(seconds) } };
}

/**
 * Returns the error to throw if the service refused what the application asked for. Frameworks answer with the `status`
 * of an error, but the visitor did nothing wrong.
 */
export function faultOf(error: unknown): unknown {
  if (!(error instanceof WhorlApiError)) return error;
  const message = `The service refused a request of this application. ${error.message}`;
  return Object.assign(new Error(message), { cause: error });
}
