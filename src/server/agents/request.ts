import { WhorlArgumentError } from '../errors.js';
import type { RequestHeaders } from '../headers.js';

/** The visitor's request: a standard `Request`, or Node's. */
export interface AgentRequest {
  readonly method?: string | undefined;
  /** An absolute URL, or a path with its query. Its scheme and host are not used. */
  readonly url?: string | undefined;
  readonly headers: RequestHeaders;
}

/** A request, with the address at which the server received it. */
export interface SignedRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: RequestHeaders;
}

/**
 * Returns the request with its URL at `origin`. The request's own host is not used, because its sender writes it: a
 * signature that an agent sent to another site would be valid here with that site's name in `Host`.
 *
 * @throws {WhorlArgumentError} for an origin or a URL that is not valid.
 */
export function requestAt(origin: string, { method = 'GET', url = '/', headers }: AgentRequest): SignedRequest {
  const base = parseUrl(origin);
  if (!base || !/^https?:$/.test(base.protocol) || base.href !== `${base.origin}/`) {
    throw new WhorlArgumentError('origin must be the origin of your site, such as https://example.com.');
  }
  const sent = parseUrl(url, base.origin);
  if (!sent) throw new WhorlArgumentError('url must be the URL of the request, or its path.');
  return { method, headers, url: new URL(base.origin + sent.pathname + sent.search) };
}

/** Returns a URL, or undefined if the text is not one. */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
