/** Maximum number of endpoints of a world. Each event adds a delivery row for each endpoint. */
export const maxEndpoints = 20;

/** Returns a URL without its query, which may contain a secret of the receiver. */
export function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

/** Endpoints of a file, compared with those that exist. */
export interface EndpointDifference<Existing> {
  /** Positions in the file of endpoints that do not exist yet. */
  readonly added: readonly number[];
  readonly kept: readonly Existing[];
  /** Existing endpoints that the file does not name. */
  readonly removed: readonly Existing[];
}

/**
 * Compares the URLs in a file with existing endpoints. An exported URL has no query, so a URL without a query also names
 * an endpoint that has one, unless another URL of the file names that endpoint exactly.
 */
export function compareEndpoints<Existing extends { readonly url: string }>(
  urls: readonly string[],
  existing: readonly Existing[],
): EndpointDifference<Existing> {
  const left = [...existing];
  const take = (fits: (url: string) => boolean): Existing | undefined => {
    const index = left.findIndex(({ url }) => fits(url));
    return index < 0 ? undefined : left.splice(index, 1)[0];
  };
  const exact = urls.map((url) => take((other) => normalised(other) === normalised(url)));
  const matches = urls.map((url, at) => exact[at] ?? take((other) => withoutQuery(other) === normalised(url)));
  const kept = new Set(matches);
  return {
    added: matches.flatMap((match, at) => (match ? [] : [at])),
    kept: existing.filter((each) => kept.has(each)),
    removed: left,
  };
}

/** Returns the positions of URLs that are listed before. */
export function repeatedUrls(urls: readonly string[]): number[] {
  const all = urls.map(normalised);
  return all.flatMap((url, at) => (all.indexOf(url) < at ? [at] : []));
}

function normalised(url: string): string {
  return URL.canParse(url) ? new URL(url).href : url;
}
