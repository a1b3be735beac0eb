// Runs all checks and tests, and prints `N passed, N failed, N skipped` at the end.
//   node scripts/test.mjs [--only <step>] [--changed[=<commit>]]
// --changed runs what the changes since a commit can affect (default: HEAD, and files that are not in git).
// Each check counts as one test, and each test of vitest counts by itself. A step that fails does not stop the others.
// What the tests use is built first. Then they run, and the checks beside them.
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { affectedSteps, readAffected } from './affected-steps.mjs';
import { memoryFolder } from './memory-folder.mjs';
import { runCommand } from './run-command.mjs';
import { runSteps } from './run-steps.mjs';
import { runVitest } from './run-vitest.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
if (!existsSync(join(root, 'node_modules/.bin'))) {
  console.error('The packages are not installed. Run "npm ci" first.');
  process.exit(1);
}
const folder = mkdtempSync(join(memoryFolder() ?? tmpdir(), 'whorl-test-'));
/** Temporary files of all programs. Other users, such as PostgreSQL's, can make files there too. */
const temporary = join(folder, 'tmp');
mkdirSync(temporary);
chmodSync(folder, 0o755);
chmodSync(temporary, 0o1777);
// Makes tests fail instead of being skipped if a browser, PostgreSQL, promtool or an example's packages are missing.
const enginesRequired = process.env.WHORL_REQUIRE_ENGINES === '1';
const env = {
  ...process.env,
  TMPDIR: temporary,
  PATH: `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH}`,
};
const untypedEntryPoints = ['./whorl.min.js', './whorl-events.min.js', './whorl-worker.min.js', './package.json'];
/** Niceness of checks. The tests go first, and the checks use the time in which these wait. */
const CHECK_NICENESS = 5;
/** Results of checks for files that have not changed since. */
const cache = join(root, 'node_modules/.cache/whorl');

/** Folders of tests that reach the service over HTTP, and otherwise through one file. */
const testsOverHttp = ['http', 'support', 'access'].map((name) => `service/test/${name}`);

/** Steps that prepare what the tests use. */
const preparation = [
  { name: 'build', title: 'Build', run: (print) => command(print, 'rollup', '--config') },
  { name: 'browsers', title: 'Browsers', run: (print) => setUp(print, 'scripts/setup-browsers.mjs') },
  // Not at the same time as the browsers, because both may need the package manager.
  {
    name: 'postgresql',
    title: 'PostgreSQL',
    after: ['browsers'],
    run: (print) => setUp(print, 'scripts/setup-postgresql.mjs'),
  },
  {
    name: 'languages',
    title: 'Languages of the docs',
    after: ['postgresql'],
    run: (print) => setUp(print, 'scripts/setup-languages.mjs'),
  },
  {
    name: 'promtool',
    title: 'promtool',
    after: ['languages'],
    run: (print) => setUp(print, 'scripts/setup-promtool.mjs'),
  },
  {
    name: 'service',
    title: 'Service',
    needs: ['build'],
    run: (print) => command(print, 'npm', 'run', '--workspace', 'service', 'build'),
  },
  { name: 'sizes', title: 'Sizes', needs: ['build'], run: (print) => command(print, 'node', 'scripts/sizes.mjs') },
  // The demo's build checks its types. It needs the package's types, which exist only after our build.
  {
    name: 'demo',
    title: 'Demo',
    needs: ['build'],
    run: (print) => command(print, 'npm', 'run', '--workspace', 'demo', 'build'),
  },
  // Its reference of the HTTP API is a page of the service.
  {
    name: 'site',
    title: 'Documentation site',
    needs: ['service'],
    run: (print) => command(print, 'npm', 'run', 'site'),
  },
  // They contain a copy of the build.
  {
    name: 'examples',
    title: 'Packages of the examples',
    needs: ['build'],
    run: (print) => setUp(print, 'scripts/setup-examples.mjs'),
  },
];

const tests = [
  // Without a build, only the sources can be tested.
  {
    name: 'unit',
    title: 'Unit tests',
    after: ['build'],
    run: (print) => testProjects(print, 'unit', failed.has('build') ? ['unit'] : ['unit', 'service-unit']),
  },
  {
    name: 'vitest',
    title: 'Tests',
    needs: ['build'],
    after: preparation.map(({ name }) => name),
    live: true,
    run: (print) => testProjects(print, 'tests', ['browser', 'service', 'package']),
  },
];

