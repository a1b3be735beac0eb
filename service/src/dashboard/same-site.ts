import type { Context } from 'hono';

/**
 * Whether a form was posted by a page of this service, as far as the browser tells: by Fetch Metadata where it sends
 * that, or else by the origin, which it hides here (`null`) since our pages tell their address to nobody. The forms' own
 * token is checked besides.
 */
export function isFromOwnPage(c: Context, publicUrl: string): boolean {
  const site = c.req.header('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin';
  const origin = c.req.header('origin');
  if (origin === undefined || origin === 'null') return true;
  if (!URL.canParse(origin)) return false;
  return new URL(origin).origin === new URL(publicUrl).origin || new URL(origin).host === c.req.header('host');
}
