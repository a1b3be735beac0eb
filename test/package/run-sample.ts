import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import type { Whorl, WhorlOptions } from 'whorl/server';
import { type InstalledPackage, readRepositoryFile } from './installed.js';
import { sample } from './samples.js';

/** The real values for the keys and URLs of a sample. */
export interface SampleValues {
  readonly serviceUrl: string;
  readonly publishable?: string;
  readonly projectId?: string;
}

/** Returns the code of a sample, with real keys and URLs. */
export function codeOf(name: string, { serviceUrl, publishable = '', projectId = '' }: SampleValues): string {
  const sri: Record<string, string> = JSON.parse(readRepositoryFile('dist/sri.json'));
  return sample(name)
    .code.replaceAll('pk_live_…', publishable)
    .replaceAll('the id of the project', projectId)
    .replaceAll(/https:\/\/(?:whorl|fraud)\.example\.com/g, serviceUrl)
    .replaceAll(/([\w-]+\.min\.js)(" integrity=")sha384-…/g, (_, file, between) => `${file}${between}${sri[file]}`);
}

/** The exports of a server sample. */
export type Members = Readonly<Record<string, (...args: never[]) => unknown>>;

let written = 0;

/**
 * Writes a module without its types into a project that has the package installed.
 *
 * @returns The path of the file.
 */
export function writeModule({ folder }: Pick<InstalledPackage, 'folder'>, code: string): string {
  const file = join(folder, `sample-${++written}.mjs`);
  writeFileSync(file, withoutTypes(code));
  return file;
}

/** Imports such a module with its declared globals, and returns its exports. */
export async function importModule(
  installed: Pick<InstalledPackage, 'folder'>,
  code: string,
  declared: object = {},
): Promise<Members> {
  Object.assign(globalThis, declared);
  return import(/* @vite-ignore */ pathToFileURL(writeModule(installed, code)).href);
}

/** Returns a client of the installed package, whose error classes are those that samples import. */
export async function installedClient(installed: InstalledPackage, options: WhorlOptions): Promise<Whorl> {
  const code = "import { Whorl } from 'whorl/server'; export const clientOf = (options) => new Whorl(options);";
  return call<Whorl>(await importModule(installed, code), 'clientOf', options);
}

/** Calls an export of a sample. */
export function call<Result>(members: Members, name: string, ...args: unknown[]): Result {
  const member = members[name];
  if (!member) throw new Error(`The sample exports no ${name}.`);
  return Reflect.apply(member, undefined, args);
}

/** Converts TypeScript to a JavaScript module for Node and browsers. */
export function withoutTypes(code: string): string {
  return ts.transpile(code, { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 });
}
