import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
/** A copy of the lock file, written once everything in it is installed. */
const installedLock = 'node_modules/.whorl-example.json';

/** The examples with packages of their own, which `npm ci` in the repository's root does not install: they are large. */
export const separateExamples = ['next', 'hono-workers', 'angular', 'better-auth'];

/**
 * Returns whether the packages in an example's lock file are installed.
 *
 * @param {string} name
 */
export function isExampleInstalled(name) {
  const [wanted, installed] = ['package-lock.json', installedLock].map((file) => folderOf(name, file));
  return existsSync(installed) && readFileSync(installed).equals(readFileSync(wanted));
}

/**
 * Installs the packages in an example's lock file. Returns whether that succeeded.
 *
 * @param {string} name
 */
export function installExample(name) {
  // By default, npm waits 70 seconds before it gives up without a network.
  const args = ['ci', '--no-audit', '--no-fund', '--prefer-offline', '--fetch-retry-maxtimeout=2000'];
  const retries = ['--fetch-retries=2', '--fetch-retry-mintimeout=1000'];
  // The lock file takes whorl from this repository.
  const { status } = spawnSync('npm', [...args, ...retries], { cwd: folderOf(name), stdio: 'inherit' });
  if (status !== 0) return false;
  copyFileSync(folderOf(name, 'package-lock.json'), folderOf(name, installedLock));
  return true;
}

/**
 * Replaces an example's copy of whorl with the latest build. It is no link, because Next does not follow one that leads
 * out of its root, and because the React of the repository would be a second one.
 *
 * @param {string} name
 */
export function copyBuild(name) {
  const copy = folderOf(name, 'node_modules/whorl');
  for (const part of ['dist', 'package.json']) {
    rmSync(join(copy, part), { recursive: true, force: true });
    cpSync(join(root, part), join(copy, part), { recursive: true });
  }
}

function folderOf(name, path = '') {
  return join(root, 'examples', name, path);
}
