import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { nodeResolve } from '@rollup/plugin-node-resolve';
import { rollup } from 'rollup';
import { root } from '../../package/installed';

/** A library that changes what the scripts of a page share. */
export interface Library {
  readonly name: string;
  /** The name that it sets on window. */
  readonly global: string;
  /** Its file in `node_modules`, or the path of a file that a package of Debian installs. */
  readonly file?: string;
  /** In place of a file, the package to bundle. */
  readonly bundle?: string;
  /** A script that starts it. */
  readonly start?: string;
}

const sentry = { global: 'Sentry', bundle: '@sentry/browser' };
/** The test server refuses what it sends there. */
const dsn = "location.protocol + '//public@' + location.host + '/1'";

export const libraries: readonly Library[] = [
  { name: 'zone.js', global: 'Zone', file: 'zone.js/bundles/zone.umd.js' },
  { name: 'bluebird as window.Promise', global: 'P', file: 'bluebird/js/browser/bluebird.js' },
  // The packages of these two on npm contain no files for browsers.
  { name: 'Prototype 1.6.1', global: 'Prototype', file: 'esprima-fixtures/test/3rdparty/prototype-1.6.1.js' },
  { name: 'Prototype 1.7.0', global: 'Prototype', file: 'esprima-fixtures/test/3rdparty/prototype-1.7.0.0.js' },
  // npm has no newer one.
  {
    name: "Prototype 1.7.3, Debian's libjs-prototype",
    global: 'Prototype',
    file: '/usr/share/javascript/prototype/prototype.js',
  },
  { name: 'MooTools 1.4.1', global: 'MooTools', file: 'esprima-fixtures/test/3rdparty/mootools-1.4.1.js' },
  {
    name: 'MooTools 1.5.2, without its DOM part',
    global: 'MooTools',
    file: 'mootools/lib/mootools-core-1.5.2-server.js',
  },
  { name: 'core-js', global: '__core-js_shared__', file: 'core-js-bundle/minified.js' },
  { name: 'jQuery 1.12', global: 'jQuery', file: 'jquery/dist/jquery.js' },
  {
    name: 'rrweb with canvas',
    global: 'rrweb',
    file: 'rrweb/umd/rrweb.min.js',
    start: 'rrweb.record({ emit() {}, recordCanvas: true, collectFonts: true });',
  },
  {
    name: 'Sentry',
    ...sentry,
    start: `Sentry.init({ dsn: ${dsn}, tracesSampleRate: 1, integrations: [Sentry.browserTracingIntegration()] });`,
  },
  {
    name: "Sentry's session replay with canvas",
    ...sentry,
    start: `Sentry.init({
      dsn: ${dsn},
      replaysSessionSampleRate: 1,
      integrations: [Sentry.replayIntegration(), Sentry.replayCanvasIntegration()],
    });`,
  },
];

/** Returns whether a library's file exists. Those of Debian's packages are missing on other machines. */
export function isInstalled({ file }: Library): boolean {
  return !file || existsSync(pathInModules(file));
}

function pathInModules(file: string): string {
  return resolve(root, 'node_modules', file);
}

/** How a page loads the package: by a script, which sets a name on window. */
export interface Build {
  readonly name: string;
  readonly script: string;
  readonly global: string;
}

const scriptTag: Build = { name: 'script tag', script: '/dist/whorl.min.js', global: 'Whorl' };
const fromNpm: Build = { name: 'npm bundle', script: '/npm.js', global: 'WhorlFromNpm' };
export const builds: readonly Build[] = [scriptTag, fromNpm];

export const orders = ['before', 'after'] as const;
export type Order = (typeof orders)[number];

/** The page without a library. */
export const plainPath = '/no-library.html';

/** Returns the path of the page that loads a library before or after the package. */
export function pathOf(library: Library, order: Order, build: Build): string {
  return `/library-${libraries.indexOf(library)}-${order}-${builds.indexOf(build)}.html`;
}

/** Returns all pages and scripts by their path. A page requests `/read?` with its fingerprint, or `/failed?`. */
export async function generatePages(): Promise<ReadonlyMap<string, string>> {
  const files = new Map([
    [fromNpm.script, await bundled(join(root, 'dist/index.js'), fromNpm.global)],
    [plainPath, page(scriptTag, [scriptTag.script])],
  ]);
  for (const [index, library] of libraries.entries()) {
    if (!isInstalled(library)) continue;
    const script = `/library-${index}.js`;
    const check = `if (!('${library.global}' in window)) throw new Error('It sets no ${library.global}.');`;
    files.set(script, [await read(library), check, library.start].join('\n'));
    for (const build of builds) {
      files.set(pathOf(library, 'before', build), page(build, [script, build.script]));
      files.set(pathOf(library, 'after', build), page(build, [build.script, script]));
    }
  }
  return files;
}

function read({ file, bundle, global }: Library): Promise<string> {
  if (file) return readFile(pathInModules(file), 'utf8');
  if (bundle) return bundled(bundle, global);
  throw new Error(`${global} has neither a file nor a package.`);
}

/** Bundles as applications do whose targets have native async functions. */
async function bundled(input: string, name: string): Promise<string> {
  const bundle = await rollup({ input, plugins: [nodeResolve({ browser: true })] });
  const { output } = await bundle.generate({ format: 'iife', name, inlineDynamicImports: true });
  return output[0].code;
}

function page({ global }: Build, scripts: readonly string[]): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>A page with other scripts</title>
<link rel="icon" href="data:,">
<script>
  function send(path) { new Image().src = path; }
  onerror = function (message) { send('/failed?' + encodeURIComponent(message)); };
</script>
${scripts.map((script) => `<script src="${script}"></script>`).join('\n')}
<script>
  ${global}.getHash().then(
    function (pair) { send('/read?' + pair[0]); },
    function (error) { send('/failed?' + encodeURIComponent(error)); }
  );
</script>
</html>`;
}
