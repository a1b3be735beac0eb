import { readFile } from 'node:fs/promises';
import { codeOf } from '../ground/error-code.js';
import { OperatorError } from '../ground/operator-error.js';

/**
 * Reads a file as text.
 *
 * @throws OperatorError if it cannot be read.
 */
export async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw fileError(path, 'read', cause);
  }
}

/** Returns the error of a file that cannot be read or written. */
export function fileError(path: string, use: 'read' | 'written', cause: unknown): OperatorError {
  const code = codeOf(cause);
  return new OperatorError(`The file ${path} cannot be ${use}${code === undefined ? '' : ` (${code})`}.`, { cause });
}
