import { randomUUID } from 'node:crypto';
import { link, mkdir, readdir, readFile, rename, stat, unlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { codeOf } from '../error-code.js';
import { OperatorError } from '../operator-error.js';

/** Lock on a folder. */
export interface FolderLock {
  release(): Promise<void>;
}

/** Error for a folder that another process has locked. */
export class FolderInUseError extends OperatorError {
  /** Whether it is a process of this machine, which still runs. */
  readonly isLocal: boolean;

  constructor(message: string, options: ErrorOptions & { readonly isLocal: boolean }) {
    super(message, options);
    this.name = 'FolderInUseError';
    this.isLocal = options.isLocal;
  }
}

export interface LockOptions {
  /**
   * Time for which a lock of another machine or container is valid, because this one cannot see whether its process still
   * runs. Default: until somebody removes it.
   */
  readonly otherMachineMs?: number;
}

const holderSchema = z.object({
  pid: z.number().int(),
  host: z.string(),
  /** Start time of the process as the kernel counts it, to detect that a process ID was reused. */
  started: z.string().nullable(),
});
type Holder = z.output<typeof holderSchema>;

const lockName = /^lock\.(\d+)$/;

/**
 * Locks a folder for this process, and creates it if it does not exist: two processes in one embedded database would
 * destroy each other's data.
 *
 * Locks are numbered files, and the highest number is valid. A new lock is linked into place, which is exclusive and
 * atomic, content included. Numbers only increase, and a released lock remains as an empty file. A process with an
 * outdated view can therefore neither overwrite a newer lock nor create a second one.
 *
 * @throws FolderInUseError that names the process, if a running process has locked the folder. OperatorError if the lock
 *   is not one of this service.
 */
export async function lockFolder(folder: string, { otherMachineMs }: LockOptions = {}): Promise<FolderLock> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (;;) {
    const newest = (await lockNumbers(folder))[0] ?? 0;
    if (newest > 0) await refuseIfHeld(folder, newest, otherMachineMs);
    const number = newest + 1;
    if (!(await place(folder, number))) continue;
    const [highest, ...older] = await lockNumbers(folder);
    if (highest !== number) {
      await removeIfThere(pathOf(folder, number));
      continue;
    }
    for (const each of older) await removeIfThere(pathOf(folder, each));
    return { release: () => replace(folder, number, '') };
  }
}

async function lockNumbers(folder: string): Promise<number[]> {
  const names = await readdir(folder);
  const numbers = names.flatMap((name) => lockName.exec(name)?.[1] ?? []).map(Number);
  return numbers.sort((a, b) => b - a);
}

async function refuseIfHeld(folder: string, number: number, otherMachineMs: number | undefined): Promise<void> {
  const path = pathOf(folder, number);
  const text = await readFile(path, 'utf8').catch(ifMissing(''));
  if (text === '') return;
  const holder = holderSchema.safeParse(parseJson(text)).data;
  if (!holder) throw new OperatorError(`${path} is not a lock of this service: remove it if nothing uses ${folder}.`);
  if (holder.host !== hostname()) {
    if (otherMachineMs !== undefined && (await ageOf(path)) > otherMachineMs) return;
    throw new FolderInUseError(
      `Process ${holder.pid} on ${holder.host} has locked the folder ${folder}: if that machine or container no longer exists, remove ${path}.`,
      { isLocal: false },
    );
  }
  if (await isRunning(holder)) {
    throw new FolderInUseError(`Process ${holder.pid} uses the folder ${folder}: stop it first.`, { isLocal: true });
  }
}

/** Returns the time since a lock was created. A lock that has just been removed counts as old. */
async function ageOf(path: string): Promise<number> {
  const found = await stat(path).catch(ifMissing(undefined));
  return found ? Date.now() - found.mtimeMs : Number.POSITIVE_INFINITY;
}

async function isRunning({ pid, started }: Holder): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process is running as another user.
    if (codeOf(error) === 'ESRCH') return false;
  }
  const startedNow = await startOf(pid);
  return started === null || startedNow === null || started === startedNow;
}

/**
 * Returns the start time of a process, from field 22 of /proc/<pid>/stat (proc(5)), and the boot ID that it refers to;
 * null if unavailable.
 */
async function startOf(pid: number): Promise<string | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
    // The second field is the name in parentheses, which may itself contain spaces and parentheses.
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    return ticks ? `${boot.trim()} ${ticks}` : null;
  } catch {
    return null;
  }
}

/** Creates a lock file. Returns false if the number is taken. */
async function place(folder: string, number: number): Promise<boolean> {
  const holder: Holder = { pid: process.pid, host: hostname(), started: await startOf(process.pid) };
  const draft = join(folder, `lock-draft-${randomUUID()}`);
  await writeFile(draft, JSON.stringify(holder), { mode: 0o600 });
  try {
    await link(draft, pathOf(folder, number));
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await removeIfThere(draft);
  }
}

async function replace(folder: string, number: number, content: string): Promise<void> {
  const draft = join(folder, `lock-draft-${randomUUID()}`);
  await writeFile(draft, content, { mode: 0o600 });
  await rename(draft, pathOf(folder, number));
}

function pathOf(folder: string, number: number): string {
  return join(folder, `lock.${number}`);
}

function removeIfThere(path: string): Promise<void> {
  return unlink(path).catch(ifMissing(undefined));
}

function ifMissing<Value>(value: Value): (error: unknown) => Value {
  return (error) => {
    if (codeOf(error) === 'ENOENT') return value;
    throw error;
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
