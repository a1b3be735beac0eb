import type { LogIn } from '../../server/api.js';

const RETURNED = 'from';

/** Where the service's challenge page leads back to. */
export function returnUrl(): string {
  return `${location.origin}${location.pathname}?${RETURNED}=challenge`;
}

/** Whether the visitor comes from the service's page. Told once: a reload is no return. */
export function takeReturn(): boolean {
  const hasReturned = new URLSearchParams(location.search).has(RETURNED);
  if (hasReturned) history.replaceState(null, '', location.pathname + location.hash);
  return hasReturned;
}

/** Leaves for the service's page. */
export function goToChallengePage(pageUrl: string, say: (doing: string) => void): Promise<LogIn | undefined> {
  say("Going to the service's page…");
  reloadWhenRestored();
  location.assign(`${pageUrl}&return_url=${encodeURIComponent(returnUrl())}`);
  // This page is left now.
  return new Promise(() => undefined);
}

/** Should the browser restore this page from its back/forward cache, it goes on where the server says. */
export function reloadWhenRestored(): void {
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload();
  });
}
