import { WhorlError } from './errors.js';
import { firstInvalidField } from './evaluate/first-invalid-field.js';
import { follow } from './on-detached/follow.js';
import { baseUrlExpected, invalid, resolveOptions } from './options.js';
import { ownFields } from './own-fields.js';
import { settings } from './settings.js';
import type { Signal } from './signal.js';
import type { DetachedData } from './wire/events.js';

/** Options of `onDetached`. */
export interface OnDetachedOptions {
  /**
   * The `device_token` of the evaluation or attachment for this login. The application's server passes it to the page.
   */
  readonly deviceToken: string;
  /**
   * Called once, when the device was detached or blocked, or its user was suspended or deleted. The page has to sign
   * out.
   */
  readonly onDetached: (detached: DetachedData) => unknown;
  /**
   * Called once if the service rejects the token (`http`, with the `status`), for example because its 24 hours passed
   * while the page was asleep. Ask the application's server whether the user is still signed in, and for a newer token.
   * Default: does nothing.
   */
  readonly onEnd?: ((error: WhorlError) => unknown) | undefined;
  /** The http or https URL of the service. Default: as for `evaluate`. */
  readonly baseUrl?: string | undefined;
  /** Stops waiting, like the returned function. Default: none. */
  readonly signal?: Signal | undefined;
}

const patterns = { deviceToken: /^[\da-f-]{36}\.\S+$/, baseUrl: /^https?:\/\/\S+$/ };
const expected = { deviceToken: 'the device_token of an evaluation or attachment', baseUrl: baseUrlExpected };

/**
 * Waits for the detachment of this device, in every tab that calls it (docs/events.md). Continues after sleep, through
 * network interruptions, and on networks that block streams. Throws nothing after it has returned.
 *
 * @returns a function that stops waiting.
 * @throws {WhorlError} immediately: `not_in_browser`, and `invalid_options` for an option with an invalid value.
 */
export function onDetached(options: OnDetachedOptions): () => void {
  resolveOptions();
  const { deviceToken, onDetached, onEnd, baseUrl = settings.baseUrl ?? '', signal } = ownFields(options);
  const invalidName = firstInvalidField({ deviceToken, baseUrl }, patterns);
  if (invalidName) throw invalid(invalidName, expected[invalidName]);
  if (typeof onDetached !== 'function') throw invalid('onDetached', 'a function');
  const controller = new AbortController();
  const stop = () => controller.abort();
  if (signal?.aborted) stop();
  signal?.addEventListener('abort', stop, { signal: controller.signal });
  const url = baseUrl.replace(/\/?$/, `/v2/device/${deviceToken.slice(0, 36)}/events`);
  follow(url, deviceToken, controller.signal).then((ending) => {
    if (controller.signal.aborted || !ending) return;
    stop();
    if (typeof ending !== 'number') onDetached(ending);
    else onEnd?.(new WhorlError('http', `The service returned status ${ending}.`, { status: ending }));
  });
  return stop;
}
