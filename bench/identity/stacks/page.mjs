import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { listen } from '../../listen.mjs';

/** @typedef {Awaited<ReturnType<typeof startServer>>} StacksServer */
/** @typedef {{ fingerprint: string, facts: Record<string, unknown> }} Reading */

/**
 * Serves a page that reads itself and posts `{ fingerprint, facts }` as `reading`, then records the events of pointer
 * and keys, and posts them as `events` when its button is clicked. `?run=` names the run, `?injected=` an extension whose
 * injections are imitated, and `?wait=` the milliseconds before the reading.
 */
export async function startServer() {
  const dist = new URL('../../../dist/', import.meta.url);
  const local = (/** @type {string} */ name) => readFile(new URL(name, import.meta.url), 'utf8');
  /** @type {Record<string, string>} */
  const scripts = {
    '/whorl.min.js': await readFile(new URL('whorl.min.js', dist), 'utf8'),
    '/injected.js': await local('injected.js'),
    '/probe.js': await local('probe.js'),
  };
  /** @type {Map<string, (value: any) => void>} */
  const waiting = new Map();
  const server = createServer(async (request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://localhost');
    if (request.method === 'POST') {
      waiting.get(pathname)?.(await json(request));
      response.end();
      return;
    }
    const script = scripts[pathname];
    response.writeHead(200, {
      'content-type': `${script === undefined ? 'text/html' : 'text/javascript'}; charset=utf-8`,
      'cache-control': 'no-store',
    });
    response.end(script ?? page(new URLSearchParams(search).get('injected') ?? ''));
  });
  const { port, close } = await listen(server);
  /** @type {(path: string) => Promise<any>} */
  const posted = (path) => new Promise((resolve) => waiting.set(path, resolve));
  return {
    close,
    /** Returns the URL of a run. @param {string} run @param {Record<string, string>} parameters */
    url: (run, parameters = {}) => `http://localhost:${port}/?${new URLSearchParams({ run, ...parameters })}`,
    /** Resolves to what the page of a run posts. @param {string} run @returns {Promise<Reading>} */
    reading: (run) => posted(`/reading/${run}`),
    /** @param {string} run @returns {Promise<Record<string, unknown>[]>} */
    events: (run) => posted(`/events/${run}`),
  };
}

/** @param {string} injected */
function page(injected) {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>stacks</title>
<link rel="icon" href="data:,">
<style>body { margin: 0; min-height: 2000px } form { position: absolute; left: 203px; top: 151px } input, button { display: block; margin: 40px; width: 181px; height: 43px }</style>
<form action="javascript:"><label for="text">Name</label><input id="text" name="text"><button id="done" type="button">Done</button></form>
${injected && '<script src="/injected.js"></script>'}
<script src="/whorl.min.js"></script>
<script src="/probe.js"></script>
</html>
`;
}
