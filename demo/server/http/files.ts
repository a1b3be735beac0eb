import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, relative, sep } from 'node:path';
import { scriptTagFile, serviceProgram, siteFolder } from '../folders.js';
import { StartError } from '../start-error.js';
import { pathOf } from './path.js';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The files that are served, by the path that they are served at. */
export type Files = ReadonlyMap<string, string>;

/**
 * Only files that are there at the start are served, by their exact names, so no address leads out of the folder.
 *
 * @throws StartError where something is not built.
 */
export function findFiles(): Files {
  const built = { 'npm run build': scriptTagFile, 'npm run --workspace service build': serviceProgram };
  for (const [command, file] of Object.entries(built)) {
    if (!existsSync(file)) throw new StartError(`${file} is missing: run "${command}" first.`);
  }
  if (!existsSync(join(siteFolder, 'index.html'))) {
    throw new StartError('The pages are not built yet: run "npm run --workspace demo build" first.');
  }
  const files = new Map([['/whorl.min.js', scriptTagFile]]);
  for (const entry of readdirSync(siteFolder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    files.set(`/${relative(siteFolder, path).split(sep).join('/')}`, path);
  }
  return files.set('/', join(siteFolder, 'index.html'));
}

export function isPage(files: Files, request: IncomingMessage): boolean {
  return files.get(pathOf(request))?.endsWith('.html') === true;
}

/** Answers with a file. `{{name}}` in an HTML file stands for a value of `values`. */
export async function answerFile(
  files: Files,
  values: Readonly<Record<string, string>>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const file = files.get(pathOf(request));
  const asText = { 'Content-Type': 'text/plain; charset=utf-8' };
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { ...asText, Allow: 'GET, HEAD' }).end('Only GET and HEAD are answered here.\n');
  } else if (!file) {
    response.writeHead(404, asText).end('There is no such page.\n');
  } else {
    const content = await readFile(file);
    const body = file.endsWith('.html') ? Buffer.from(fill(content.toString('utf8'), values)) : content;
    const type = types[extname(file)] ?? 'application/octet-stream';
    // A rebuilt demo is to be seen at the next reload.
    response.writeHead(200, { 'Content-Type': type, 'Content-Length': body.length, 'Cache-Control': 'no-cache' });
    response.end(request.method === 'HEAD' ? undefined : body);
  }
}

function fill(html: string, values: Readonly<Record<string, string>>): string {
  return html.replace(/\{\{(\w+)\}\}/g, (_, name: string) => escapeHtml(values[name] ?? ''));
}

function escapeHtml(text: string): string {
  const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? '');
}
