// Where figures come from: every benchmark prints it below its tables.
import { execFileSync } from 'node:child_process';
import { cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';

/**
 * @typedef {object} Provenance
 * @property {string} date
 * @property {string} commit Of the sources, with `-dirty` if files were changed. The build may be older.
 * @property {number} processors
 * @property {{ before: number, after: number }} load Average of a minute, when the process started and at the end.
 */

const before = loadAverage();

/**
 * Returns the provenance of figures that this process has just measured.
 *
 * @returns {Provenance}
 */
export function provenance() {
  return {
    date: new Date().toISOString().slice(0, 10),
    commit: commitOf(fileURLToPath(new URL('../', import.meta.url))),
    processors: cpus().length,
    load: { before, after: loadAverage() },
  };
}

/** Returns a sentence for the line below a table. @param {Provenance} [measured] Default: by this process. */
export function provenanceLine({ date, commit, processors, load } = provenance()) {
  return `Measured on ${date}, commit ${commit}; ${processors} processors, load average ${load.before} before and ${load.after} after.`;
}

/** Returns the load average of the last minute. */
export function loadAverage() {
  return Number((loadavg()[0] ?? 0).toFixed(2));
}

/** @param {string} folder */
function commitOf(folder) {
  try {
    const args = ['describe', '--always', '--dirty', '--abbrev=7', '--exclude=*'];
    return execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return 'unknown';
  }
}
