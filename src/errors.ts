/**
 * Why a call of this package failed. Stable: match on it, never on the message.
 *
 * - `not_in_browser`: there is no page here (Node, a worker, server-side rendering).
 * - `invalid_options`: an option has a value that it cannot have; the message names it.
 * - `invalid_fingerprint`: the text is not a fingerprint of a format that this version reads.
 */
export type WhorlErrorCode = 'not_in_browser' | 'invalid_options' | 'invalid_fingerprint';

/** The one error class of this package. `code` is stable, the message is for the developer who reads it. */
export class WhorlError extends Error {
  readonly code: WhorlErrorCode;

  constructor(code: WhorlErrorCode, message: string, options?: { cause?: unknown }) {
    super(message);
    this.name = 'WhorlError';
    this.code = code;
    if (options) this.cause = options.cause;
  }

  declare cause?: unknown;
}
