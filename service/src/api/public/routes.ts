import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { projectFileJsonSchema } from '../../effects/project-file/rules/schema.js';
import { hasAllMigrations } from '../../ground/db/migrate.js';
import { ApiError } from '../../ground/errors.js';
import { lazy } from '../../ground/lazy.js';
import { daySeconds, hourSeconds } from '../../ground/time.js';
import { hashSource, pageHeaders } from '../../http/pages/page-response.js';
import type { PublicRoute } from '../../http/public-route.js';
import { jsonResponse, toResponse } from '../../http/response.js';
import { withDeadline } from '../../http/work-limits.js';
import { publicKeys } from '../../resources/projects/projects.js';
import { renderApiDocs, styles } from '../openapi/page.js';
import { sitePage } from './docs-site.js';

/** Shorter than the usual timeouts of load balancers. */
const timeoutMs = 2000;

/** Routes that require no key and belong to no feature, in the order of the documentation. */
export const publicEndpoints: readonly PublicRoute[] = [
  {
    path: '/.well-known/jwks.json',
    operationId: 'publicKeys',
    summary: 'Public keys that evaluation tokens are signed with',
    description: 'A JSON Web Key Set (RFC 7517) with the keys of all projects.',
    contentType: 'application/jwk-set+json',
    response: z.object({ keys: z.array(z.record(z.string(), z.unknown())) }),
    allowance: { name: 'jwks', perSecond: 20, burst: 60 },
    errors: ['rate_limited', 'unavailable'],
    prepare:
      ({ service }) =>
      async () => {
        const headers = new Headers({ 'Cache-Control': 'public, max-age=30', 'Access-Control-Allow-Origin': '*' });
        return toResponse({ ...jsonResponse(await publicKeys(service)), type: 'application/jwk-set+json' }, headers);
      },
  },
  {
    path: '/openapi.json',
    operationId: 'openApi',
    summary: 'This document',
    contentType: 'application/json',
    response: z.record(z.string(), z.unknown()),
    prepare({ document }) {
      const response = lazy(() => jsonResponse(document()));
      return () =>
        toResponse(
          response(),
          new Headers({ 'Cache-Control': 'public, max-age=300', 'Access-Control-Allow-Origin': '*' }),
        );
    },
  },
  {
    path: '/schemas/project.json',
    operationId: 'projectSchema',
    summary: 'JSON schema of a project as a file, for editors',
    contentType: 'application/schema+json',
    response: z.record(z.string(), z.unknown()),
    prepare() {
      const response = lazy(() => ({ ...jsonResponse(projectFileJsonSchema()), type: 'application/schema+json' }));
      return () =>
        toResponse(
          response(),
          new Headers({ 'Cache-Control': 'public, max-age=300', 'Access-Control-Allow-Origin': '*' }),
        );
    },
  },
  {
    path: '/docs/api',
    operationId: 'apiDocs',
    summary: 'This document as a web page',
    description: 'Part of the documentation, or a single page without it if the documentation was not built.',
    contentType: 'text/html',
    prepare({ document, service }) {
      const scriptTag = `<script src="${service.publicUrl}/whorl.min.js"\n  integrity="${readScript().integrity}" crossorigin></script>`;
      const body = lazy(() => `<!doctype html>${renderApiDocs(document(), scriptTag)}`);
      const headers = pageHeaders({ styles: hashSource(styles) }, { cache: 'public, max-age=300' });
      return () => sitePage('api') ?? new Response(body(), { headers });
    },
  },
  {
    path: '/whorl.min.js',
    operationId: 'script',
    summary: 'The browser package, for a script tag',
    description:
      'Serves the package from the same domain as the API. The documentation page shows the tag with its `integrity`.',
    contentType: 'text/javascript',
    prepare: () => serveScript('whorl.min.js'),
  },
  {
    path: '/whorl-events.min.js',
    operationId: 'eventsScript',
    summary: '`onDetached`, for a script tag',
    description: 'Load it after the browser package, on pages that react at once when their device is signed out.',
    contentType: 'text/javascript',
    prepare: () => serveScript('whorl-events.min.js'),
  },
  {
    path: '/healthz',
    operationId: 'health',
    summary: 'Check that the process is running',
    contentType: 'application/json',
    response: z.object({ status: z.literal('ok') }),
    prepare: () => () => toResponse(jsonResponse({ status: 'ok' })),
  },
  {
    path: '/readyz',
    operationId: 'ready',
    summary:
      'Check that the process takes requests: it is not about to stop, and the database is available and up to date',
    contentType: 'application/json',
    response: z.object({ status: z.literal('ok') }),
    // Far above the rate of any load balancer: a refused check would take the process out of service.
    allowance: { name: 'readyz', perSecond: 100, burst: 300 },
    errors: ['timeout', 'rate_limited', 'unavailable'],
    prepare:
      ({ service, stopping }) =>
      async () => {
        if (stopping.aborted) throw new ApiError('unavailable', { detail: 'The process is about to stop.' });
        if (!(await withDeadline(timeoutMs, () => hasAllMigrations(service.db)))) {
          throw new ApiError('unavailable', { detail: 'The database schema is not up to date.' });
        }
        return toResponse(jsonResponse({ status: 'ok' }));
      },
  },
  {
    path: '/metrics',
    operationId: 'metrics',
    summary: 'Metrics of the process, for Prometheus',
    description: 'Contains only counts, and no personal data. Do not expose it to the public.',
    contentType: 'text/plain',
    // Each request counts the waiting jobs in the database.
    allowance: { name: 'metrics', perSecond: 5, burst: 20 },
    errors: ['rate_limited'],
    prepare:
      ({ metrics }) =>
      async () => {
        const { text, type } = await metrics.scrape();
        return toResponse({ status: 200, type, body: text });
      },
  },
];

export interface ScriptFile {
  readonly text: string;
  /** For the `integrity` attribute (Subresource Integrity). */
  readonly integrity: string;
}

/** Reads a script-tag file of the installed package. */
function readScript(name = 'whorl.min.js'): ScriptFile {
  const text = readFileSync(createRequire(import.meta.url).resolve(`whorl/${name}`), 'utf8');
  return { text, integrity: `sha384-${createHash('sha384').update(text).digest('base64')}` };
}

function serveScript(name: string): (c: Context) => Response {
  const { text, integrity } = readScript(name);
  const etag = `"${integrity.slice('sha384-'.length, 'sha384-'.length + 32)}"`;
  const headers = {
    'Access-Control-Allow-Origin': '*',
    // Allows cross-origin isolated pages to load it.
    'Cross-Origin-Resource-Policy': 'cross-origin',
    // The name is the same for every version, so the file must not be cached for long.
    'Cache-Control': `public, max-age=${hourSeconds}, stale-while-revalidate=${daySeconds}`,
    ETag: etag,
  };
  return (c) =>
    c.req.header('if-none-match') === etag
      ? new Response(null, { status: 304, headers })
      : new Response(text, { headers: { ...headers, 'Content-Type': 'text/javascript; charset=utf-8' } });
}
