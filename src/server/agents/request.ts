import { WhorlArgumentError } from '../errors.js';
import type { RequestHeaders } from '../headers.js';
import { parseHttpUrl } from '../url.js';

/** The visitor's request: a standard `Request`, or Node's. */
export interface AgentRequest {
  readonly method?: string | undefined;
  /** An absolute URL, or a path with its query. Its scheme and host are not used. */
  readonly url?: string | undefined;
  readonly headers: RequestHeaders;
}

/** The values of a query's parameters, or of a field's members, by their names. */
export type Parts = ReadonlyMap<unknown, string | undefined>;

/** A request, with the address at which the server received it. */
export interface SignedRequest {
  readonly method: string;
  /** The site that received it. */
  readonly site: URL;
  /** The path, as it was sent. */
  readonly path: string;
  /** The query with its `?`, as it was sent, or empty. */
  readonly query: string;
  readonly headers: RequestHeaders;
  /** What was decoded of the query and of fields. */
  readonly decoded: Map<string, Parts>;
}

/**
 * Returns the request as it was received at `origin`, or undefined if its URL cannot be read. The request's own host is not
 * used, because its sender writes it: a signature that an agent sent to another site would be valid here with that site's
 * name in `Host`.
 *
 * @throws {WhorlArgumentError} for an origin that is not valid.
 */
export function requestAt(
  origin: string,
  { method = 'GET', url = '/', headers }: AgentRequest,
): SignedRequest | undefined {
  const site = parseHttpUrl(origin);
  if (site?.href !== `${site?.origin}/`) {
    throw new WhorlArgumentError('origin must be the origin of your site, such as https://example.com.');
  }
  const [, path, query = ''] = /^(\/[^?#]*)([^#]*)/.exec(targetOf(url)) ?? [];
  return path === undefined ? undefined : { method, headers, site, path, query, decoded: new Map() };
}

/** Returns path and query. A path is not parsed as a URL, which would take `//evil/login` for a host, and change others. */
function targetOf(url: string): string {
  const sent = url.startsWith('/') ? undefined : parseHttpUrl(url);
  return sent ? sent.pathname + sent.search : url;
}
