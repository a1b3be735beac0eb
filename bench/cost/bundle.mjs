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
 * @property {string} code The served code: a classic script that puts `run()` on window.
 * @property {string} sha256 The hash of `code`, which identifies the build.
 * @property {Bytes} [scriptBytes] The whole published script-tag file.
 * @property {Bytes} bundleBytes Only the hash call, after tree-shaking.
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
    // Warnings about a peer's own code do not matter here.
    onwarn: () => {},
  });
  const { output } = await build.generate({ format: 'iife', inlineDynamicImports: true });
  await build.close();
  return output[0].code;
}

/**
 * Provides the entry from a text. Its imports are resolved relative to this folder.
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
