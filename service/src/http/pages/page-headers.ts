import { createHash } from 'node:crypto';

/** What a page may load, and where its forms may lead; each is `'none'` where nothing is said. */
export interface PageSources {
  readonly styles?: string;
  readonly scripts?: string;
  readonly images?: string;
  readonly forms?: string;
}

export interface PageHeaderOptions {
  /** Default: as `observe` has it, nothing of the page is kept. */
  readonly cache?: string;
  /** Whether a page that opened this one as a window keeps hold of it. Default: false. */
  readonly keepsOpener?: boolean;
}

/**
 * The headers of every page for people besides those of all answers (see `observe`): what it may load, that it is in
 * nobody's frame, and that it asks for nothing of the device.
 */
export function pageHeaders(
  sources: PageSources,
  { cache, keepsOpener = false }: PageHeaderOptions = {},
): Record<string, string> {
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policyOf(sources),
    // For browsers that do not know `frame-ancestors`.
    'X-Frame-Options': 'DENY',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    ...(!keepsOpener && { 'Cross-Origin-Opener-Policy': 'same-origin' }),
    ...(cache !== undefined && { 'Cache-Control': cache }),
  };
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
