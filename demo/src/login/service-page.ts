import type { LogIn } from '../../server/api.js';

const RETURNED = 'from';

/** Returns the URL that the service's challenge page sends the visitor back to. */
export function returnUrl(): string {
  return `${location.origin}${location.pathname}?${RETURNED}=challenge`;
}

/** Returns whether the visitor comes from the service's page. True only once: a reload is not a return. */
export function takeReturn(): boolean {
  const hasReturned = new URLSearchParams(location.search).has(RETURNED);
  if (hasReturned) history.replaceState(null, '', location.pathname + location.hash);
  return hasReturned;
}

/** Navigates to the service's page. */
export function goToChallengePage(pageUrl: string, setActivity: (doing: string) => void): Promise<LogIn | undefined> {
  setActivity("Opening the service's page…");
  reloadWhenRestored();
  location.assign(`${pageUrl}&return_url=${encodeURIComponent(returnUrl())}`);
  // The browser is leaving the page.
  return new Promise(() => undefined);
}

/** Reloads the page if the browser restores it from its back/forward cache, so that it shows the server's state. */
export function reloadWhenRestored(): void {
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload();
  });
}