/** They only read what the preparation has made, so they run beside the tests. */
const checks = [
  // The tests import the service, which imports the built package.
  { name: 'types', title: 'Types', needs: ['build'], run: checkTypes },
  {
    name: 'service-types',
    title: 'Service types',
    needs: ['build'],
    run: (print) => checkTypesOf(print, 'service'),
  },
  { name: 'lint', title: 'Format and lint', run: (print) => check(print, 'biome', 'ci', '.') },
  {
    name: 'spelling',
    title: 'Spelling',
    run: (print) => {
      const caching = ['--cache', '--cache-strategy', 'content', '--cache-location', join(cache, 'spelling.json')];
      return check(print, 'cspell', 'lint', '--no-progress', '--no-summary', '--show-suggestions', ...caching);
    },
  },
  {
    name: 'imports',
    title: 'Imports between parts',
    run: (print) =>
      check(print, 'depcruise', '--config', '.dependency-cruiser.mjs', 'src', 'service/src', ...testsOverHttp),
  },
  { name: 'unused', title: 'Unused files and exports', run: (print) => check(print, 'knip', '--no-progress') },
  {
    name: 'docs',
    title: 'Docs',
    needs: ['build'],
    run: (print) => check(print, 'node', 'scripts/facets-doc.mjs', '--check'),
  },
  {
    name: 'api',
    title: 'Public types',
    needs: ['build'],
    run: (print) => check(print, 'node', 'scripts/api-report.mjs', '--check'),
  },
  { name: 'licences', title: 'Licences', run: (print) => check(print, 'node', 'scripts/sbom.mjs') },
  {
    name: 'publint',
    title: 'Package (publint)',
    needs: ['build'],
    run: async (print) => check(print, 'publint', '--strict', await pack()),
  },
  { name: 'attw', title: 'Package types (attw)', needs: ['build'], run: checkPackedTypes },
];

const total = { passed: 0, failed: 0, skipped: 0 };
const failed = new Set();
/** What failed, in one line each. @type {string[]} */
const failures = [];
/** @type {string[]} */
const times = [];
/** @type {Promise<string> | undefined} */
let tarball;
const affected = readAffected(root);
const steps = chosenSteps();
try {
  await runSteps(steps, { onResult: count });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (times.length > 1) console.log(`\nSeconds of each step:\n${times.join('\n')}`);
if (failed.size) console.log(`Failed: ${[...failed].join(', ')}`);
for (const failure of failures) console.log(`- ${failure}`);
process.exitCode = total.failed ? 1 : 0;
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);

function chosenSteps() {
  const all = [...preparation, ...tests, ...checks];
  const at = process.argv.indexOf('--only');
  if (at >= 0) {
    const only = all.filter(({ name }) => name === process.argv[at + 1]);
    if (!only.length) throw new Error(`--only must be one of: ${all.map(({ name }) => name).join(', ')}`);
    return only;
  }
  return affected ? affectedSteps(affected, all) : all;
}

function count(step, counts, { from, to }) {
  times.push(`${step.name.padEnd(14)} ${from.toFixed(0).padStart(5)} to ${to.toFixed(0).padStart(5)}`);
  for (const key of Object.keys(total)) total[key] += counts[key];
  if (counts.failed) failed.add(step.name);
}

/** Runs a command, and returns whether it succeeded. */
async function command(print, ...[name, ...args]) {
  return (await runCommand(print, [name, ...args], { cwd: root, env })) === 0;
}

/** Runs a command at low priority. */
async function check(print, ...[name, ...args]) {
  return (await runCommand(print, [name, ...args], { cwd: root, env, niceness: CHECK_NICENESS })) === 0;
}

/**
 * Checks the configurations: the package's own excludes Node's types, which the adapters need. Does not call `tsc` by
 * name, because several versions have that name.
 */
async function checkTypes(print) {
  for (const project of ['.', 'src/adapters', 'test']) if (!(await checkTypesOf(print, project))) return false;
  return true;
}

function checkTypesOf(print, project) {
  const file = join(cache, `types-${project.replaceAll(/\W/g, '-')}.tsbuildinfo`);
  const caching = ['--incremental', '--tsBuildInfoFile', file];
  return check(print, 'node', 'node_modules/typescript-7/bin/tsc', '--noEmit', '-p', project, ...caching);
}

/** Packs the package once, and returns the path of the tarball. */
function pack() {
  tarball ??= makeTarball();
  return tarball;
}

async function makeTarball() {
  let output = '';
  const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder];
  const success = await command((text) => (output += text), 'npm', ...args);
  return success ? join(folder, output.trim()) : 'no tarball: npm pack failed';
}

async function checkPackedTypes(print) {
  return check(print, 'attw', await pack(), '--profile', 'esm-only', '--exclude-entrypoints', ...untypedEntryPoints);
}

function setUp(print, script) {
  return command(print, 'node', script, ...(enginesRequired ? [] : ['--optional']));
}

/** Runs projects of vitest, and adds what failed to the list. */
async function testProjects(print, name, projects) {
  const run = (...args) => command(print, 'vitest', ...args);
  const options = { root, file: join(folder, `${name}.json`), files: affected?.files };
  const found = await runVitest(run, projects, options);
  failures.push(...found.failures);
  return found.counts;
}
