import { attempt } from '../attempt.js';
import { baseUrlExpected, durationExpected, type GetHashOptions, invalid, isDuration } from '../options.js';
import { settings } from '../settings.js';
import type { Signal } from '../signal.js';
import type { ClaimedEvaluation } from '../wire/answers.js';
import type { Action, Metadata } from '../wire/vocabulary.js';
import { findMisfit } from './find-misfit.js';

/** What `onChallenge` is called with. */
export interface ChallengeCall {
  /** `_id` is the identifier that the challenge has in the service's API (interface specification, 4.1). */
  readonly challenge: { readonly _id: string };
  readonly evaluation: ClaimedEvaluation;
}

/** Options of `evaluate`. */
export interface EvaluateOptions extends GetHashOptions {
  /** The project's publishable key, `pk_live_…` or `pk_test_…`. Required, unless the script tag has `data-client-id`. */
  readonly clientId?: string | undefined;
  /**
   * The http or https address of the service. No default, but that of the script-tag file is the origin it was loaded
   * from.
   */
  readonly baseUrl?: string | undefined;
  /** What the user is about to do. */
  readonly action: Action;
  /** The application's own identifier of the user. */
  readonly user: string;
  readonly email?: string | undefined;
  readonly phone?: string | undefined;
  /** Free-form data of the application's own; 16 KiB as JSON at most. */
  readonly metadata?: Metadata | undefined;
  /**
   * Called once where the evaluation raised a challenge; what it returns is awaited, and what it throws is what
   * `evaluate` rejects with. Default: to go to the project's managed challenge page, where that is switched on.
   */
  readonly onChallenge?: ((call: ChallengeCall) => unknown) | undefined;
  /** Where the managed challenge page leads back to, where the project allows that. Default: the page's own address. */
  readonly returnUrl?: string | undefined;
  /** Ends the evaluation, until its answer is there. Default none. */
  readonly signal?: Signal | undefined;
  /** How long collecting and asking may take together, in milliseconds. Default 10000. */
  readonly timeout?: number | undefined;
}

/** The pattern of each text among the options. One that matches the empty string is optional. */
const patterns = {
  clientId: /^pk_[\w-]+$/,
  baseUrl: /^https?:\/\/\S+$/,
  action: /^[a-z0-9_]{1,64}$/,
  user: /\S/,
  email: /.*/,
  phone: /.*/,
  returnUrl: /:/,
};

/** What each of them must be, for the developer who reads the error. */
const expected: Record<keyof typeof patterns, string> = {
  clientId: 'a publishable key (pk_…)',
  baseUrl: baseUrlExpected,
  action: '1 to 64 of a-z, 0-9 and _',
  user: 'a string that is not blank',
  email: 'a string',
  phone: 'a string',
  returnUrl: 'an absolute URL',
};

/**
 * Returns the texts among the options, checked. The script tag's settings stand in for those that are not given.
 *
 * @throws {WhorlError} `invalid_options` for an invalid one.
 */
export function textsOf({ clientId, baseUrl, action, user, email, phone, returnUrl }: EvaluateOptions) {
  const texts = {
    clientId: clientId ?? settings.clientId ?? '',
    baseUrl: baseUrl ?? settings.baseUrl ?? '',
    action,
    user,
    email,
    phone,
    returnUrl: returnUrl ?? location.href,
  };
  const misfit = findMisfit(texts, patterns);
  if (/^sk_/.test(String(texts.clientId))) {
    throw invalid(
      'clientId',
      'a publishable key (pk_…), but is a secret key. It must never be in a page, where anyone can read it: rotate it now',
    );
  }
  if (misfit) throw invalid(misfit, expected[misfit]);
  return texts;
}

/** @throws {WhorlError} `invalid_options` for an option of another kind that cannot be. */
export function checkOthers({ metadata = {}, onChallenge, signal, timeout = 1 }: EvaluateOptions): void {
  if (attempt(() => JSON.stringify(metadata)[0]) !== '{') throw invalid('metadata', 'an object for JSON');
  if (onChallenge !== undefined && typeof onChallenge !== 'function') throw invalid('onChallenge', 'a function');
  // Not asked for its class: that of a frame is another one.
  if (signal !== undefined && signal?.aborted === undefined) throw invalid('signal', 'an AbortSignal');
  if (!isDuration(timeout)) throw invalid('timeout', durationExpected);
}
