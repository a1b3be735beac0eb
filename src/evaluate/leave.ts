import { WhorlError } from '../errors.js';

/** How long a page may stay after it was told to leave, in milliseconds. */
const leaveTimeoutMs = 30_000;

/**
 * Navigates to the managed challenge page. Never settles once the page is left, also where the browser restores it later
 * from its back/forward cache: the code that waits for `evaluate` must not go on as if there were no challenge.
 *
 * @throws {WhorlError} (rejects with) `navigation` in a frame, since that page cannot be framed, and where the browser
 *   throws or the page is still there after 30 seconds.
 */
export function leaveFor(url: string): Promise<never> {
  return new Promise((_resolve, reject) => {
    // Without a cause: what browsers throw here names the address, which opens the challenge.
    const fail = () =>
      reject(new WhorlError('navigation', 'The managed challenge page cannot open from here. Pass onChallenge.'));
    if (window.top !== window) return fail();
    const timer = setTimeout(fail, leaveTimeoutMs);
    addEventListener('pagehide', () => clearTimeout(timer), { once: true });
    try {
      location.assign(url);
    } catch {
      fail();
    }
  });
}
