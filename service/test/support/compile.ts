import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Plugin, SSROptions } from 'vite';
import { cached } from './cache.js';

const service = fileURLToPath(new URL('../..', import.meta.url));
const ingredients = ['service/src', 'service/package.json', 'package-lock.json', 'service/test/support/compile.ts'];

/** Packages whose code finds its files, or each other, by names that a bundler does not see. */
const unbundled = ['whorl', '@electric-sql/pglite', '@node-rs/argon2', 'jsonc-parser', 'pino'];

/**
 * Returns the path of the service's `main.js`, compiled from the current sources without type checking and bundled with
 * its packages, because loading a thousand files takes longer than most commands. WHORL_SERVICE_MAIN, if set, names a
 * build to test instead.
 */
export async function compiledMain(): Promise<string> {
  return process.env.WHORL_SERVICE_MAIN ?? compiled('main', { noExternal: true, external: unbundled });
}

/**
 * Returns the path of `testing.ts`, compiled and bundled in the same way, except for the packages, which tests import too.
 * Otherwise each worker would transform and load a thousand files.
 */
export function compiledTesting(): Promise<string> {
  return compiled('testing', { external: true });
}

const bundles = new Map<string, Promise<string>>();

/** Makes a bundle once in a process, even if the sources change meanwhile. */
function compiled(entry: string, ssr: SSROptions): Promise<string> {
  const bundle = bundles.get(entry) ?? compile(entry, ssr);
  bundles.set(entry, bundle);
  return bundle;
}

async function compile(entry: string, ssr: SSROptions): Promise<string> {
  const folder = await cached({
    name: `service-${entry}`,
    ingredients,
    make: async (outDir) => {
      const { build } = await import('vite');
      await build({
        configFile: false,
        root: service,
        logLevel: 'warn',
        plugins: [originalUrls],
        ssr,
        build: {
          ssr: `src/${entry}.ts`,
          outDir,
          minify: false,
          target: 'node20',
          rolldownOptions: { output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' } },
        },
      });
    },
  });
  return join(folder, `${entry}.js`);
}

/** Lets modules find files by their own place in the sources. */
const originalUrls: Plugin = {
  name: 'original-urls',
  transform(code, id) {
    if (!id.startsWith(join(service, 'src'))) return undefined;
    return code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href));
  },
};
