import resolve from '@rollup/plugin-node-resolve';
import terser from '@rollup/plugin-terser';
import typescript from '@rollup/plugin-typescript';
import dts from 'rollup-plugin-dts';

const doors = { index: 'src/index.ts', fingerprint: 'src/fingerprint/index.ts', picture: 'src/picture/index.ts' };
const plugins = [resolve(), typescript({ include: ['src/**'], noEmit: false, sourceMap: true })];

/** @type {import('rollup').RollupOptions[]} */
export default [
  {
    input: doors,
    external: ['idb-keyval'],
    plugins,
    output: { dir: 'dist', format: 'es', sourcemap: true, chunkFileNames: 'shared.js' },
  },
  {
    input: 'src/script.ts',
    plugins,
    output: {
      file: 'dist/whorl.min.js',
      format: 'iife',
      sourcemap: true,
      plugins: [terser({ ecma: 2020, compress: { passes: 3, unsafe_arrows: true }, format: { comments: false } })],
    },
  },
  {
    input: doors,
    external: ['idb-keyval'],
    plugins: [dts()],
    output: { dir: 'dist', format: 'es', chunkFileNames: 'shared.d.ts' },
  },
];
