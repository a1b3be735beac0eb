import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';

/**
 * Writes a result beside this file, named by kind and time.
 *
 * @param {string} kind
 * @param {object} result
 * @returns {Promise<string>} Its path, relative to the repository root.
 */
export async function writeResult(kind, result) {
  const folder = new URL('results/', import.meta.url);
  await mkdir(folder, { recursive: true });
  const name = `${kind}-${new Date().toISOString().replace(/[:.]/g, '-')}.json`;
  await writeFile(new URL(name, folder), `${JSON.stringify(result, undefined, 2)}\n`);
  return `bench/cost/results/${name}`;
}

/** Returns the load of the machine. Other work on it affects all figures, most of all p95. */
export function machine() {
  return { processors: cpus().length, load: Number((loadavg()[0] ?? 0).toFixed(2)) };
}
