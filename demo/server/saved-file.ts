import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { StartError } from './start-error.js';

/** Writes a JSON file that only its owner can read. The write is atomic, even if the power fails. */
export async function save(file: string, content: object): Promise<void> {
  await writeFile(`${file}.new`, `${JSON.stringify(content, undefined, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
}

/**
 * Reads what {@link save} wrote. Returns undefined if there is no file.
 *
 * @param parse Throws, or returns undefined, for text that the demo has not saved.
 * @throws StartError for such text.
 */
export async function readSaved<Value>(
  file: string,
  parse: (text: string) => Value | undefined,
): Promise<Value | undefined> {
  if (!existsSync(file)) return undefined;
  const text = await readFile(file, 'utf8');
  try {
    const value = parse(text);
    if (value !== undefined) return value;
  } catch {
    // Reported below.
  }
  throw new StartError(`${file} has invalid content. Remove its folder to start again.`);
}
