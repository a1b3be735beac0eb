/**
 * Serves the built demo, under the strict Content-Security-Policy that a careful site would send. Only files that are there
 * when it starts are served, by their exact names, so no address leads out of the folder.
 */
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const headers = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  // A rebuilt demo is to be seen at the next reload.
  'Cache-Control': 'no-cache',
};

const folder = fileURLToPath(new URL('dist', import.meta.url));
const scriptTagFile = fileURLToPath(import.meta.resolve('whorl/whorl.min.js'));
const host = process.env.HOST || 'localhost';
const port = Number(process.env.PORT || 4100);

function stop(message) {
  console.error(message);
  process.exit(1);
}

if (!Number.isInteger(port) || port < 0 || port > 65535)
  stop(`PORT must be a number from 0 to 65535, not ${process.env.PORT}.`);
if (!existsSync(join(folder, 'index.html')))
  stop('The demo is not built yet: run "npm run --workspace demo build" first.');
if (!existsSync(scriptTagFile)) stop('The package is not built yet: run "npm run build" first.');

const files = new Map([['/whorl.min.js', scriptTagFile]]);
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue;
  const path = join(entry.parentPath, entry.name);
  files.set(`/${relative(folder, path).split(sep).join('/')}`, path);
}
files.set('/', join(folder, 'index.html'));

async function answer(request, response) {
  const path = request.url.split('?')[0];
  const file = files.get(path);
  const text = { ...headers, 'Content-Type': 'text/plain; charset=utf-8' };
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { ...text, Allow: 'GET, HEAD' }).end('Only GET and HEAD are answered here.\n');
  } else if (!file) {
    response.writeHead(404, text).end('There is no such page.\n');
  } else {
    const body = await readFile(file);
    const type = types[extname(file)] ?? 'application/octet-stream';
    response.writeHead(200, { ...headers, 'Content-Type': type, 'Content-Length': body.length });
    response.end(request.method === 'HEAD' ? undefined : body);
  }
}

const server = createServer((request, response) => {
  answer(request, response).catch((error) => {
    console.error(error);
    // The head is written last, so there is still a status to answer with.
    response.writeHead(500, headers).end();
  });
});

server.on('error', (error) => {
  stop(
    error.code === 'EADDRINUSE'
      ? `Port ${port} is taken: stop what listens there, or choose another one with PORT=${port + 1}.`
      : `The demo could not be served: ${error.message}`,
  );
});

server.listen(port, host, () => {
  console.log(`Whorl demo: http://${host}:${server.address().port}`);
});
