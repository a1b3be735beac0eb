import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Imports a source file of the package that no public entry point exports and that has no imports itself. */
export async function importSource(path) {
  const typescript = require('../../../node_modules/typescript');
  const text = readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
  const { outputText } = typescript.transpileModule(text, { compilerOptions: { target: 'ES2022', module: 'ESNext' } });
  return import(`data:text/javascript;base64,${Buffer.from(outputText).toString('base64')}`);
}
