import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cached } from '../../service/test/support/cache.js';

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
 * Installs the package, packed as `npm publish` does, into a new project outside the repository. Unpacks it without npm,
 * which would request the dependencies from the registry. They are linked instead. All tests share one packing.
 */
export async function installPackage(alsoInstalled: readonly string[] = []): Promise<InstalledPackage> {
  if (!existsSync(join(root, 'dist/index.js'))) throw new Error('There is no build to pack: run npm run build first.');
  const unpacked = await unpackedPackage();
  const folder = mkdtempSync(join(tmpdir(), 'whorl-package-'));
  const modules = join(folder, 'node_modules');
  const packageFolder = join(modules, 'whorl');
  cpSync(unpacked, packageFolder, { recursive: true });
  for (const name of ['idb-keyval', ...alsoInstalled]) linkModule(name, modules);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'project', private: true, type: 'module' }));
  return {
    folder,
    packageFolder,
    files: filesIn(unpacked),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Returns the folder of the unpacked tarball, which is made once for each state of the files that npm packs. */
function unpackedPackage(): Promise<string> {
  const { files }: { files: string[] } = JSON.parse(readRepositoryFile('package.json'));
  // npm adds the last three by itself.
  const ingredients = [...files, 'package.json', 'README.md', 'LICENSE'];
  return cached({ name: 'package', ingredients: [...new Set(ingredients)], make: unpackPackage });
}

async function unpackPackage(folder: string): Promise<void> {
  const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder];
  const { stdout } = await execute('npm', args, { cwd: root });
  const tarball = join(folder, stdout.trim());
  await execute('tar', ['-xzf', tarball, '-C', folder, '--strip-components', '1']);
  rmSync(tarball);
}

/** Returns the paths of all files in a folder, sorted. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
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
