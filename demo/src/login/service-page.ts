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
  location.assign(`${pageUrl}&return_url=${encodeURIComponent(returnUrl())}`);
  return neverUnlessBack(say);
}

/** This page is about to be left; should the browser bring it back as it was, it goes on where the server says. */
export function neverUnlessBack(say: (doing: string) => void): Promise<LogIn | undefined> {
  say("Going to the service's page…");
  return new Promise(() => addEventListener('pageshow', () => location.reload(), { once: true }));
}
