import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import resolve from '@rollup/plugin-node-resolve';
import { rollup } from 'rollup';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { webpack } from 'webpack';
import { type InstalledPackage, installPackage, root } from './installed.js';

let installed: InstalledPackage;

beforeAll(async () => {
  installed = await installPackage();
});

afterAll(() => installed?.remove());

async function withRollup(entry: string): Promise<string> {
  const bundle = await rollup({ input: entry, plugins: [resolve({ browser: true })] });
  const { output } = await bundle.generate({ format: 'es' });
  await bundle.close();
  return output.map((chunk) => ('code' in chunk ? chunk.code : '')).join('\n');
}

async function withVite(entry: string): Promise<string> {
  const result = await build({
    root: installed.folder,
    configFile: false,
    logLevel: 'error',
    build: { write: false, minify: false, modulePreload: false, rollupOptions: { input: entry } },
  });
  if (!('output' in result)) throw new Error('Vite gave no single output.');
  return result.output.map((chunk) => (chunk.type === 'chunk' ? chunk.code : '')).join('\n');
}

const collector = ['OfflineAudioContext', 'getContext', 'hardwareConcurrency'];
const storage = ['createObjectStore', 'localStorage'];

describe.each([
  ['rollup', withRollup],
  ['vite', withVite],
] as const)('an application built with %s', (bundler, bundle) => {
  let count = 0;
  const bundleOf = (text: string) => {
    const entry = join(installed.folder, `${bundler}-${count++}.js`);
    writeFileSync(entry, text);
    return bundle(entry);
  };

  test('contains the whole package if it uses getHash', async () => {
    const code = await bundleOf(`import { getHash } from 'whorl'; getHash().then(console.log);`);
    for (const text of [...collector, ...storage]) expect(code).toContain(text);
    expect(code).not.toContain('identify() is deprecated');
  });

  test.each([
    ['parse', `import { parse } from 'whorl/fingerprint'; console.log(parse(''));`],
    ['compare', `import { compare } from 'whorl/fingerprint'; console.log(compare('', ''));`],
    ['version', `import { version } from 'whorl'; console.log(version);`],
    ['WhorlError', `import { WhorlError } from 'whorl'; console.log(WhorlError);`],
    ['pictureOf', `import { pictureOf } from 'whorl/picture'; console.log(pictureOf(''));`],
    ['the server client', `import { Whorl } from 'whorl/server'; console.log(Whorl);`],
  ])('contains no collector and no storage if it uses only %s', async (_, text) => {
    const code = await bundleOf(text);
    for (const part of [...collector, ...storage]) expect(code).not.toContain(part);
  });

  test('contains no weights if it uses only parse', async () => {
    const code = await bundleOf(`import { parse } from 'whorl/fingerprint'; console.log(parse(''));`);
    expect(code).not.toContain('halfLifeDays');
    expect(code).not.toContain('nearly every browser update');
  });

  test('contains nothing if it uses nothing', async () => {
    const code = await bundleOf(
      `import 'whorl'; import 'whorl/fingerprint'; import 'whorl/picture'; import 'whorl/server'; console.log(1);`,
    );
    expect(code.replace(/^\/\/.*$/gm, '').trim()).toBe('console.log(1);');
  });
});

describe('the line of docs/package.md for the worker file', () => {
  /** Returns the line for a bundler, from the table in the docs. */
  function lineFor(bundler: string): string {
    const docs = readFileSync(join(root, 'docs/package.md'), 'utf8');
    const line = new RegExp(`^\\| ${bundler} \\| \`(.+)\` \\|$`, 'm').exec(docs)?.[1];
    if (line === undefined) throw new Error(`docs/package.md has no line for ${bundler}.`);
    return line;
  }

  /** Builds an application with the line, and returns the name of the copied file and the application's code. */
  async function built(bundler: string, bundle: (entry: string, folder: string) => Promise<unknown>) {
    const entry = join(installed.folder, `${bundler}-worker.js`);
    writeFileSync(entry, `${lineFor(bundler)};\nimport { getHash } from 'whorl';\ngetHash({ workerUrl });`);
    const folder = join(installed.folder, `${bundler}-worker`);
    await bundle(entry, folder);
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'));
    const contentOf = (name: string) => readFileSync(join(folder, name), 'utf8');
    const worker = readFileSync(join(installed.packageFolder, 'dist/whorl-worker.min.js'), 'utf8');
    const copies = files.filter((name) => contentOf(name) === worker);
    expect(copies).toHaveLength(1);
    const code = files
      .filter((name) => !copies.includes(name))
      .map(contentOf)
      .join('\n');
    expect(code).toContain(copies[0]);
  }

  test('copies it with Vite', () =>
    built('Vite', (input, outDir) =>
      build({
        root: installed.folder,
        configFile: false,
        logLevel: 'error',
        build: { outDir, minify: false, rollupOptions: { input } },
      }),
    ));

  test('copies it with webpack', () =>
    built('webpack', async (entry, path) => {
      // Otherwise it would minify the copy again.
      const optimization = { minimize: false };
      const context = installed.folder;
      const compiler = webpack({ mode: 'production', context, entry, output: { path }, optimization });
      if (!compiler) throw new Error('webpack returned no compiler.');
      const stats = await promisify(compiler.run.bind(compiler))();
      expect(stats?.toJson({ errors: true }).errors).toEqual([]);
      await promisify(compiler.close.bind(compiler))();
    }));
});
