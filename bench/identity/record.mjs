import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { root } from '../cost/libraries.mjs';
import { heldOutBuilds } from './builds.mjs';

const run = promisify(execFile);

/**
 * Writes the data for fitting and testing `compare`: the fingerprints of all cases, without their readings. Held-out
 * builds are in a separate file that is never used for fitting.
 *
 * @param {import('./main.mjs').Results} results
 * @param {{ heldOut: boolean }} options
 */
export async function record({ startedAt, versions, outcomes }, { heldOut }) {
  const isHeldOut = (/** @type {string} */ id) => Object.keys(heldOutBuilds).some((major) => id === `build ${major}`);
  const folder = new URL('recorded/', import.meta.url);
  await mkdir(folder, { recursive: true });
  for (const [file, wanted] of /** @type {const} */ ([
    ['fingerprints.json', (/** @type {string} */ id) => !isHeldOut(id)],
    ['held-out.json', isHeldOut],
  ])) {
    const kept = outcomes.filter(({ id }) => wanted(id));
    if (kept.length === 0 || (heldOut && file === 'fingerprints.json')) continue;
    const cases = kept.map(({ reading, ...each }) => ({ ...each, fingerprint: reading.fingerprint }));
    const path = fileURLToPath(new URL(file, folder));
    await writeFile(path, JSON.stringify({ recordedAt: startedAt, whorl: versions.whorl, cases }));
    await run(join(root, 'node_modules/.bin/biome'), ['format', '--write', path]);
  }
}
