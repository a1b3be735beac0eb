import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import resolve from '@rollup/plugin-node-resolve';
import terser from '@rollup/plugin-terser';
import typescript from '@rollup/plugin-typescript';
import dts from 'rollup-plugin-dts';
import { pageAdapters, serverAdapters } from './scripts/adapters.mjs';

// Removes the output of earlier builds, so that it is not packed.
rmSync('dist', { recursive: true, force: true });

// Makes V8 compile all functions of the script-tag file off the main thread while it loads, instead of one by one when
// it runs (https://v8.dev/blog/explicit-compile-hints).
const compileHint = '//# allFunctionsCalledOnLoad';

// The server client contains parts of these, which must keep their licences.
const contained = [
  ['jose', 'https://github.com/panva/jose', 'LICENSE.md'],
  ['structured-headers', 'https://github.com/evert/structured-header', 'LICENSE'],
].map(([name, url, file]) => {
  const licence = readFileSync(`node_modules/${name}/${file}`, 'utf8').trim();
  return `Contains parts of ${name} (${url}).\n\n${licence}`;
});
const licences = `/*!\n${contained.join('\n\n')}\n*/`;

const entryPoints = {
  index: 'src/index.ts',
  fingerprint: 'src/fingerprint/index.ts',
  picture: 'src/picture/index.ts',
  wire: 'src/wire/index.ts',
};
const adapters = Object.fromEntries(
  [...serverAdapters, ...pageAdapters].map((name) => [name, `src/adapters/${name}.${name === 'react' ? 'tsx' : 'ts'}`]),
);
/** Keeps the package's other entry points out of the adapters, which import them by their names. */
const byName = {
  name: 'by-name',
  resolveId: (/** @type {string} */ source) => {
    const id = { '../server/index.js': 'whorl/server', '../index.js': 'whorl' }[source];
    return id ? { id, external: true } : null;
  },
};
const frameworks = [...serverAdapters, 'better-auth/api', '@auth/core', 'react', 'react/jsx-runtime', 'vue'];
/** @type {Record<string, string>} */
const integrities = {};
/** Writes the values of `integrity` for the script tags (https://www.w3.org/TR/SRI/). */
const integrityFile = {
  name: 'integrity-file',
  writeBundle: (/** @type {{ file?: string }} */ { file = '' }) => {
    const hash = createHash('sha384').update(readFileSync(file)).digest('base64');
    integrities[basename(file)] = `sha384-${hash}`;
    writeFileSync('dist/sri.json', `${JSON.stringify(integrities, null, 2)}\n`);
  },
};
// Types are checked by `npm run check`, once instead of for each of these.
const compilerOptions = { noEmit: false, noCheck: true, sourceMap: true, inlineSources: true };
const plugins = [resolve(), typescript({ include: ['src/**'], ...compilerOptions })];

/** @type {import('rollup').RollupOptions[]} */
export default [
  {
    input: entryPoints,
    external: ['idb-keyval'],
    plugins,
    output: { dir: 'dist', format: 'es', sourcemap: true, chunkFileNames: 'shared/[name].js' },
  },
  {
    // Built separately, as one file: it shares nothing with the entry points for pages.
    input: 'src/server/index.ts',
    plugins,
    output: { file: 'dist/server.js', format: 'es', sourcemap: true, banner: licences },
  },
  {
    input: adapters,
    external: frameworks,
    plugins: [
      byName,
      resolve(),
      typescript({ tsconfig: 'src/adapters/tsconfig.json', include: ['src/**'], ...compilerOptions }),
    ],
    output: {
      ...{ dir: 'dist', format: 'es', sourcemap: true, chunkFileNames: 'shared/[name].js' },
      // Next's app router asks for it. Other bundlers ignore it.
      banner: ({ name }) => (name === 'react' ? "'use client';" : ''),
    },
  },
  ...Object.entries({
    whorl: 'src/script.ts',
    'whorl-events': 'src/script-events.ts',
    'whorl-worker': 'src/worker.ts',
  }).map(([name, input]) => ({
    input,
    // A worker has no script tag.
    plugins: name === 'whorl-worker' ? plugins : [...plugins, integrityFile],
    output: {
      file: `dist/${name}.min.js`,
      format: 'iife',
      // The object of the page is a copy, which a frozen namespace would only lengthen.
      freeze: false,
      sourcemap: true,
      plugins: [
        terser({
          ecma: 2020,
          compress: { passes: 3, unsafe_arrows: true, hoist_funs: true, inline: 1 },
          module: true,
          // Pages in another encoding read the file in that encoding.
          format: { comments: false, preamble: compileHint, ascii_only: true },
        }),
      ],
    },
  })),
  {
    // Types only, without code.
    input: { ...entryPoints, ...adapters, server: 'src/server/index.ts' },
    external: ['idb-keyval', ...frameworks],
    plugins: [dts()],
    output: { dir: 'dist', format: 'es', chunkFileNames: 'shared/[name].d.ts' },
  },
];
