// Builds what the demo and the examples need, and only what has changed since the last build:
//   npm run demo:build
// A part is built again if one of its files, a part that it needs, or what the build wrote has changed.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const stamps = join(root, 'node_modules/.cache/whorl-build.json');
const shared = ['package-lock.json', 'tsconfig.json', 'scripts/build-changed.mjs'];

/**
 * The parts in the order in which they need each other: the files and folders that each is built from, the parts that it
 * needs, a file that its build writes, and the script that builds it.
 */
const parts = {
  package: {
    from: ['src', 'rollup.config.mjs', 'package.json', 'scripts/adapters.mjs'],
    needs: [],
    output: 'dist/index.js',
    // Without the check of sizes.
    script: ['build:files'],
  },
  service: {
    from: ['service/src', 'service/package.json', 'service/tsconfig.json', 'service/tsconfig.build.json'],
    needs: ['package'],
    output: 'service/dist/main.js',
    script: ['--workspace', 'service', 'build'],
  },
  demo: {
    from: ['demo'],
    needs: ['package'],
    output: 'demo/dist/server/main.js',
    script: ['--workspace', 'demo', 'build'],
  },
  site: {
    from: ['docs', 'site', 'llms.txt', 'service/openapi.json', 'scripts/api-report.mjs'],
    needs: ['package', 'service'],
    output: 'site/dist/index.html',
    script: ['site'],
  },
};

const stored = existsSync(stamps) ? JSON.parse(readFileSync(stamps, 'utf8')) : {};
const running = new Map();

/** Builds a part after those that it needs. Resolves to a hash of what it was built from. */
function build(name) {
  const started = running.get(name) ?? buildNow(name);
  running.set(name, started);
  return started;
}

async function buildNow(name) {
  const { from, needs, output, script } = parts[name];
  const needed = await Promise.all(needs.map(build));
  const inputs = hashOf([...needed, ...[...shared, ...from].map(hashOfPath)]);
  const last = stored[name];
  if (last?.inputs === inputs && last.output === stateOf(output)) return inputs;
  console.log(`Building: ${name} …`);
  const startedAt = performance.now();
  await run(name, script);
  console.log(`Built: ${name}, ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  stored[name] = { inputs, output: stateOf(output) };
  mkdirSync(join(stamps, '..'), { recursive: true });
  writeFileSync(stamps, JSON.stringify(stored));
  return inputs;
}

/** Runs a script of npm. Its output is only shown if it fails. */
async function run(name, script) {
  const child = spawn('npm', ['run', ...script], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => output.push(data));
  const code = await new Promise((resolve, reject) => child.on('close', resolve).on('error', reject));
  if (code === 0) return;
  process.stderr.write(Buffer.concat(output));
  throw new Error(`Building failed: ${name}.`);
}

/** Returns what changes whenever another build writes a file; undefined if it does not exist. */
function stateOf(path) {
  const file = join(root, path);
  return existsSync(file) ? statSync(file).mtimeMs : undefined;
}

function hashOfPath(path) {
  const full = join(root, path);
  if (!statSync(full).isDirectory()) return hashOf([path, readFileSync(full)]);
  const names = readdirSync(full).filter((name) => !['node_modules', 'dist', 'data'].includes(name));
  return hashOf([path, ...names.sort().map((name) => hashOfPath(join(path, name)))]);
}

function hashOf(values) {
  const hash = createHash('sha256');
  for (const value of values) hash.update(value).update('\0');
  return hash.digest('hex');
}

try {
  await Promise.all(Object.keys(parts).map(build));
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
