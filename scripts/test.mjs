// Runs all checks and tests, and ends with one line: `N passed, N failed, N skipped`.
//   node scripts/test.mjs [--only <step>]
// Each check counts as one test; the tests of vitest count each for themselves. A step that fails does not stop the
// others.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'whorl-test-'));
const resultsFile = join(folder, 'vitest.json');
// Set where tests are to fail, not to be skipped, when one of the browsers, or PostgreSQL, is missing.
const enginesRequired = process.env.WHORL_REQUIRE_ENGINES === '1';
const env = { ...process.env, PATH: `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH}` };
const untypedDoors = ['./whorl.min.js', './whorl-events.min.js', './package.json'];

/**
 * In the order in which they run. What `needs` an earlier step is skipped where that one failed.
 *
 * @type {{ name: string, title: string, needs?: string, run: () => boolean | Counts }[]}
 * @typedef {{ passed: number, failed: number, skipped: number }} Counts
 */
const steps = [
  { name: 'lint', title: 'Format and lint', run: () => command('biome', 'ci', '.') },
  { name: 'types', title: 'Types', run: checkTypes },
  { name: 'build', title: 'Build', run: () => command('rollup', '--config') },
  { name: 'sizes', title: 'Sizes', needs: 'build', run: () => command('node', 'scripts/sizes.mjs') },
  { name: 'docs', title: 'Docs', needs: 'build', run: () => command('node', 'scripts/facets-doc.mjs', '--check') },
  { name: 'publint', title: 'Package (publint)', needs: 'build', run: () => command('publint', '--strict', pack()) },
  { name: 'attw', title: 'Package types (attw)', needs: 'build', run: checkPackedTypes },
  // The demo's types are checked by its build: they need the package's, which are not there before ours.
  { name: 'demo', title: 'Demo', needs: 'build', run: () => command('npm', 'run', '--workspace', 'demo', 'build') },
  { name: 'service-types', title: 'Service types', needs: 'build', run: () => checkTypesOf('service') },
  {
    name: 'service',
    title: 'Service',
    needs: 'build',
    run: () => command('npm', 'run', '--workspace', 'service', 'build'),
  },
  { name: 'browsers', title: 'Browsers', run: () => setUp('scripts/setup-browsers.mjs') },
  { name: 'postgresql', title: 'PostgreSQL', run: () => setUp('scripts/setup-postgresql.mjs') },
  { name: 'vitest', title: 'Tests', run: runVitest },
];

const total = { passed: 0, failed: 0, skipped: 0 };
const failed = new Set();
const succeeded = new Set();
try {
  for (const step of chosenSteps()) count(step, run(step));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (failed.size) console.log(`Failed: ${[...failed].join(', ')}`);
process.exitCode = total.failed ? 1 : 0;
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);

function chosenSteps() {
  const at = process.argv.indexOf('--only');
  if (at < 0) return steps;
  const chosen = steps.filter(({ name }) => name === process.argv[at + 1]);
  if (!chosen.length) throw new Error(`--only takes one of: ${steps.map(({ name }) => name).join(', ')}`);
  return chosen;
}

function run({ title, needs, run: runStep }) {
  console.log(`\n== ${title}`);
  if (failed.has(needs)) {
    console.log(`Skipped: it needs the step "${needs}", which failed.`);
    return { passed: 0, failed: 0, skipped: 1 };
  }
  const outcome = attempt(runStep);
  return typeof outcome === 'boolean' ? { passed: Number(outcome), failed: Number(!outcome), skipped: 0 } : outcome;
}

/** Whatever happens in a step, the closing line comes. */
function attempt(runStep) {
  try {
    return runStep();
  } catch (error) {
    console.error(error);
    return false;
  }
}

function count(step, counts) {
  for (const key of Object.keys(total)) total[key] += counts[key];
  if (counts.failed) failed.add(step.name);
  else if (counts.passed) succeeded.add(step.name);
}

function command(name, ...args) {
  const { status, error } = spawnSync(name, args, { cwd: root, env, stdio: 'inherit' });
  if (error) console.error(String(error));
  return status === 0;
}

/**
 * Both configurations: the package's own knows no Node. Not `tsc` by name: the oldest supported version bears it too.
 */
function checkTypes() {
  return ['.', 'test'].every(checkTypesOf);
}

function checkTypesOf(project) {
  return command('node', 'node_modules/typescript/bin/tsc', '--noEmit', '-p', project);
}

/** Packs the package, and answers where the tarball is. */
function pack() {
  const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder];
  const { status, stdout } = spawnSync('npm', args, { cwd: root, env, encoding: 'utf8' });
  return status === 0 ? join(folder, stdout.trim()) : 'no tarball: npm pack failed';
}

function checkPackedTypes() {
  return command('attw', pack(), '--profile', 'esm-only', '--exclude-entrypoints', ...untypedDoors);
}

function setUp(script) {
  return command('node', script, ...(enginesRequired ? [] : ['--optional']));
}

/** Runs vitest. What it says of itself counts where its results do not: a crash, an error outside of tests. */
function runVitest() {
  // Without a build there is nothing but the sources to test.
  const projects = failed.has('build') ? ['--project', 'unit'] : [];
  // The service's processes are those of the build just made; without one, they are compiled from the sources.
  if (succeeded.has('service')) env.WHORL_SERVICE_MAIN = join(root, 'service/dist/main.js');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${resultsFile}`];
  const success = command('vitest', 'run', ...projects, ...reporters);
  const { testResults } = existsSync(resultsFile) ? JSON.parse(readFileSync(resultsFile, 'utf8')) : { testResults: [] };
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const { status, assertionResults } of testResults) {
    for (const test of assertionResults) counts[test.status in counts ? test.status : 'skipped'] += 1;
    // A file that could not be loaded, or whose set-up failed, has no failed test in it.
    if (status === 'failed' && !assertionResults.some((test) => test.status === 'failed')) counts.failed += 1;
  }
  if (!success && !counts.failed) counts.failed += 1;
  return counts;
}
