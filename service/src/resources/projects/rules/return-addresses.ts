/** Maximum length of a return URL: longer than any URL that a browser would open. */
const maxUrlLength = 4096;

/**
 * Returns the requested return URL, normalised, if the project's list allows it, and undefined otherwise. An entry is
 * an origin (`https://shop.example`), which allows all of its URLs, or a URL with a path, which allows all URLs below
 * that path. URLs with a user name are refused, because they can imitate another site.
 */
export function readReturnAddress(requested: string | undefined, allowed: readonly string[]): string | undefined {
  if (requested === undefined || requested.length > maxUrlLength) return undefined;
  const address = parse(requested);
  if (!address) return undefined;
  return allowed.some((entry) => covers(entry, address)) ? address.href : undefined;
}

/** Returns whether an entry is valid for the list. */
export function isReturnEntry(entry: string): boolean {
  const address = parse(entry);
  // Refuses a star, which would match only itself but look like a wildcard.
  return address !== undefined && address.search === '' && address.hash === '' && !entry.includes('*');
}

function covers(entry: string, address: URL): boolean {
  const prefix = parse(entry);
  if (!prefix || prefix.origin !== address.origin) return false;
  // `/account` covers `/account/orders` but not `/accounting`.
  const path = prefix.pathname.replace(/\/$/, '');
  return address.pathname === path || address.pathname.startsWith(`${path}/`);
}

function parse(text: string): URL | undefined {
  // Parsed without a base, so that `//evil.example` and `/path` are refused.
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const hasNoCredentials = url.username === '' && url.password === '';
  return hasNoCredentials && (url.protocol === 'https:' || url.protocol === 'http:') ? url : undefined;
}
