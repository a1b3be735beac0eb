/** Longer than any address that a browser would go to. */
const longestAddress = 4096;

/**
 * Where a person may be sent back to: the address that was asked for, as the URL standard reads it, if the project has
 * it on its list; undefined otherwise. An entry is an origin (`https://shop.example`), which allows all of it, or an
 * address with a path, which allows what is under that path. Addresses with a user name are refused: they are made to
 * look like another site's.
 */
export function readReturnAddress(asked: string | undefined, allowed: readonly string[]): string | undefined {
  if (asked === undefined || asked.length > longestAddress) return undefined;
  const address = parse(asked);
  if (!address) return undefined;
  return allowed.some((entry) => covers(entry, address)) ? address.href : undefined;
}

/** Whether an entry can be on the list. */
export function isReturnEntry(entry: string): boolean {
  const address = parse(entry);
  // A star would stand for nothing, and be taken for anything.
  return address !== undefined && address.search === '' && address.hash === '' && !entry.includes('*');
}

function covers(entry: string, address: URL): boolean {
  const prefix = parse(entry);
  if (!prefix || prefix.origin !== address.origin) return false;
  // `/account` covers `/account/orders`, and not `/accounting`.
  const path = prefix.pathname.replace(/\/$/, '');
  return address.pathname === path || address.pathname.startsWith(`${path}/`);
}

function parse(text: string): URL | undefined {
  // Without a base: `//evil.example` and `/path` are no addresses of their own.
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isPlain = url.username === '' && url.password === '';
  return isPlain && (url.protocol === 'https:' || url.protocol === 'http:') ? url : undefined;
}
