import { WhorlError } from '../errors.js';

/** How long a page may take to navigate, in milliseconds. */
const leaveTimeoutMs = 30_000;

/**
 * Navigates to the managed challenge page. Never settles once the page has been left, even if the browser later
 * restores it from its back/forward cache: code that awaits `evaluate` must not continue as if there were no challenge.
 *
 * @throws {WhorlError} (rejects with) `navigation` in a frame, because that page cannot be framed, and if the browser
 *   throws or the page is still open after 30 seconds.
 */
export function leaveFor(url: string): Promise<never> {
  return new Promise((_resolve, reject) => {
    // Has no cause, because the browser's error contains the URL, and anyone with the URL can open the challenge.
    const fail = () =>
      reject(new WhorlError('navigation', 'The managed challenge page could not be opened. Pass onChallenge.'));
    if (window.top !== window) return fail();
    const timer = setTimeout(fail, leaveTimeoutMs);
    addEventListener('pagehide', () => clearTimeout(timer));
    try {
      location.assign(url);
    } catch {
      fail();
    }
  });
}
