import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type FileState, stateSchema, type UpdateState } from './rules/update-state.js';

/** Ending of unfinished files. The next update deletes those of an update that was killed. */
export const draftEnding = '.part';

const stateFile = 'state.json';

/** Reads what is remembered about updates. A missing or damaged file counts as empty: everything is loaded again. */
export async function readState(folder: string): Promise<UpdateState> {
  try {
    return stateSchema.parse(JSON.parse(await readFile(join(folder, stateFile), 'utf8')));
  } catch {
    return { sources: {} };
  }
}

export async function writeState(folder: string, state: UpdateState): Promise<void> {
  const draft = draftIn(folder);
  try {
    await writeFile(draft, `${JSON.stringify(state, null, 2)}\n`, { flag: 'wx' });
    await rename(draft, join(folder, stateFile));
  } finally {
    await rm(draft, { force: true });
  }
}

/** Returns the path of a new, unfinished file. */
export function draftIn(folder: string): string {
  return join(folder, `${randomUUID()}${draftEnding}`);
}

/** Returns whether a file is still the one that the last update wrote. */
export async function isUntouched(path: string, file: FileState | undefined): Promise<boolean> {
  if (!file) return false;
  const found = await stat(path).catch(() => undefined);
  return found?.size === file.bytes && found.mtimeMs === file.changed_ms;
}
