// Measures how much each entry point of the package adds to a page, and checks it against its budget. Run it after rollup.
import { readdirSync, readFileSync } from 'node:fs';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import resolve from '@rollup/plugin-node-resolve';
import terser from '@rollup/plugin-terser';
import { rollup } from 'rollup';
import { pageAdapters, serverAdapters } from './adapters.mjs';

/**
 * The entry points, with their budgets in KB of 1000 bytes after gzip -9. `code` is bundled with everything that it
 * imports and minified, as in an application's build. `file` is measured as it is. `without` names texts of parts that
 * tree-shaking must remove.
 */
const entryPoints = [
  {
    name: 'getHash alone',
    code: `export { getHash } from './dist/index.js'`,
    budgetKb: 8.0,
    without: [
      ['evaluate', '/v2/device/'],
      ['identify', 'identify() is deprecated'],
      ['getProof', 'whorl-proof+jwt'],
      ['onDetached', 'text/event-stream'],
      ['compare', 'elapsedDays'],
      ['weights', 'halfLifeDays'],
      ['parse', 'ChromeOS'],
      ['expectedDrift', 'nearly every browser update'],
      ['the server client', 'whsec_'],
    ],
  },
  { name: 'whorl.min.js', file: 'dist/whorl.min.js', budgetKb: 10.5, without: [['the server client', 'whsec_']] },
  {
    name: 'whorl-events.min.js',
    file: 'dist/whorl-events.min.js',
    budgetKb: 2.0,
    without: [
      ['collector', 'OfflineAudioContext'],
      ['storage', 'localStorage'],
    ],
  },
  {
    name: 'whorl-worker.min.js',
    file: 'dist/whorl-worker.min.js',
    budgetKb: 3.5,
    without: [
      ['audio', 'OfflineAudioContext'],
      ['storage', 'localStorage'],
    ],
  },
  {
    name: 'whorl/fingerprint',
    code: `export * from './dist/fingerprint.js'`,
    budgetKb: 2.7,
    without: [
      ['collector', 'OfflineAudioContext'],
      ['storage', 'localStorage'],
    ],
  },
  {
    name: 'whorl/picture',
    code: `export * from './dist/picture.js'`,
    budgetKb: 2.3,
    without: [
      ['collector', 'OfflineAudioContext'],
      ['compare', 'elapsedDays'],
      ['weights', 'halfLifeDays'],
    ],
  },
  {
    // No page loads it. The budget detects a library that was added by accident.
    name: 'whorl/server',
    code: `export * from './dist/server.js'`,
    budgetKb: 20.8,
    without: [
      ['collector', 'OfflineAudioContext'],
      ['storage', 'localStorage'],
      ['compare', 'elapsedDays'],
      ['picture', 'viewBox'],
    ],
  },
];

/** No page loads these either. The server client is not counted: an application has it only once. */
for (const name of serverAdapters) {
  const code = `export * from './dist/${name}.js'`;
  const budgetKb = { 'better-auth': 9.8, passport: 7.7, 'auth-js': 7.6 }[name] ?? 7.3;
  entryPoints.push({ name: `whorl/${name}`, code, budgetKb, without: [['the server client', 'whsec_']] });
}
/** Adapters for pages. Neither the package's own functions nor the framework are counted. */
const withoutDevices = {
  react: 'WhorlProvider, useWhorl, useChallenge, ChallengeForm',
  vue: 'whorlVue, useWhorl, useChallenge, ChallengeForm',
};
for (const name of pageAdapters) {
  const budgetKb = { page: 2.5, devices: 3.7 }[name] ?? 3.7;
  const code = `export ${withoutDevices[name] ? `{ ${withoutDevices[name]} }` : '*'} from './dist/${name}.js'`;
  const without = [['collector', 'OfflineAudioContext']];
  if (name !== 'devices') without.push(['the list of devices', 'whorl-devices']);
  entryPoints.push({ name: `whorl/${name}`, code, budgetKb, without });
}
for (const name of ['react', 'vue']) {
  const code = `export * from './dist/${name}.js'`;
  entryPoints.push({ name: `whorl/${name} with DeviceList`, code, budgetKb: 6.9 });
}

const root = new URL('..', import.meta.url);
const read = (path) => readFileSync(new URL(path, root));
const kb = (bytes) => (bytes / 1000).toFixed(2);

const rows = [];
const failures = [];
for (const { name, code, file, budgetKb, without = [] } of entryPoints) {
  const bytes = code ? await bundle(code) : read(file);
  const gzip = gzipSync(bytes, { level: 9 }).length;
  rows.push([name, kb(bytes.length), kb(gzip), kb(brotliCompressSync(bytes).length), budgetKb.toFixed(2)]);
  if (gzip > budgetKb * 1000) failures.push(`${name} is ${kb(gzip)} KB after gzip; its budget is ${budgetKb} KB.`);
  for (const [part, text] of without) {
    if (bytes.includes(text)) failures.push(`The bundle of ${name} contains ${part}, which it does not use.`);
    if (!builtText().includes(text)) failures.push(`"${text}", which identifies ${part}, is no longer in dist.`);
  }
}

print([['KB', 'minified', 'gzip', 'brotli', 'budget'], ...rows]);
for (const failure of failures) console.error(failure);
if (failures.length) process.exitCode = 1;

async function bundle(code) {
  const entry = {
    name: 'entry',
    resolveId: (id) => (id === 'entry' ? new URL('entry.js', root).pathname : null),
    load: (id) => (id.endsWith('/entry.js') && !id.includes('node_modules') ? code : null),
  };
  const build = await rollup({
    input: 'entry',
    plugins: [entry, resolve({ browser: true }), terser()],
    // Rollup ignores 'use client'.
    logLevel: 'silent',
    external: ['whorl', 'whorl/server', 'better-auth/api', 'react', 'react/jsx-runtime', 'vue'],
  });
  const { output } = await build.generate({ format: 'es' });
  await build.close();
  return Buffer.from(output.map((chunk) => chunk.code).join(''));
}

/**
 * Returns all modules in dist. The texts of `without` must occur in them, otherwise their absence would prove nothing.
 */
function builtText() {
  const names = readdirSync(new URL('dist/', root), { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.js') && !name.endsWith('.min.js'));
  return names.map((name) => read(`dist/${name}`).toString()).join('');
}

function print(table) {
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)));
  for (const row of table) {
    const cells = row.map((cell, column) => (column ? cell.padStart(widths[column]) : cell.padEnd(widths[column])));
    console.log(cells.join('  '));
  }
}
