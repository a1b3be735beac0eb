import { mkdir, writeFile } from 'node:fs/promises';
import { provenance } from '../provenance.mjs';

/**
 * Writes a result beside this file, named by kind and time, with its commit and the load of the machine.
 *
 * @param {string} kind
 * @param {object} result
 * @returns {Promise<string>} Its path, relative to the repository root.
 */
export async function writeResult(kind, result) {
  const folder = new URL('results/', import.meta.url);
  await mkdir(folder, { recursive: true });
  const name = `${kind}-${new Date().toISOString().replace(/[:.]/g, '-')}.json`;
  await writeFile(new URL(name, folder), `${JSON.stringify({ measured: provenance(), ...result }, undefined, 2)}\n`);
  return `bench/service/results/${name}`;
}
