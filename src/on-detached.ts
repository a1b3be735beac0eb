import { WhorlError } from './errors.js';
import { findMisfit } from './evaluate/find-misfit.js';
import { follow } from './on-detached/follow.js';
import { baseUrlExpected, invalid, resolveOptions } from './options.js';
import { settings } from './settings.js';
import type { Signal } from './signal.js';
import type { DetachedData } from './wire/events.js';

/** Options of `onDetached`. */
export interface OnDetachedOptions {
  /** The `device_token` of the evaluation or attachment of this login; the application's server passes it to its page. */
  readonly deviceToken: string;
  /** Called once, when the device was detached or blocked, or its user suspended or deleted: the page has to sign out. */
  readonly onDetached: (detached: DetachedData) => unknown;
  /**
   * Called once, where the service refuses the token (`http`, with the `status`): its 24 hours were over while the page
   * slept. Ask the application's server whether the user is still signed in, and for a newer token. Default: nothing.
   */
  readonly onEnd?: ((error: WhorlError) => unknown) | undefined;
  /** The http or https address of the service. Default: as with `evaluate`. */
  readonly baseUrl?: string | undefined;
  /** Ends the waiting, as the returned function does. Default none. */
  readonly signal?: Signal | undefined;
}

const patterns = { deviceToken: /^[\da-f-]{36}\.\S+$/, baseUrl: /^https?:\/\/\S+$/ };
const expected = { deviceToken: 'the device_token of an evaluation or attachment', baseUrl: baseUrlExpected };

/**
 * Waits for the detachment of this device, in every tab that calls it (docs/events.md). Goes on through sleep, networks
 * that come and go, and networks that let no streams through. Nothing is thrown later.
 *
 * @returns what ends the waiting.
 * @throws {WhorlError} at once: `not_in_browser`, and `invalid_options` for an option that cannot be.
 */
export function onDetached(options: OnDetachedOptions): () => void {
  resolveOptions();
  const { deviceToken, onDetached, onEnd, baseUrl = settings.baseUrl ?? '', signal } = options;
  const misfit = findMisfit({ deviceToken, baseUrl }, patterns);
  if (misfit) throw invalid(misfit, expected[misfit]);
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
    else onEnd?.(new WhorlError('http', `The service answered ${ending}.`, { status: ending }));
  });
  return stop;
}
