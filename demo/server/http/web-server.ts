import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Demo } from '../demo.js';
import { answerApi } from './api.js';
import { readCookies, setCookie } from './cookies.js';
import { answerEvents } from './events.js';
import { answerFile, type Files, isPage } from './files.js';
import { pathOf } from './path.js';
import type { Site } from './site.js';
import { answerWebhook, WEBHOOK_PATH } from './webhooks.js';

const VISITOR_COOKIE = 'visitor';

/** What requests are answered from, once the service is there. */
export interface Ready {
  readonly demo: Demo;
  readonly site: Site;
}

/** The server of the pages. It can listen before it is ready: then it asks for a little patience. */
export function createWebServer(files: Files, ready: () => Ready | undefined): Server {
  return createServer((request, response) => {
    answer(files, ready(), request, response).catch((error) => {
      console.error(error);
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
}

async function answer(
  files: Files,
  ready: Ready | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (!ready) return plainly(response, 503, 'The demo is starting. Try again in a moment.');
  const { demo, site } = ready;
  if (!site.knows(request)) return plainly(response, 421, `The demo is at ${site.url}.`);
  setHeaders(response, site.serviceOf(request));
  const path = pathOf(request);
  if (path === WEBHOOK_PATH && request.method === 'POST') return answerWebhook(demo, request, response);
  const mail = /^\/mailbox\/([\w-]+)\.html$/.exec(path)?.[1];
  if (mail !== undefined) return answerMail(demo, mail, response);
  if (path.startsWith('/api/')) {
    const visitor = visitorOf(request, response);
    if (path === '/api/events') return answerEvents(demo, visitor, response);
    return answerApi(demo, site, visitor, request, response);
  }
  // The page's first requests go out together, and have to come from one visitor.
  if (isPage(files, request)) visitorOf(request, response);
  const values = { clientId: demo.project.clientId, baseUrl: site.serviceOf(request) };
  return answerFile(files, values, request, response);
}

/** The strict Content-Security-Policy that a careful site would send. */
function setHeaders(response: ServerResponse, serviceUrl: string): void {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self' ${serviceUrl}`,
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  response.setHeader('Content-Security-Policy', policy.join('; '));
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Referrer-Policy', 'no-referrer');
}

/** A mail brings its own styles, and nothing else of it is let work. */
function answerMail({ mailbox }: Demo, id: string, response: ServerResponse): void {
  const html = mailbox.html(id);
  if (html === undefined) {
    plainly(response, 404, 'There is no such mail, or no longer.');
    return;
  }
  const policy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox";
  response.setHeader('Content-Security-Policy', policy);
  response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' }).end(html);
}

/** Whose requests the side panel shows: a number by chance, which says nothing of a login. */
function visitorOf(request: IncomingMessage, response: ServerResponse): string {
  const known = readCookies(request).get(VISITOR_COOKIE);
  if (known && /^[\w-]{22}$/.test(known)) return known;
  const visitor = randomBytes(16).toString('base64url');
  setCookie(response, VISITOR_COOKIE, visitor);
  return visitor;
}

function plainly(response: ServerResponse, status: number, sentence: string): void {
  const headers = {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'X-Content-Type-Options': 'nosniff',
  };
  response.writeHead(status, headers).end(`${sentence}\n`);
}
