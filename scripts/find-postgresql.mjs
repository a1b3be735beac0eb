import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Folder in which Debian-based systems install the programs of each version, outside the PATH. */
const DEBIAN = '/usr/lib/postgresql';
/** The version of Ubuntu 22.04, which is also the minimum for the service's queue. */
const OLDEST_MAJOR = 14;

/**
 * Finds the folder with `initdb` and `postgres` of the newest installed PostgreSQL. Returns undefined if there is none.
 * WHORL_POSTGRESQL, if set, names the folder instead.
 *
 * @returns {string | undefined}
 */
export function findPostgresql() {
  const named = process.env.WHORL_POSTGRESQL;
  const folders = named ? [named] : [...debianFolders(), ...(process.env.PATH ?? '').split(delimiter).filter(Boolean)];
  return folders.find(isUsable);
}

function debianFolders() {
  if (!existsSync(DEBIAN)) return [];
  const versions = readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a));
  return versions.map((version) => join(DEBIAN, version, 'bin'));
}

function isUsable(folder) {
  if (!['initdb', 'postgres'].every((name) => existsSync(join(folder, name)))) return false;
  const { stdout } = spawnSync(join(folder, 'postgres'), ['--version'], { encoding: 'utf8' });
  return Number(/\d+/.exec(stdout ?? '')?.[0] ?? 0) >= OLDEST_MAJOR;
}

/**
 * Returns whether Citus is installed for the PostgreSQL whose programs are in a folder.
 *
 * @param {string} programs
 */
export function hasCitus(programs) {
  // Debian's folders, and those of PostgreSQL's own installation.
  return ['lib', 'lib/postgresql'].some((folder) => existsSync(join(programs, '..', folder, 'citus.so')));
}
