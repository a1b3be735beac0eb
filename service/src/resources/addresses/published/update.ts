import { existsSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { FolderInUseError, lockFolder } from '../../../ground/db/folder-lock.js';
import { OperatorError } from '../../../ground/operator-error.js';
import { hourMs } from '../../../ground/time.js';
import type { PublishedSource } from './rules/sources-file.js';
import { failedState, isDue, newState, type SourceState, stateOf } from './rules/update-state.js';
import { type PublishedSources, pathOf } from './sources.js';
import { draftEnding, readState, writeState } from './state-file.js';
import { UpdateError, updateFailure } from './update-error.js';
import { defaultLimits, type UpdateLimits, updateSource } from './update-source.js';

/** Result of updating one source. */
export interface UpdateResult {
  readonly source: PublishedSource;
  readonly outcome: 'updated' | 'unchanged' | 'failed';
  /** Why it failed, as part of a sentence. */
  readonly reason?: string;
  readonly state: SourceState;
}

export interface UpdateOptions {
  /** Names of the sources to update. Default: all. */
  readonly names?: readonly string[];
  /** Whether to skip sources that were checked in time. Default: false. */
  readonly onlyDue?: boolean;
  /** Accepts files that are older, smaller or broader than expected. Default: false. */
  readonly force?: boolean;
  readonly report: (result: UpdateResult) => void;
  readonly now: () => Date;
  /** Contains the values of `authorization_env`. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly limits?: Partial<UpdateLimits>;
  /** Interrupts the update. */
  readonly signal?: AbortSignal;
}

/** A folder may be on a disk that several machines share. The lock of another one is valid for this time. */
const otherMachineMs = 2 * hourMs;

/**
 * Updates sources, one after another. The file of a source that fails stays as it is, and the next one is tried.
 *
 * @throws FolderInUseError while another process updates the same folder. OperatorError if the folder cannot be used.
 */
export async function updateSources(published: PublishedSources, options: UpdateOptions): Promise<void> {
  const { folder } = published;
  const lock = await lockForUpdate(folder);
  try {
    await removeDrafts(folder);
    for (const source of published.sources) await updateOne(published, source, options);
  } catch (error) {
    throw explain(folder, error);
  } finally {
    await lock.release().catch(() => undefined);
  }
}

async function updateOne(published: PublishedSources, source: PublishedSource, options: UpdateOptions): Promise<void> {
  const { names, onlyDue = false, force = false, report, now, environment, limits, signal = neverAborted } = options;
  const { folder } = published;
  const path = pathOf(published, source);
  const remembered = await readState(folder);
  const known = stateOf(remembered, source.name);
  if (signal.aborted || names?.includes(source.name) === false) return;
  if (onlyDue && !isPending(path, known, now())) return;
  const result = await updateSource(source, {
    folder,
    path,
    state: known,
    force,
    now: now(),
    environment,
    signal,
    limits: { ...defaultLimits, ...limits },
  }).catch((error: unknown) => {
    const reason = updateFailure(error);
    return { outcome: 'failed' as const, reason, state: failedState(known ?? newState, reason, now()) };
  });
  // The next start tries again at once.
  if (signal.aborted && result.outcome === 'failed') return;
  // Reported first, because the state cannot be written if the disk is full.
  report({ source, ...result });
  await writeState(folder, { sources: { ...remembered.sources, [source.name]: result.state } });
}

const neverAborted = new AbortController().signal;

/** Returns whether any source is to be checked. */
export async function hasDue(published: PublishedSources, now: Date): Promise<boolean> {
  const state = await readState(published.folder);
  for (const source of published.sources) {
    if (isPending(pathOf(published, source), stateOf(state, source.name), now)) return true;
  }
  return false;
}

/** Returns whether a source is to be checked because of the time, or because somebody deleted its file. */
function isPending(path: string, state: SourceState | undefined, now: Date): boolean {
  return isDue(state, now) || (state?.file !== undefined && state.failures === 0 && !existsSync(path));
}

async function lockForUpdate(folder: string) {
  try {
    await mkdir(folder, { recursive: true });
    return await lockFolder(folder, { otherMachineMs });
  } catch (error) {
    if (error instanceof FolderInUseError && error.isLocal) {
      const message = `Another process is updating the files in ${folder}: try again when it has finished.`;
      throw new FolderInUseError(message, { cause: error, isLocal: true });
    }
    throw explain(folder, error);
  }
}

function explain(folder: string, error: unknown): unknown {
  if (error instanceof OperatorError) return error;
  if (!(error instanceof UpdateError) && !(error instanceof Error && 'code' in error)) return error;
  return new OperatorError(
    `The folder ${folder} cannot be used: ${updateFailure(error)}. Run updates as the user of the service.`,
    { cause: error },
  );
}

/** Deletes what an update left that was killed. */
async function removeDrafts(folder: string): Promise<void> {
  const drafts = (await readdir(folder)).filter((name) => name.endsWith(draftEnding));
  for (const name of drafts) await rm(join(folder, name), { force: true });
}
