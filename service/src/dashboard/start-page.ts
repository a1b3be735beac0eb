import type { Context } from 'hono';
import { html } from 'hono/html';
import type { HttpEnv } from '../http/environment.js';
import { basePathOf } from '../http/pages/page-response.js';
import type { Service } from '../resources/service.js';
import { acceptsHtml, respond } from './respond.js';
import { renderDocument } from './view/layout.js';

/** Returns whether a person opened the root of the service in a browser. For programs, nothing is there. */
export function isStartPageRequest(c: Context<HttpEnv>): boolean {
  const { method, path } = c.req;
  return (method === 'GET' || method === 'HEAD') && path === '/' && acceptsHtml(c);
}

/** Returns the page at the root of the service, which leads to everything that people can open. */
export function startPage(service: Service): Response {
  const basePath = basePathOf(service);
  const entry = (path: string, name: string, text: string) =>
    html`<li><a href="${basePath}${path}"><strong>${name}</strong></a><br/>${text}</li>`;
  const body = renderDocument({
    basePath,
    title: 'Fraud prevention service',
    narrow: true,
    header: html`<a class="brand" href="${basePath}/">Whorl</a>`,
    main: html`<h1>The service is running</h1>
<section class="panel"><ul class="plain stack">
${entry('/dashboard', 'Dashboard', 'Projects, keys, settings, users and evaluations.')}
${entry('/docs/', 'Documentation', 'How to use the service, from the first login on.')}
${entry('/docs/api', 'HTTP API', 'All endpoints, with their errors.')}
${entry('/readyz', 'Health', 'Whether the database is available.')}
</ul></section>
<p class="quiet">Your servers send requests to <code>${service.publicUrl}/v2/…</code></p>`,
  });
  return respond(body, { headers: { Vary: 'Accept' } });
}
