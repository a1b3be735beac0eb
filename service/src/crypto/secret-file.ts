import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const SECRET_BYTES = 32;

/**
 * The master secret of an embedded database, which lies beside it: made on the first start, readable by its owner
 * alone. Whoever has the folder has both, so this protects no more than the folder's own permissions do.
 */
export async function readOrMakeSecret(folder: string): Promise<string> {
  const path = join(folder, 'secret');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = join(folder, `secret-draft-${randomUUID()}`);
  await writeFile(draft, randomBytes(SECRET_BYTES).toString('base64'), { mode: 0o600 });
  // Links never replace: of several starts at once, one's secret stays, and it is whole.
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(draft);
  return (await readFile(path, 'utf8')).trim();
}
