import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { serveStatic } from '@hono/node-server/serve-static';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import type { DemoEnv, Handler, Middleware } from '../demo.js';
import { scriptTagFile, serviceProgram, siteFolder, workerFile } from '../folders.js';
import { visitorOf } from '../http/middleware.js';
import { StartError } from '../start-error.js';

/** Checks that everything is built. @throws StartError if something is not. */
export function checkBuild(): void {
  const built = { 'npm run build': scriptTagFile, 'npm run --workspace service build': serviceProgram };
  for (const [command, file] of Object.entries(built)) {
    if (!existsSync(file)) throw new StartError(`${file} is missing: run "${command}" first.`);
  }
  if (!existsSync(join(siteFolder, 'index.html'))) {
    throw new StartError('The pages are not built yet: run "npm run --workspace demo build" first.');
  }
}

/** Adds the routes of the built pages and their files. */
export function addPages(app: Hono<DemoEnv>): void {
  app.get('*', preparePage);
  app.get('/playground', (c) => c.redirect('/#playground'));
  app.get('/script-tag.html', showScriptTagPage);
  app.get('/whorl.min.js', serveStatic({ path: scriptTagFile }));
  app.get('/whorl-worker.min.js', serveStatic({ path: workerFile }));
  app.get('*', serveStatic({ root: siteFolder }));
  app.get('*', (c) => c.text('Page not found.\n', 404));
  app.all('*', (c) => c.text('Only GET and HEAD are allowed.\n', 405, { Allow: 'GET, HEAD' }));
}

const preparePage: Middleware = async (c, next) => {
  await next();
  if (!c.res.ok) return;
  // A reload shows a rebuilt demo.
  c.header('Cache-Control', 'no-cache');
  // A page's first requests are sent at the same time, and must share one visitor.
  if (c.res.headers.get('Content-Type')?.startsWith('text/html')) visitorOf(c);
};

/** GET /script-tag.html: replaces each `{{name}}` by the project's key or the service's URL. */
const showScriptTagPage: Handler = async (c) => {
  const { project, site } = c.var.demo;
  const values = new Map([
    ['clientId', project.clientId],
    ['baseUrl', site.serviceOf(c.req.header('Host'))],
  ]);
  const page = await readFile(join(siteFolder, 'script-tag.html'), 'utf8');
  return c.html(page.replace(/\{\{(\w+)\}\}/g, (_, name: string) => html`${values.get(name)}`.toString()));
};

/** GET /mailbox/:id.html: an email as HTML. Only its own styles are allowed. */
export const showMail: Handler = (c) => {
  const mail = c.var.demo.mailbox.html(c.req.path.replace(/^\/mailbox\/|\.html$/g, ''));
  if (mail === undefined) return c.text('Email not found. The mailbox keeps only the newest messages.\n', 404);
  c.header('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox");
  c.header('Cache-Control', 'no-store');
  return c.html(mail);
};
