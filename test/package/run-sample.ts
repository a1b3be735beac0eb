import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import type { Whorl, WhorlOptions } from 'whorl/server';
import { type InstalledPackage, readRepositoryFile } from './installed.js';
import { sample } from './samples.js';

/** What the docs' own keys and addresses stand for, where a sample is run. */
export interface Surroundings {
  readonly serviceUrl: string;
  readonly publishable?: string;
  readonly projectId?: string;
}

/** The code of a sample, with real keys and addresses in it. */
export function codeOf(name: string, { serviceUrl, publishable = '', projectId = '' }: Surroundings): string {
  const sri: Record<string, string> = JSON.parse(readRepositoryFile('dist/sri.json'));
  return sample(name)
    .code.replaceAll('pk_live_…', publishable)
    .replaceAll('the id of the project', projectId)
    .replaceAll(/https:\/\/(?:whorl|fraud)\.example\.com/g, serviceUrl)
    .replaceAll(/([\w-]+\.min\.js)(" integrity=")sha384-…/g, (_, file, between) => `${file}${between}${sri[file]}`);
}

/** What a sample for a server exports. */
export type Members = Readonly<Record<string, (...args: never[]) => unknown>>;

let written = 0;

/**
 * Writes a module into a project in which the package is installed, without its types: what it declares is the
 * application's own.
 *
 * @returns its file.
 */
export function writeModule({ folder }: InstalledPackage, code: string): string {
  const file = join(folder, `sample-${++written}.mjs`);
  writeFileSync(file, withoutTypes(code));
  return file;
}

/** Runs such a module here, with what it declares as globals, and gives what it exports. */
export async function importModule(installed: InstalledPackage, code: string, declared: object = {}): Promise<Members> {
  Object.assign(globalThis, declared);
  return import(/* @vite-ignore */ pathToFileURL(writeModule(installed, code)).href);
}

/** A client of the installed package, whose errors are of the classes that samples ask for. */
export async function installedClient(installed: InstalledPackage, options: WhorlOptions): Promise<Whorl> {
  const code = "import { Whorl } from 'whorl/server'; export const clientOf = (options) => new Whorl(options);";
  return call<Whorl>(await importModule(installed, code), 'clientOf', options);
}

/** Calls what a sample exports. */
export function call<Result>(members: Members, name: string, ...args: unknown[]): Result {
  const member = members[name];
  if (!member) throw new Error(`The sample exports no ${name}.`);
  return Reflect.apply(member, undefined, args);
}

/** TypeScript or JavaScript as a module that Node and browsers run. */
export function withoutTypes(code: string): string {
  return ts.transpile(code, { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 });
}
