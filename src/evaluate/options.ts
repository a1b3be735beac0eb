import { attempt } from '../attempt.js';
import { baseUrlExpected, durationExpected, type GetHashOptions, invalid, isDuration } from '../options.js';
import { settings } from '../settings.js';
import type { Signal } from '../signal.js';
import { stringify } from '../stringify.js';
import type { ClaimedEvaluation } from '../wire/evaluate.js';
import type { Action, Metadata } from '../wire/vocabulary.js';
import { firstInvalidField } from './first-invalid-field.js';

/** The argument of `onChallenge`. */
export interface ChallengeCall {
  /** `_id` identifies the challenge in the service's API (docs/api.md). */
  readonly challenge: { readonly _id: string };
  readonly evaluation: ClaimedEvaluation;
}

/** Options of `evaluate`. */
export interface EvaluateOptions extends GetHashOptions {
  /** The project's publishable key, `pk_live_…` or `pk_test_…`. Required, unless the script tag has `data-client-id`. */
  readonly clientId?: string | undefined;
  /**
   * The http or https URL of the service. The script-tag file defaults to the origin that it was loaded from. Otherwise
   * there is no default.
   */
  readonly baseUrl?: string | undefined;
  /** What the user is about to do. */
  readonly action: Action;
  /** The application's own identifier of the user. */
  readonly user: string;
  readonly email?: string | undefined;
  readonly phone?: string | undefined;
  /** Free-form data of the application; at most 16 KiB as JSON. */
  readonly metadata?: Metadata | undefined;
  /**
   * Called once if the evaluation created a challenge. Its result is awaited, and `evaluate` rejects with what it
   * throws. Default: navigates to the project's managed challenge page if that page is enabled.
   */
  readonly onChallenge?: ((call: ChallengeCall) => unknown) | undefined;
  /**
   * The URL that the managed challenge page returns the user to, if the project allows it. Default: the current URL.
   */
  readonly returnUrl?: string | undefined;
  /** Aborts the evaluation until its response has arrived. Default: none. */
  readonly signal?: Signal | undefined;
  /** The deadline for reading the browser and the request together, in milliseconds. Default 10000. */
  readonly timeout?: number | undefined;
}

/** The pattern of each string option. If a pattern matches the empty string, the option is optional. */
const patterns = {
  clientId: /^pk_[\w-]+$/,
  baseUrl: /^https?:\/\/\S+$/,
  action: /^[a-z0-9_]{1,64}$/,
  user: /\S/,
  email: /.*/,
  phone: /.*/,
  returnUrl: /:/,
};

/** What each option must be, for error messages. */
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
 * Returns the string options after checking them. Settings of the script tag replace missing options.
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
  const invalidName = firstInvalidField(texts, patterns);
  if (/^sk_/.test(String(texts.clientId))) {
    throw invalid(
      'clientId',
      'a publishable key (pk_…), not a secret key. Anyone can read it in a page: rotate it now',
    );
  }
  if (invalidName) throw invalid(invalidName, expected[invalidName]);
  return texts;
}

/**
 * Checks the options that are not strings.
 *
 * @throws {WhorlError} `invalid_options` for an invalid one.
 */
export function checkOthers({ metadata = {}, onChallenge, signal, timeout = 1 }: EvaluateOptions): void {
  if (attempt(() => stringify(metadata)[0]) !== '{') throw invalid('metadata', 'an object for JSON');
  if (onChallenge !== undefined && typeof onChallenge !== 'function') throw invalid('onChallenge', 'a function');
  // Checks a property instead of the class, because a signal from a frame has a different class.
  if (signal !== undefined && signal?.aborted === undefined) throw invalid('signal', 'an AbortSignal');
  if (!isDuration(timeout)) throw invalid('timeout', durationExpected);
}
