import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** The root folder of the repository. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** A separate project with the packed package installed. */
export interface InstalledPackage {
  /** Folder of the project. */
  readonly folder: string;
  /** Folder of the package in its `node_modules`. */
  readonly packageFolder: string;
  /** Paths of all files in the tarball, sorted. */
  readonly files: readonly string[];
  remove(): void;
}

/**
 * Packs the package as `npm publish` does, and installs the tarball into a new project outside the repository. Unpacks it
 * without npm, which would request the dependencies from the registry. They are linked instead.
 */
export async function installPackage(alsoInstalled: readonly string[] = []): Promise<InstalledPackage> {
  if (!existsSync(join(root, 'dist/index.js'))) throw new Error('There is no build to pack: run npm run build first.');
  const folder = mkdtempSync(join(tmpdir(), 'whorl-package-'));
  const modules = join(folder, 'node_modules');
  const packageFolder = join(modules, 'whorl');
  mkdirSync(packageFolder, { recursive: true });
  const tarball = await npmPack(folder);
  await execute('tar', ['-xzf', tarball, '-C', packageFolder, '--strip-components', '1']);
  const { stdout } = await execute('tar', ['-tzf', tarball]);
  for (const name of ['idb-keyval', ...alsoInstalled]) linkModule(name, modules);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'project', private: true, type: 'module' }));
  return {
    folder,
    packageFolder,
    files: stdout
      .trim()
      .split('\n')
      .map((path) => path.replace(/^package\//, ''))
      .sort(),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function npmPack(folder: string): Promise<string> {
  const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder];
  const { stdout } = await execute('npm', args, { cwd: root });
  return join(folder, stdout.trim());
}

function linkModule(name: string, modules: string): void {
  mkdirSync(dirname(join(modules, name)), { recursive: true });
  symlinkSync(realpathSync(join(root, 'node_modules', name)), join(modules, name));
}

/** The outcome of a program. */
export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs Node in the project's folder, and waits until it exits. */
export async function runNode(folder: string, ...args: readonly string[]): Promise<Outcome> {
  try {
    const { stdout, stderr } = await execute(process.execPath, args, { cwd: folder, timeout: 120_000 });
    return { code: 0, stdout, stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number | null; stdout: string; stderr: string };
    return { code, stdout, stderr };
  }
}

/** Runs the source of a module in the project's folder. */
export function runModule(folder: string, text: string): Promise<Outcome> {
  return runNode(folder, '--input-type=module', '--eval', text);
}

/** Reads a file of the repository. */
export function readRepositoryFile(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}
