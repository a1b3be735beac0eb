import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type InstalledPackage, installPackage, readRepositoryFile, runModule } from './installed.js';

let installed: InstalledPackage;

beforeAll(async () => {
  installed = await installPackage();
});

afterAll(() => installed?.remove());

const read = (path: string) => readFileSync(join(installed.packageFolder, path), 'utf8');

describe('the tarball', () => {
  test.each([
    'package.json',
    'LICENSE',
    'README.md',
    'CHANGELOG.md',
    'llms.txt',
    'docs/assistants.md',
    'dist/index.js',
    'dist/index.js.map',
    'dist/index.d.ts',
    'dist/fingerprint.js',
    'dist/fingerprint.js.map',
    'dist/fingerprint.d.ts',
    'dist/picture.js',
    'dist/picture.js.map',
    'dist/picture.d.ts',
    'dist/server.js',
    'dist/server.js.map',
    'dist/server.d.ts',
    'dist/wire.d.ts',
    'dist/page.js',
    'dist/react.js',
    'dist/vue.js',
    'dist/express.js',
    'dist/fastify.js',
    'dist/hono.js',
    'dist/next.js',
    'dist/better-auth.js',
    'dist/auth-js.js',
    'dist/passport.js',
    'dist/whorl-events.min.js',
    'dist/whorl-events.min.js.map',
    'dist/whorl-worker.min.js',
    'dist/whorl-worker.min.js.map',
    'dist/whorl.min.js',
    'dist/whorl.min.js.map',
    'dist/sri.json',
  ])('contains %s', (path) => {
    expect(installed.files).toContain(path);
  });

  test('contains only these kinds of files', () => {
    const expected =
      /^(?:package\.json|LICENSE|llms\.txt|(?:README|CHANGELOG|dist\/README|docs\/assistants)\.md|dist\/sri\.json|dist\/(?:shared\/)?[\w.-]+\.(?:js|js\.map|d\.ts))$/;
    expect(installed.files.filter((path) => !expected.test(path))).toEqual([]);
  });

  test('contains every file that package.json names', () => {
    const { main, module, types, unpkg, jsdelivr, exports } = JSON.parse(read('package.json'));
    const named = JSON.stringify([main, module, types, unpkg, jsdelivr, exports]).match(/\.\/[^"]*\.\w+/g) ?? [];
    const paths = named.filter((path) => path.startsWith('./dist/') || path === './package.json');
    expect(paths.length).toBeGreaterThan(8);
    expect(paths.filter((path) => !installed.files.includes(path.slice(2)))).toEqual([]);
  });

  test('contains every chunk that its modules and types import', () => {
    const modules = installed.files.filter((path) => /^dist\/.*\.(?:js|d\.ts)$/.test(path));
    const imports = modules.flatMap((path) =>
      [...read(path).matchAll(/from '(\.[^']+)\.js'/g)].map(([, chunk = '']) => {
        const extension = path.endsWith('.d.ts') ? '.d.ts' : '.js';
        return posix.join(posix.dirname(path), chunk) + extension;
      }),
    );
    expect(imports.length).toBeGreaterThan(3);
    expect(imports.filter((path) => !installed.files.includes(path))).toEqual([]);
  });

  /** Two thirds are source maps. */
  test('is small', () => {
    const bytes = installed.files.reduce((sum, path) => sum + statSync(join(installed.packageFolder, path)).size, 0);
    expect(bytes).toBeLessThan(1_700_000);
  });

  test('has idb-keyval as its only dependency, and runs nothing at installation', () => {
    const { dependencies, peerDependencies, peerDependenciesMeta, optionalDependencies, scripts } = JSON.parse(
      read('package.json'),
    );
    expect(Object.keys({ ...dependencies, ...optionalDependencies })).toEqual(['idb-keyval']);
    // Frameworks of the adapters are not installed with the package.
    const optional = Object.keys(peerDependencies).map((name) => [name, { optional: true }]);
    expect(peerDependenciesMeta).toEqual(Object.fromEntries(optional));
    expect(Object.keys(scripts).filter((name) => /install|prepare/.test(name))).toEqual([]);
  });
});

test('sri.json contains the hashes of the script-tag files', () => {
  const hash = (name: string) =>
    `sha384-${createHash('sha384')
      .update(read(`dist/${name}`))
      .digest('base64')}`;
  const names = ['whorl.min.js', 'whorl-events.min.js'];
  expect(JSON.parse(read('dist/sri.json'))).toEqual(Object.fromEntries(names.map((name) => [name, hash(name)])));
});

test('source maps contain their sources', () => {
  for (const path of installed.files.filter((each) => each.endsWith('.map'))) {
    const { sources, sourcesContent } = JSON.parse(read(path));
    expect(sourcesContent?.length, path).toBe(sources.length);
    expect(sourcesContent.every(Boolean), path).toBe(true);
    expect(
      sources.every((source: string) => !source.startsWith('/')),
      path,
    ).toBe(true);
  }
});

test('version is that of package.json', async () => {
  const { stdout } = await runModule(installed.folder, `import { version } from 'whorl'; console.log(version);`);
  expect(stdout.trim()).toBe(JSON.parse(readRepositoryFile('package.json')).version);
});

test('package.json can be imported', async () => {
  const text = `import { createRequire } from 'node:module';
    console.log(createRequire(import.meta.url)('whorl/package.json').name);`;
  expect((await runModule(installed.folder, text)).stdout).toBe('whorl\n');
});
