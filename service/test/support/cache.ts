import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));
/** Inside the service's node_modules, so that compiled code finds its packages. */
const cache = join(root, 'service/node_modules/.cache/whorl');
/** Outdated folders are kept for a while, because another test run may be using them. */
const KEPT_MS = 24 * 3_600_000;

export interface Recipe {
  readonly name: string;
  /** Files and folders, relative to the root of the repository. Any change in them invalidates the cache. */
  readonly ingredients: readonly string[];
  /** Fills an empty folder. */
  make(folder: string): Promise<void>;
}

/** Returns a folder that is created once and reused by later runs until its ingredients change. */
export async function cached({ name, ingredients, make }: Recipe): Promise<string> {
  const kept = join(cache, `${name}-${await fingerprintOf(ingredients)}`);
  if (existsSync(kept)) return touch(kept);
  await mkdir(cache, { recursive: true });
  await removeOld();
  const draft = await mkdtemp(join(cache, 'draft-'));
  await make(draft);
  // Another process may have been faster. Its result is equivalent.
  await rename(draft, kept).catch(() => rm(draft, { recursive: true }));
  return kept;
}

async function touch(path: string): Promise<string> {
  await utimes(path, new Date(), new Date());
  return path;
}

async function removeOld(): Promise<void> {
  for (const name of await readdir(cache)) {
    const path = join(cache, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (mtimeMs < Date.now() - KEPT_MS) await rm(path, { recursive: true, force: true });
  }
}

async function fingerprintOf(ingredients: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const path of ingredients) {
    for (const file of await filesIn(join(root, path))) hash.update(file).update(await readFile(file));
  }
  return hash.digest('hex').slice(0, 16);
}

async function filesIn(path: string): Promise<string[]> {
  if (!(await stat(path)).isDirectory()) return [path];
  const entries = await readdir(path, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
