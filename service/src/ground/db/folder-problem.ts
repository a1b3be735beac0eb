import { resolve } from 'node:path';
import { OperatorError } from '../operator-error.js';

const another = 'or set DATA_FOLDER to another folder';
const remedies: Readonly<Record<string, string>> = {
  EACCES: `is not writable for this user: change its permissions, ${another}`,
  EPERM: `is not writable for this user: change its permissions, ${another}`,
  EROFS: `is on a read-only file system: mount it writable, ${another}`,
  ENOTDIR: 'is not a folder: set DATA_FOLDER to one',
  EEXIST: 'is not a folder: set DATA_FOLDER to one',
  ENOENT: 'cannot be created: set DATA_FOLDER to another folder',
  ENOSPC: `is on a disk that is full: free some space, ${another}`,
  EDQUOT: `is over the disk quota of this user: free some space, ${another}`,
};

/** Returns an OperatorError if the data folder caused an error, and the error unchanged otherwise. */
export function explainFolder(folder: string, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const remedy = Object.hasOwn(remedies, code) ? remedies[code] : undefined;
  if (remedy === undefined) return error;
  return new OperatorError(`The data folder ${resolve(folder)} ${remedy} (${code}).`, { cause: error });
}

/**
 * Returns an OperatorError for an error from opening the database in the data folder. PGlite does not report most
 * causes.
 */
export function explainDatabaseFolder(folder: string, error: unknown): unknown {
  const explained = explainFolder(folder, error);
  if (explained instanceof OperatorError) return explained;
  return new OperatorError(
    `The database in ${resolve(folder)} cannot be opened: make all of its files writable for this user, or restore it from a backup if it is damaged.`,
    { cause: error },
  );
}
