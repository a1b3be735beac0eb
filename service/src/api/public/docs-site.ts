import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Context } from 'hono';
import { ApiError } from '../../ground/errors.js';
import { lazy } from '../../ground/lazy.js';
import { basePathOf, pageHeaders } from '../../http/pages/page-response.js';
import type { PageRoute } from '../../http/pages/page-route.js';

/** Created by `npm run site`. It has the same position beside the sources and beside the build. */
const folder = fileURLToPath(new URL('../../../../site/dist/', import.meta.url));

const own = "'self'";
const cache = 'public, max-age=300';
const pageHeadersOfSite = pageHeaders(
  { styles: own, scripts: own, images: `${own} data:`, connections: own },
  { cache },
);
const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webp': 'image/webp',
};

/** The documentation as a website. Without a build of it, all its addresses redirect to the reference of the API. */
export const docsSite: readonly PageRoute[] = ['/docs', '/docs/', '/docs/{page}', '/docs/{folder}/{file}'].map(
  (path) => ({ method: 'get', path, prepare: ({ service }) => serveSite(basePathOf(service)) }),
);

const files = lazy(() => {
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  return new Map(
    names.filter((name) => extname(name)).map((name) => [name, lazy(() => readFileSync(`${folder}${name}`))]),
  );
});

/** Returns a page of the built site, with or without `.html` in its name, as the response to a request for it. */
export function sitePage(name: string): Response | undefined {
  const read = files().get(name) ?? files().get(`${name}.html`);
  if (!read) return undefined;
  const type = types[extname(name)];
  const headers = type ? { 'Content-Type': type, 'Cache-Control': cache } : pageHeadersOfSite;
  return new Response(new Uint8Array(read()), { headers });
}

function serveSite(basePath: string): (c: Context) => Response {
  return (c) => {
    // The pages' relative links need the slash.
    const target = files().size === 0 ? '/docs/api' : c.req.path.endsWith('/docs') ? '/docs/' : undefined;
    if (target)
      return new Response(null, { status: 302, headers: { Location: basePath + target, 'Cache-Control': cache } });
    const { page = 'index.html', folder: within, file } = c.req.param();
    const response = sitePage(within === undefined ? page : `${within}/${file}`);
    if (!response) throw new ApiError('not_found', { detail: 'There is no page at this address.' });
    return response;
  };
}
