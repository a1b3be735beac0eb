import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { OperatorError } from '../../../ground/operator-error.js';
import { reasonOf } from '../live-file.js';
import { checkSources, fileNameOf, type PublishedSource } from './rules/sources-file.js';

/** Sources that the service downloads, and the folder of their files. */
export interface PublishedSources {
  readonly folder: string;
  readonly sources: readonly PublishedSource[];
}

/**
 * Reads the file that ADDRESS_SOURCES names.
 *
 * @param dataFolder Contains the folder of the files, `addresses`, unless the file names another one.
 * @throws OperatorError if the file cannot be read or is not valid.
 */
export async function readSources(path: string, dataFolder: string): Promise<PublishedSources> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new OperatorError(`ADDRESS_SOURCES: ${path} cannot be used: ${reasonOf(error)}.`, { cause: error });
  });
  const checked = checkSources(parseJson(text, path));
  if ('problems' in checked) throw new OperatorError(`ADDRESS_SOURCES: ${path} is not valid. ${checked.problems}`);
  const { folder, sources } = checked.valid;
  return { folder: folder === undefined ? resolve(dataFolder, 'addresses') : resolve(dirname(path), folder), sources };
}

/** The error does not quote the content, which may contain a secret by mistake. */
function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    throw new OperatorError(`ADDRESS_SOURCES: ${path} is not valid JSON.`);
  }
}

/** Returns the path of a source's file. */
export function pathOf({ folder }: PublishedSources, source: PublishedSource): string {
  return join(folder, fileNameOf(source));
}
