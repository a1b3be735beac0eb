import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Context } from 'hono';
import type { PublicRoute } from '../public-route.js';

export interface ScriptFile {
  readonly text: string;
  /** For the `integrity` attribute (Subresource Integrity). */
  readonly integrity: string;
}

/** A script-tag file of the installed package. */
export function readScript(name = 'whorl.min.js'): ScriptFile {
  const text = readFileSync(createRequire(import.meta.url).resolve(`whorl/${name}`), 'utf8');
  return { text, integrity: `sha384-${createHash('sha384').update(text).digest('base64')}` };
}

export const script: PublicRoute = {
  path: '/whorl.min.js',
  operationId: 'script',
  summary: 'The browser package, for a script tag',
  description:
    'So that page and API need one domain. The page of the documentation shows the tag with its `integrity`.',
  contentType: 'text/javascript',
  prepare: () => serveScript('whorl.min.js'),
};

export const eventsScript: PublicRoute = {
  path: '/whorl-events.min.js',
  operationId: 'eventsScript',
  summary: '`onDetached`, for a script tag',
  description: 'Loaded after the browser package, by pages that want to hear at once that their device was signed out.',
  contentType: 'text/javascript',
  prepare: () => serveScript('whorl-events.min.js'),
};

function serveScript(name: string): (c: Context) => Response {
  const { text, integrity } = readScript(name);
  const etag = `"${integrity.slice('sha384-'.length, 'sha384-'.length + 32)}"`;
  const headers = {
    'Access-Control-Allow-Origin': '*',
    // A page that isolates itself from other origins loads it too.
    'Cross-Origin-Resource-Policy': 'cross-origin',
    // A new version of the service brings a new file under the same name.
    'Cache-Control': 'public, max-age=3600, stale-while-revalidate=86400',
    ETag: etag,
  };
  return (c) =>
    c.req.header('if-none-match') === etag
      ? new Response(null, { status: 304, headers })
      : new Response(text, { headers: { ...headers, 'Content-Type': 'text/javascript; charset=utf-8' } });
}
