import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import resolve from '@rollup/plugin-node-resolve';
import { rollup } from 'rollup';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type InstalledPackage, installPackage } from './installed.js';

let installed: InstalledPackage;

beforeAll(async () => {
  installed = await installPackage();
});

afterAll(() => installed?.remove());

async function withRollup(entry: string): Promise<string> {
  const bundle = await rollup({ input: entry, plugins: [resolve({ browser: true })] });
  const { output } = await bundle.generate({ format: 'es' });
  await bundle.close();
  return output.map((chunk) => ('code' in chunk ? chunk.code : '')).join('\n');
}

async function withVite(entry: string): Promise<string> {
  const result = await build({
    root: installed.folder,
    configFile: false,
    logLevel: 'error',
    build: { write: false, minify: false, modulePreload: false, rollupOptions: { input: entry } },
  });
  if (!('output' in result)) throw new Error('Vite gave no single output.');
  return result.output.map((chunk) => (chunk.type === 'chunk' ? chunk.code : '')).join('\n');
}

const collector = ['OfflineAudioContext', 'getContext', 'hardwareConcurrency'];
const storage = ['createObjectStore', 'localStorage'];

describe.each([
  ['rollup', withRollup],
  ['vite', withVite],
] as const)('an application built with %s', (bundler, bundle) => {
  let count = 0;
  const bundleOf = (text: string) => {
    const entry = join(installed.folder, `${bundler}-${count++}.js`);
    writeFileSync(entry, text);
    return bundle(entry);
  };

  test('contains the whole package if it uses getHash', async () => {
    const code = await bundleOf(`import { getHash } from 'whorl'; getHash().then(console.log);`);
    for (const text of [...collector, ...storage]) expect(code).toContain(text);
    expect(code).not.toContain('identify() is deprecated');
  });

  test.each([
    ['parse', `import { parse } from 'whorl/fingerprint'; console.log(parse(''));`],
    ['compare', `import { compare } from 'whorl/fingerprint'; console.log(compare('', ''));`],
    ['version', `import { version } from 'whorl'; console.log(version);`],
    ['WhorlError', `import { WhorlError } from 'whorl'; console.log(WhorlError);`],
    ['pictureOf', `import { pictureOf } from 'whorl/picture'; console.log(pictureOf(''));`],
    ['the server client', `import { Whorl } from 'whorl/server'; console.log(Whorl);`],
  ])('contains no collector and no storage if it uses only %s', async (_, text) => {
    const code = await bundleOf(text);
    for (const part of [...collector, ...storage]) expect(code).not.toContain(part);
  });

  test('contains no weights if it uses only parse', async () => {
    const code = await bundleOf(`import { parse } from 'whorl/fingerprint'; console.log(parse(''));`);
    expect(code).not.toContain('halfLifeDays');
    expect(code).not.toContain('nearly every browser update');
  });

  test('contains nothing if it uses nothing', async () => {
    const code = await bundleOf(
      `import 'whorl'; import 'whorl/fingerprint'; import 'whorl/picture'; import 'whorl/server'; console.log(1);`,
    );
    expect(code.replace(/^\/\/.*$/gm, '').trim()).toBe('console.log(1);');
  });
});
