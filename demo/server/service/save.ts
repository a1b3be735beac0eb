import { rename, writeFile } from 'node:fs/promises';

/** Writes JSON that the owner alone can read; whole or not at all, should the power fail in between. */
export async function save(file: string, content: object): Promise<void> {
  await writeFile(`${file}.new`, `${JSON.stringify(content, undefined, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
}
