import { readFile, stat } from 'node:fs/promises';
import { openDatabase } from '../open-database.js';
import { parseAddressList } from '../rules/address-lists.js';
import type { FileFacts } from './rules/refusal.js';
import type { PublishedSource } from './rules/sources-file.js';
import { UpdateError, updateFailure } from './update-error.js';

/**
 * Opens a file as the service does, and returns what the checks compare.
 *
 * @throws UpdateError that says what is wrong with the file.
 */
export async function inspect(path: string, { kind }: Pick<PublishedSource, 'kind'>): Promise<FileFacts> {
  const { size: bytes } = await stat(path);
  try {
    if (kind === undefined) return { bytes, builtAt: (await openDatabase(path)).builtAt };
    const ranges = await parseAddressList(await readFile(path, 'utf8'));
    return { bytes, ranges: ranges.size, share: ranges.share() };
  } catch (error) {
    if (error instanceof Error && !('code' in error)) throw new UpdateError(error.message, { cause: error });
    throw new UpdateError(updateFailure(error), { cause: error });
  }
}
