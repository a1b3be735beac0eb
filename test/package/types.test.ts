import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pageAdapters, serverAdapters } from '../../scripts/adapters.mjs';
import { type InstalledPackage, installPackage, root, runNode } from './installed.js';
import { notRun, oldLibraries, type Sample, sample, samplesIn } from './samples.js';

const require = createRequire(import.meta.url);

/** The compilers for the package's types: the current one, and the oldest supported one. */
const compilers = [
  ['the current TypeScript', 'typescript'],
  ['TypeScript 5.0', 'typescript-5-0'],
] as const;

const resolutions = [
  ['bundler', 'esnext'],
  ['node16', 'node16'],
  ['nodenext', 'nodenext'],
] as const;

const consumers = ['consumer.ts', 'consumer-server.ts'];
const fixture = (name: string) => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));

let installed: InstalledPackage;

beforeAll(async () => {
  installed = await installPackage(oldLibraries);
  for (const name of consumers) copyFileSync(fixture(name), join(installed.folder, name));
});

afterAll(() => installed?.remove());

/** Compiles the fixtures, and returns the output of the compiler. */
async function compile(
  compiler: string,
  options: Readonly<Record<string, unknown>>,
  files: readonly string[] = consumers,
): Promise<string> {
  const compilerOptions = {
    target: 'es2020',
    // The types need neither those of the DOM nor those of Node.
    lib: ['es2020'],
    types: [],
    strict: true,
    skipLibCheck: false,
    noEmit: true,
    ...options,
  };
  writeFileSync(join(installed.folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const { stdout, stderr } = await runNode(installed.folder, require.resolve(`${compiler}/lib/tsc.js`));
  return stdout + stderr;
}

describe.each(compilers)('%s', (name, compiler) => {
  test.each(resolutions)('moduleResolution %s', async (moduleResolution, module) => {
    expect(await compile(compiler, { module, moduleResolution, exactOptionalPropertyTypes: true })).toBe('');
  });

  test('exactOptionalPropertyTypes false', async () => {
    const [[moduleResolution, module]] = resolutions;
    expect(await compile(compiler, { module, moduleResolution, exactOptionalPropertyTypes: false })).toBe('');
  });

  test('has the expected version', () => {
    const { version } = JSON.parse(readFileSync(require.resolve(`${compiler}/package.json`), 'utf8'));
    expect(version).toMatch(name.endsWith('5.0') ? /^5\.0\./ : /^6\./);
  });
});

const environments = {
  module: 'esnext',
  moduleResolution: 'bundler',
  lib: ['es2022', 'dom'],
  typeRoots: [join(root, 'node_modules/@types')],
  types: ['node'],
};

test('the types are compatible with those of the DOM and of Node', async () => {
  expect(await compile('typescript', environments)).toBe('');
});

/** Declarations for samples: the objects of script tags, and the other file of the quick start. */
const sampleDeclarations = {
  'window.d.ts':
    "export {};\ndeclare global { interface Window { Whorl: typeof import('whorl'); ClientJS: new () => { getFingerprint(): number } } }\n",
  'form.js': sample('docs/quick-start.md, 2. Your application, 3').code,
};

test.each([
  ['TypeScript', 'ts', {}],
  // JavaScript samples have no types, and undefined names fail at run time.
  ['JavaScript', 'js', { allowJs: true, checkJs: true, strict: false }],
])('the samples of the docs compile: %s', async (_, language, options) => {
  // Those of the adapters import frameworks, and modules of the application.
  const isAlone = ({ name, page }: Sample) =>
    !(name in notRun) && !/^docs\/(?:adapters|devices-page|sign-in)/.test(page);
  const samples = samplesIn(language).filter(isAlone);
  expect(samples.length).toBeGreaterThan(10);
  for (const [name, code] of Object.entries(sampleDeclarations)) writeFileSync(join(installed.folder, name), code);
  const names = samples.map(({ code }, index) => {
    const name = `sample-${index}.${language}`;
    writeFileSync(join(installed.folder, name), code);
    return name;
  });
  // The other test checks the types themselves. A sample is a module, even without imports.
  const all = { ...environments, skipLibCheck: true, moduleDetection: 'force', ...options };
  const said = await compile('typescript', all, ['window.d.ts', ...names]);
  expect(said.replace(/^sample-(\d+)/gm, (_, index) => samples[Number(index)]?.name ?? '')).toBe('');
});

test('the fixture fails if types are missing', async () => {
  const consumer = join(installed.folder, 'consumer.ts');
  const text = readFileSync(consumer, 'utf8');
  writeFileSync(consumer, `${text}\nconst wrong: number = version;\nexport { wrong };\n`);
  try {
    expect(await compile('typescript', { module: 'esnext', moduleResolution: 'bundler' })).toContain('TS2322');
  } finally {
    writeFileSync(consumer, text);
  }
});

test('the types import nothing from outside the package', () => {
  const types = installed.files.filter((path) => path.endsWith('.d.ts'));
  const imports = types.flatMap((path) => [
    ...readFileSync(join(installed.packageFolder, path), 'utf8').matchAll(/from '[^.'][^']*'/g),
  ]);
  expect(types.length).toBeGreaterThan(2);
  // The types of an adapter import those of its framework.
  const frameworks = /'(?:express|fastify|hono|react|vue|better-auth|@auth\/core)'/;
  const outside = imports.map(([text]) => text).filter((text) => !frameworks.test(text));
  expect(outside).toEqual([]);
});

test('the types of an adapter import no framework but its own', () => {
  const importsOf = (path: string, seen = new Set<string>()): string[] => {
    if (seen.has(path)) return [];
    seen.add(path);
    const { importedFiles } = ts.preProcessFile(readFileSync(path, 'utf8'));
    return importedFiles.flatMap(({ fileName }) =>
      fileName.startsWith('.') ? importsOf(join(path, '..', fileName.replace('.js', '.d.ts')), seen) : [fileName],
    );
  };
  const frameworkOf: Record<string, string[]> = { 'auth-js': ['@auth/core'], passport: ['express', 'passport'] };
  for (const name of [...serverAdapters, ...pageAdapters]) {
    const allowed = frameworkOf[name] ?? [name];
    const imports = importsOf(join(root, `dist/${name}.d.ts`));
    expect([name, imports.filter((each) => !allowed.includes(each))]).toEqual([name, []]);
  }
});

describe('docs/assistants.md', () => {
  const guide = readFileSync(join(root, 'docs/assistants.md'), 'utf8');

  test('is short', () => {
    expect(Buffer.byteLength(guide)).toBeLessThan(12 * 1024);
  });

  test('names only what exists: identifiers of the types, and settings', () => {
    const known = new Set(['whorl', 'npm', 'js', 'ts']);
    for (const path of installed.files.filter((each) => each.endsWith('.d.ts'))) {
      for (const word of wordsOf(readFileSync(join(installed.packageFolder, path), 'utf8'))) known.add(word);
    }
    const settings = readFileSync(join(root, 'docs/settings.md'), 'utf8');
    for (const [, id, value] of settings.matchAll(/<a id="(\w+)">|`"(\w+)"`/g)) known.add(id ?? value ?? '');
    const { exports } = JSON.parse(readFileSync(join(installed.packageFolder, 'package.json'), 'utf8'));
    const spans = [...guide.replace(/^```.*?^```$/gms, '').matchAll(/`([^`]+)`/g)].map(([, span = '']) => span);
    const names = spans.filter((span) => !/^(?:[sp]k_|node_modules\/)/.test(span));
    expect(names.length).toBeGreaterThan(50);
    const unknown = names.filter((span) => {
      const isEntryPoint = span.replace('whorl', '.') in exports;
      return !isEntryPoint && !(span.match(/[A-Za-z_]\w*/g) ?? []).every((word) => known.has(word));
    });
    expect(unknown).toEqual([]);
  });
});

/** Returns the identifiers and texts of a declaration file, without those of its comments. */
function wordsOf(text: string): string[] {
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, true, ts.LanguageVariant.Standard, text);
  const words: string[] = [];
  for (let token = scanner.scan(); token !== ts.SyntaxKind.EndOfFileToken; token = scanner.scan()) {
    words.push(scanner.getTokenValue());
  }
  return words;
}
