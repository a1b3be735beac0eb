import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmdirSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** @typedef {ReturnType<typeof mountDisk>} Disk A small file system that can be filled up. */

/**
 * Mounts a file system in memory. Needs root.
 *
 * @param {number} megabytes
 */
export function mountDisk(megabytes) {
  const folder = mkdtempSync(join(tmpdir(), 'whorl-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]);
  const filler = join(folder, 'filler');
  return {
    folder,
    /** Fills all remaining space. */
    fill() {
      const file = openSync(filler, 'a');
      const block = Buffer.alloc(64 * 1024, 1);
      try {
        for (let size = block.length; size >= 1024; size /= 2) writeWhilePossible(file, block.subarray(0, size));
      } finally {
        closeSync(file);
      }
    },
    free: () => unlinkSync(filler),
    unmount() {
      // A lazy unmount, because an ending process may still have a file open.
      execFileSync('umount', ['--lazy', folder]);
      rmdirSync(folder);
    },
  };
}

/** @param {number} file @param {Buffer} block */
function writeWhilePossible(file, block) {
  for (;;) {
    try {
      if (writeSync(file, block) < block.length) return;
    } catch (error) {
      if (/** @type {{ code?: string }} */ (error).code === 'ENOSPC') return;
      throw error;
    }
  }
}
