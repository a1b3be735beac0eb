// The three installed engines, driven by the harness of the package's browser tests. It is written in TypeScript, so
// vite loads it, as it does for those tests.
import { join } from 'node:path';
import { runnerImport } from 'vite';
import { root } from '../cost/libraries.mjs';

/**
 * @typedef {import('../../test/browser/harness/types.js').Engine} Engine
 * @typedef {import('../../test/browser/harness/types.js').EngineName} EngineName
 */

/** @type {Map<string, Promise<Engine>>} */
const loaded = new Map();

/**
 * @param {EngineName} name
 * @returns {Promise<Engine>}
 */
export function loadEngine(name) {
  let engine = loaded.get(name);
  if (!engine) {
    const file = join(root, `test/browser/harness/${name}.ts`);
    engine = runnerImport(file, { root, configFile: false, logLevel: 'error' }).then(({ module }) => module[name]);
    loaded.set(name, engine);
  }
  return engine;
}
