import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { listen } from '../listen.mjs';

/**
 * @typedef {'localhost' | '127.0.0.1' | 'insecure.test'} Host The second is a different site from the first. The third
 *   is not a secure context.
 */

/**
 * @typedef {object} IdentityServer
 * @property {(path: string, host?: Host) => string} url
 * @property {() => Promise<void>} close
 */

const pages = {
  '/page': [],
  '/strict-csp': [],
  '/framed': ['framed.js'],
};

/**
 * Serves pages that contain all libraries.
 *
 * @param {Record<string, string>} libraries Scripts by name.
 * @returns {Promise<IdentityServer>}
 */
export async function startServer(libraries) {
  const own = Object.fromEntries(
    await Promise.all(
      ['read.js', 'framed.js', 'host.js'].map(async (name) => [
        name,
        await readFile(new URL(`page/${name}`, import.meta.url), 'utf8'),
      ]),
    ),
  );
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const { type, content } = answer(decodeURIComponent(pathname));
    response.writeHead(content === undefined ? 404 : 200, {
      'content-type': `${type}; charset=utf-8`,
      'cache-control': 'no-store',
      ...(pathname === '/strict-csp' && {
        'content-security-policy':
          "default-src 'none'; script-src 'self'; img-src data:; require-trusted-types-for 'script'",
      }),
    });
    response.end(content);
  });

  /** @param {string} path */
  function answer(path) {
    const [, folder, name = ''] = /^\/(library|own)\/(.+)\.js$/.exec(path) ?? [];
    if (folder) return { type: 'text/javascript', content: folder === 'own' ? own[`${name}.js`] : libraries[name] };
    if (path === '/host') return { type: 'text/html', content: page(['own/host.js']) };
    const last = pages[/** @type {keyof typeof pages} */ (path)];
    const scripts = [...Object.keys(libraries).map((each) => `library/${each}.js`), 'own/read.js'];
    return { type: 'text/html', content: last && page([...scripts, ...last.map((each) => `own/${each}`)]) };
  }

  const { port, close } = await listen(server);
  return {
    url: (path, host = 'localhost') => `http://${host}:${port}${path}`,
    close,
  };
}

/** The icon link prevents browsers from requesting one. @param {string[]} scripts */
function page(scripts) {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>identity</title>
<link rel="icon" href="data:,">
<body>
${scripts.map((script) => `<script src="/${encodeURI(script)}"></script>`).join('\n')}
</body>
</html>
`;
}
