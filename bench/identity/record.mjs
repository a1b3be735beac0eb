import { mkdir, writeFile } from 'node:fs/promises';
import { heldOutBuilds } from './builds.mjs';

/**
 * Writes what `compare` is fitted to and held to: the fingerprints of all cases, without their readings. Held-out builds
 * go into a file of their own, which nothing is fitted to.
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
    const rows = kept.map(({ reading, ...each }) => JSON.stringify({ ...each, fingerprint: reading.fingerprint }));
    const head = `"recordedAt": ${JSON.stringify(startedAt)},\n"whorl": ${JSON.stringify(versions.whorl)}`;
    await writeFile(new URL(file, folder), `{\n${head},\n"cases": [\n${rows.join(',\n')}\n]\n}\n`);
  }
}
