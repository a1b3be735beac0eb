import { createHash } from 'node:crypto';

/** What a page may load, and where its forms may lead; each is `'none'` where nothing is said. */
export interface PageSources {
  readonly styles?: string;
  readonly scripts?: string;
  readonly images?: string;
  readonly forms?: string;
}

export interface PageHeaderOptions {
  /** Default: nothing of the page is kept. */
  readonly cache?: string;
  /** Whether a page that opened this one as a window keeps hold of it. Default: false. */
  readonly keepsOpener?: boolean;
}

const yearSeconds = 31_536_000;

/**
 * The headers of every page for people, in one place: what it may load, that it is in nobody's frame, that its address
 * is told to nobody, and that browsers come back by https where the service is reached by it (RFC 6797).
 */
export function pageHeaders(
  { publicUrl }: { readonly publicUrl: string },
  sources: PageSources,
  { cache = 'no-store', keepsOpener = false }: PageHeaderOptions = {},
): Record<string, string> {
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policyOf(sources),
    'Cache-Control': cache,
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    // For browsers that do not know `frame-ancestors`.
    'X-Frame-Options': 'DENY',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    ...(!keepsOpener && { 'Cross-Origin-Opener-Policy': 'same-origin' }),
    ...strictTransport(publicUrl),
  };
}

/** That browsers come back by https, where the service is reached by it (RFC 6797). */
export function strictTransport(publicUrl: string): Record<string, string> {
  return publicUrl.startsWith('https:') ? { 'Strict-Transport-Security': `max-age=${yearSeconds}` } : {};
}

/** By which a policy knows what stands in the page itself. */
export function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

function policyOf({ styles, scripts, images, forms = "'none'" }: PageSources): string {
  return [
    "default-src 'none'",
    ...(styles ? [`style-src ${styles}`] : []),
    ...(scripts ? [`script-src ${scripts}`] : []),
    ...(images ? [`img-src ${images}`] : []),
    // These three do not fall back to the default.
    `form-action ${forms}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
