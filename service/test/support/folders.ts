import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/**
 * Copies the contents of a folder into another one, which exists. A database has a thousand files, for which Node's own
 * `cp` needs ten times as much processor time.
 */
export async function copyFolder(from: string, to: string): Promise<void> {
  await execute('cp', ['-R', `${from}/.`, to]);
}

/** Removes a folder, if it exists. */
export async function removeFolder(path: string): Promise<void> {
  await execute('rm', ['-rf', path]);
}
