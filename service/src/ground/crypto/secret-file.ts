import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const SECRET_BYTES = 32;

/**
 * Returns the master secret of an embedded database, from a file in the same folder that only its owner can read.
 * Creates the file on the first start. Anyone with access to the folder has both, so this protects no more than the
 * folder's permissions do.
 */
export async function readOrCreateSecret(folder: string): Promise<string> {
  const path = join(folder, 'secret');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = join(folder, `secret-draft-${randomUUID()}`);
  await writeFile(draft, randomBytes(SECRET_BYTES).toString('base64'), { mode: 0o600 });
  // A link never replaces a file, so if several processes start at once, all use the same complete secret.
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(draft);
  return (await readFile(path, 'utf8')).trim();
}
