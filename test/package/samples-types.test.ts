import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { afterAll, expect, test } from 'vitest';
import { root } from './installed.js';
import { notRun, type Sample, samplesIn } from './samples.js';

/** Here `whorl` and the frameworks are found. */
const folder = join(root, 'node_modules/.cache/whorl-samples', randomUUID());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Modules of the reader's own. */
const modules = {
  'accounts.ts': `export interface Account { id: string; email: string }
    export declare function findAccount(email: string): Account | undefined;
    export declare function findAccountById(id: string): Account | undefined;
    export declare function passwordMatches(account: Account, password: string): boolean;
    export declare function readCredentials(body: unknown): { email: string; password: string };`,
  'database.ts': `export { memoryAdapter as database } from 'better-auth/adapters/memory';`,
};

/** What a project with Vite has. */
const declarations = {
  'vue.d.ts': "declare module '*.vue' { const component: import('vue').Component; export default component; }",
};

/** The parameters that need a type. The text beside the sample says which. */
const untyped: Readonly<Record<string, readonly string[]>> = {
  'docs/adapters.md, Next, 3': ['request'],
  'docs/sign-in.md, Auth.js, 2': ['form'],
  'docs/sign-in.md, Passport, 1': ['error', '_request', 'response', '_next'],
};

/** Where a file of Next's application stands, which imports others by their paths. */
const paths: Readonly<Record<string, string>> = {
  'docs/adapters.md, Next, 1': 'whorl.ts',
  'docs/adapters.md, Next, 2': 'app/whorl/[route]/route.ts',
  'docs/adapters.md, Next, 3': 'app/login/route.ts',
};

const extensions: Readonly<Record<string, string>> = { js: 'ts', jsx: 'tsx', ts: 'ts', vue: 'ts', svelte: 'ts' };

const samples = samplesIn(...Object.keys(extensions)).filter(
  ({ name, page }) => /^docs\/(?:adapters|sign-in)/.test(page) && !(name in notRun),
);

test('the samples of the adapters are strict TypeScript', () => {
  expect(samples.length).toBeGreaterThan(15);
  const expected = Object.entries(untyped).flatMap(([name, parameters]) =>
    parameters.map((each) => `${name}: Parameter '${each}' implicitly has an 'any' type.`),
  );
  expect(problemsIn(samples)).toEqual(expected.sort());
});

test('the samples for React are strict TypeScript with React 18', () => {
  const types = join(root, 'test/react-18/node_modules/@types/react');
  const ofReact = samples.filter(({ name }) => name.includes(', React, '));
  expect(ofReact).toHaveLength(2);
  expect(problemsIn(ofReact, { react: [types], 'react/*': [`${types}/*`] })).toEqual([]);
});

/** Compiles samples, and returns the problems. `replaced` gives imports another place. */
function problemsIn(chosen: readonly Sample[], replaced: ts.MapLike<string[]> = {}): string[] {
  const names = new Map(chosen.map((each, index) => [write(pathOf(each, index), scriptOf(each)), each.name]));
  for (const [path, code] of Object.entries(modules)) write(path, code);
  const declared = Object.entries(declarations).map(([path, code]) => write(path, code));
  const program = ts.createProgram([...names.keys(), ...declared], {
    ...{
      strict: true,
      noUncheckedIndexedAccess: true,
      noEmit: true,
      skipLibCheck: true,
      moduleDetection: ts.ModuleDetectionKind.Force,
    },
    target: ts.ScriptTarget.ES2024,
    lib: ['lib.es2024.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    jsx: ts.JsxEmit.ReactJSX,
    types: ['node', 'passport', 'svelte'],
    paths: replaced,
  });
  const problems = ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
    const name = file && (names.get(file.fileName) ?? relative(folder, file.fileName));
    return `${name}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
  });
  return problems.sort();
}

function pathOf({ name, language }: Sample, index: number): string {
  return paths[name] ?? `sample-${index}.${extensions[language]}`;
}

/** Returns the part of a component that is a script. Templates are checked where the components run. */
function scriptOf({ code, language }: Sample): string {
  return /^(?:vue|svelte)$/.test(language) ? (/<script[^>]*>(.*)<\/script>/s.exec(code)?.[1] ?? '') : code;
}

function write(path: string, code: string): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, code);
  return file;
}
