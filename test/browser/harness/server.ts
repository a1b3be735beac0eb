import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CONSOLE_PATH, CONSOLE_SCRIPT, isWebKit, withConsoleScript } from './console-for-webkit';

/** Host name that each engine resolves to 127.0.0.1 and that none treats as a secure context. */
export const INSECURE_HOST = 'insecure.test';

/** `127.0.0.1` is a different site from `localhost`; `insecure` is not a secure context. */
export type Host = 'localhost' | '127.0.0.1' | 'insecure';

export interface TestServer {
  url(path: string, options?: { host?: Host }): string;
  /** Requests since the start or the last `forget()`, except those of the harness. */
  requests(): RequestRecord[];
  forget(): void;
  close(): Promise<void>;
}

export interface RequestRecord {
  method: string;
  /** With the query. */
  path: string;
  host: string;
  headers: IncomingMessage['headers'];
}

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const FOLDERS: [prefix: string, folder: string][] = [
  ['/dist/', 'dist'],
  ['/demo/', 'demo/dist/site'],
  ['/modules/idb-keyval/', 'node_modules/idb-keyval/dist'],
  ['/', 'test/pages'],
];

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  // Without a charset, like many servers: the page's encoding then also applies to classic scripts.
  '.js': 'text/javascript',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
};

/**
 * Serves the built package and the test pages. Headers of `page.html` come from `page.html.headers.json` beside it.
 * `generated` adds texts by their path.
 */
export async function startServer(generated: ReadonlyMap<string, string> = new Map()): Promise<TestServer> {
  let log: RequestRecord[] = [];
  const server = createServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname !== CONSOLE_PATH) {
      const { host = '', ...headers } = request.headers;
      log.push({ method: request.method ?? '', path: pathname + search, host, headers });
    }
    answer(pathname, request, response, generated).catch((error: unknown) =>
      response.writeHead(500).end(String(error)),
    );
  });
  const port = await listen(server);
  return {
    url: (path, { host = 'localhost' } = {}) =>
      new URL(path, `http://${host === 'insecure' ? INSECURE_HOST : host}:${port}`).href,
    requests: () => [...log],
    forget: () => {
      log = [];
    },
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (address && typeof address === 'object') resolve(address.port);
      else reject(new Error('The server got no port'));
    });
  });
}

async function answer(
  pathname: string,
  request: IncomingMessage,
  response: ServerResponse,
  generated: ReadonlyMap<string, string>,
): Promise<void> {
  if (pathname === '/favicon.ico') {
    response.writeHead(204).end();
    return;
  }
  if (pathname === CONSOLE_PATH) {
    response.writeHead(200, { 'content-type': TYPES['.js'] }).end(CONSOLE_SCRIPT);
    return;
  }
  const file = toFile(pathname);
  const content = generated.get(pathname) ?? (file && (await readFile(file).catch(() => undefined)));
  if (!file || !content) {
    response.writeHead(404, { 'content-type': 'text/plain' }).end(`Nothing at ${pathname}`);
    return;
  }
  const type = TYPES[extname(file)] ?? 'application/octet-stream';
  const headers = { 'content-type': type, 'cache-control': 'no-store', ...(await readHeaders(file)) };
  const hooked = type.startsWith('text/html') && isWebKit(request.headers['user-agent']);
  response.writeHead(200, headers).end(hooked ? withConsoleScript(content.toString('utf8')) : content);
}

/** Returns the file for a path, which cannot leave its folder. */
function toFile(pathname: string): string | undefined {
  const path = normalize(decodeURIComponent(pathname.endsWith('/') ? `${pathname}index.html` : pathname));
  const [prefix, folder] = FOLDERS.find(([each]) => path.startsWith(each)) ?? [];
  if (!prefix || !folder) return undefined;
  const base = join(ROOT, folder) + sep;
  const file = join(base, path.slice(prefix.length));
  return file.startsWith(base) ? file : undefined;
}

async function readHeaders(file: string): Promise<Record<string, string>> {
  const text = await readFile(`${file}.headers.json`, 'utf8').catch(() => '{}');
  const headers: unknown = JSON.parse(text);
  if (typeof headers !== 'object' || headers === null) throw new Error(`${file}.headers.json is not an object`);
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
