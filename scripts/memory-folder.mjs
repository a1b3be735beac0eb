import { readFileSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';

const MEMORY = '/dev/shm';
/** More than the databases and profiles of a run need. */
const NEEDED_BYTES = 6 * 2 ** 30;

/**
 * Returns a folder in memory for temporary files, if there is one with enough room in which programs can be run. A file
 * system on disk takes ten times as much processor time for the databases and browser profiles of tests.
 */
export function memoryFolder() {
  try {
    const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
    const [, , type, options = ''] = mounts.map((line) => line.split(' ')).find(([, path]) => path === MEMORY) ?? [];
    const { bavail, bsize } = statfsSync(MEMORY);
    const isEnough = Math.min(bavail * bsize, freemem()) >= NEEDED_BYTES;
    return type === 'tmpfs' && !options.split(',').includes('noexec') && isEnough ? MEMORY : undefined;
  } catch {
    return undefined;
  }
}
