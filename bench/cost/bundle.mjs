import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import resolve from '@rollup/plugin-node-resolve';
import terser from '@rollup/plugin-terser';
import { rollup } from 'rollup';

/**
 * @typedef {object} Bytes
 * @property {number} min
 * @property {number} gzip
 * @property {number} brotli
 */

/**
 * @typedef {object} Bundle
 * @property {string} code What is served: classic script that puts `run()` on window.
 * @property {string} sha256 Of `code`, so that two results can be told to be of one build.
 * @property {Bytes} [scriptBytes] The published script-tag file, whole.
 * @property {Bytes} bundleBytes The hash call alone, with everything that is not needed for it shaken off.
 */

const entryId = 'entry.mjs';

/**
 * Bundles a library once, as a site would.
 *
 * @param {Pick<import('./libraries.mjs').Library, 'entry'> & Partial<import('./libraries.mjs').Library>} library
 * @returns {Promise<Bundle>}
 */
export async function bundle({ entry, script, runFromScript }) {
  const bundled = await bundleEntry(entry);
  const published = script === undefined ? undefined : await readFile(script, 'utf8');
  const code = published !== undefined && runFromScript ? `${published}\n${runFromScript}` : bundled;
  return {
    code,
    sha256: createHash('sha256').update(code).digest('hex'),
    ...(published !== undefined && { scriptBytes: bytesOf(published) }),
    bundleBytes: bytesOf(bundled),
  };
}

/** @param {string} entry */
async function bundleEntry(entry) {
  const build = await rollup({
    input: entryId,
    plugins: [virtual(entry), resolve({ browser: true }), terser({ ecma: 2020, format: { comments: false } })],
    // A warning about a peer's own code is nothing to act on here.
    onwarn: () => {},
  });
  const { output } = await build.generate({ format: 'iife', inlineDynamicImports: true });
  await build.close();
  return output[0].code;
}

/**
 * The entry comes from a text. Its imports are resolved as if it lay in this folder.
 *
 * @param {string} entry
 * @returns {import('rollup').Plugin}
 */
function virtual(entry) {
  return {
    name: 'virtual-entry',
    resolveId(source, importer) {
      if (source === entryId) return entryId;
      if (importer === entryId) return this.resolve(source, import.meta.filename, { skipSelf: true });
      return null;
    },
    load: (id) => (id === entryId ? entry : null),
  };
}

/**
 * @param {string} text
 * @returns {Bytes}
 */
function bytesOf(text) {
  const content = Buffer.from(text);
  const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  return {
    min: content.length,
    gzip: gzipSync(content, { level: 9 }).length,
    brotli: brotliCompressSync(content, { params: quality }).length,
  };
}
