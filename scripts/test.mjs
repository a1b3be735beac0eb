// Runs all checks and tests, and prints `N passed, N failed, N skipped` at the end.
//   node scripts/test.mjs [--only <step>]
// Each check counts as one test, and each test of vitest counts by itself. A step that fails does not stop the others.
// Checks run two at a time, and each prints its output when it is done.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'whorl-test-'));
const resultsFile = join(folder, 'vitest.json');
// Makes tests fail instead of being skipped if a browser, PostgreSQL, promtool or an example's packages are missing.
const enginesRequired = process.env.WHORL_REQUIRE_ENGINES === '1';
const env = { ...process.env, PATH: `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH}` };
const untypedEntryPoints = ['./whorl.min.js', './whorl-events.min.js', './whorl-worker.min.js', './package.json'];
const concurrency = 2;

/**
 * Steps in the order in which they start. A step with `needs` waits for the named step, and is skipped if that one failed.
 * A step with `after` only waits.
 *
 * @type {Step[]}
 * @typedef {{ name: string, title: string, needs?: string, after?: string, run: (print: Print) => Promise<boolean |
 *   Counts> }} Step
 * @typedef {{ passed: number, failed: number, skipped: number }} Counts
 * @typedef {(output: Buffer | string) => void} Print
 */
const checks = [
  { name: 'build', title: 'Build', run: (print) => command(print, 'rollup', '--config') },
  { name: 'lint', title: 'Format and lint', run: (print) => command(print, 'biome', 'ci', '.') },
  {
    name: 'spelling',
    title: 'Spelling',
    run: (print) => command(print, 'cspell', 'lint', '--no-progress', '--no-summary', '--show-suggestions'),
  },
  {
    name: 'imports',
    title: 'Imports between parts',
    run: (print) => command(print, 'depcruise', '--config', '.dependency-cruiser.mjs', 'service/src', 'src'),
  },
  { name: 'phrases', title: 'Phrases', run: (print) => command(print, 'node', 'scripts/phrases.mjs') },
  { name: 'browsers', title: 'Browsers', run: (print) => setUp(print, 'scripts/setup-browsers.mjs') },
  // Not at the same time as the browsers, because both may need the package manager.
  {
    name: 'postgresql',
    title: 'PostgreSQL',
    after: 'browsers',
    run: (print) => setUp(print, 'scripts/setup-postgresql.mjs'),
  },
  {
    name: 'languages',
    title: 'Languages of the docs',
    after: 'postgresql',
    run: (print) => setUp(print, 'scripts/setup-languages.mjs'),
  },
  // The tests import the service, which imports the built package.
  { name: 'types', title: 'Types', needs: 'build', run: checkTypes },
  {
    name: 'service',
    title: 'Service',
    needs: 'build',
    run: (print) => command(print, 'npm', 'run', '--workspace', 'service', 'build'),
  },
  { name: 'sizes', title: 'Sizes', needs: 'build', run: (print) => command(print, 'node', 'scripts/sizes.mjs') },
  { name: 'service-types', title: 'Service types', needs: 'build', run: (print) => checkTypesOf(print, 'service') },
  // The demo's build checks its types. It needs the package's types, which exist only after our build.
  {
    name: 'demo',
    title: 'Demo',
    needs: 'build',
    run: (print) => command(print, 'npm', 'run', '--workspace', 'demo', 'build'),
  },
  {
    name: 'docs',
    title: 'Docs',
    needs: 'build',
    run: (print) => command(print, 'node', 'scripts/facets-doc.mjs', '--check'),
  },
  {
    name: 'api',
    title: 'Public types',
    needs: 'build',
    run: (print) => command(print, 'node', 'scripts/api-report.mjs', '--check'),
  },
  { name: 'licences', title: 'Licences', run: (print) => command(print, 'node', 'scripts/sbom.mjs') },
  // Its reference of the HTTP API is a page of the service, with a file that the sizes write.
  {
    name: 'site',
    title: 'Documentation site',
    needs: 'service',
    after: 'sizes',
    run: (print) => command(print, 'npm', 'run', 'site'),
  },
  // After the sizes, which write a file that is also packed.
  {
    name: 'publint',
    title: 'Package (publint)',
    needs: 'sizes',
    run: (print) => command(print, 'publint', '--strict', pack()),
  },
  { name: 'attw', title: 'Package types (attw)', needs: 'sizes', run: checkPackedTypes },
  {
    name: 'promtool',
    title: 'promtool',
    after: 'languages',
    run: (print) => setUp(print, 'scripts/setup-promtool.mjs'),
  },
  // They contain a copy of the build.
  {
    name: 'examples',
    title: 'Packages of the examples',
    needs: 'build',
    run: (print) => setUp(print, 'scripts/setup-examples.mjs'),
  },
];
/** Runs alone on both processors, and prints its output immediately. */
const tests = { name: 'vitest', title: 'Tests', run: runVitest };

const total = { passed: 0, failed: 0, skipped: 0 };
/** @type {Map<string, Promise<Counts>>} */
const outcomes = new Map();
const failed = new Set();
const succeeded = new Set();
/** @type {string | undefined} */
let tarball;
try {
  await runAll(chosenSteps());
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (failed.size) console.log(`Failed: ${[...failed].join(', ')}`);
process.exitCode = total.failed ? 1 : 0;
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);

function chosenSteps() {
  const at = process.argv.indexOf('--only');
  const all = [...checks, tests];
  if (at < 0) return all;
  const chosen = all.filter(({ name }) => name === process.argv[at + 1]);
  if (!chosen.length) throw new Error(`--only must be one of: ${all.map(({ name }) => name).join(', ')}`);
  return chosen;
}

/** @param {Step[]} steps */
async function runAll(steps) {
  const waiting = steps.filter((step) => step !== tests);
  const worker = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      const outcome = runWhenReady(step);
      outcomes.set(step.name, outcome);
      await outcome;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  if (!steps.includes(tests)) return;
  console.log(`\n== ${tests.title}`);
  count(tests, await attempt(tests, () => undefined));
}

/** @param {Step} step */
async function runWhenReady(step) {
  const { title, needs, after } = step;
  for (const earlier of [needs, after]) if (earlier) await outcomes.get(earlier);
  /** @type {(Buffer | string)[]} */
  const output = [];
  // With `--only`, an earlier run has provided what a step needs.
  const skips = needs !== undefined && outcomes.has(needs) && !succeeded.has(needs);
  const counts = skips ? { passed: 0, failed: 0, skipped: 1 } : await attempt(step, (text) => output.push(text));
  if (skips) output.push(`Skipped: it needs the step "${needs}", which failed.\n`);
  process.stdout.write(`\n== ${title}\n${Buffer.concat(output.map((text) => Buffer.from(text)))}`);
  count(step, counts);
  return counts;
}

/**
 * Runs a step. Never throws, so that the last line is always printed.
 *
 * @param {Step} step
 * @param {Print} print
 * @returns {Promise<Counts>}
 */
async function attempt({ run }, print) {
  const outcome = await resultOf(() => run(print));
  return typeof outcome === 'boolean' ? { passed: Number(outcome), failed: Number(!outcome), skipped: 0 } : outcome;
}

/** @param {() => Promise<boolean | Counts>} act It may also throw synchronously. */
async function resultOf(act) {
  try {
    return await act();
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

/**
 * @param {Print | undefined} print If undefined, the command writes to the terminal.
 * @param {string[]} command
 */
async function command(print, ...[name, ...args]) {
  const child = spawn(name, args, { cwd: root, env, stdio: print ? ['ignore', 'pipe', 'pipe'] : 'inherit' });
  if (print) for (const stream of [child.stdout, child.stderr]) stream?.on('data', print);
  try {
    const [code] = await once(child, 'close');
    return code === 0;
  } catch (error) {
    const message = `${error}\n`;
    if (print) print(message);
    else process.stderr.write(message);
    return false;
  }
}

/**
 * Checks the configurations: the package's own excludes Node's types, which the adapters need. Does not call `tsc` by
 * name, because the oldest supported version has the same name.
 */
async function checkTypes(print) {
  for (const project of ['.', 'src/adapters', 'test']) if (!(await checkTypesOf(print, project))) return false;
  return true;
}

function checkTypesOf(print, project) {
  return command(print, 'node', 'node_modules/typescript/bin/tsc', '--noEmit', '-p', project);
}

/** Packs the package once, and returns the path of the tarball. */
function pack() {
  tarball ??= makeTarball();
  return tarball;
}

function makeTarball() {
  const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder];
  const { status, stdout } = spawnSync('npm', args, { cwd: root, env, encoding: 'utf8' });
  return status === 0 ? join(folder, stdout.trim()) : 'no tarball: npm pack failed';
}

function checkPackedTypes(print) {
  return command(print, 'attw', pack(), '--profile', 'esm-only', '--exclude-entrypoints', ...untypedEntryPoints);
}

function setUp(print, script) {
  return command(print, 'node', script, ...(enginesRequired ? [] : ['--optional']));
}

/** Runs vitest. Its exit code matters for failures outside of tests: a crash, an unhandled error. */
async function runVitest() {
  // Without a build, only the sources can be tested.
  const projects = failed.has('build') ? ['--project', 'unit'] : [];
  // The service's processes use the build that was just made. Without one, they are compiled from the sources.
  if (succeeded.has('service')) env.WHORL_SERVICE_MAIN = join(root, 'service/dist/main.js');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${resultsFile}`];
  const success = await command(undefined, 'vitest', 'run', ...projects, ...reporters);
  const { testResults } = existsSync(resultsFile) ? JSON.parse(readFileSync(resultsFile, 'utf8')) : { testResults: [] };
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const { status, assertionResults } of testResults) {
    for (const test of assertionResults) counts[test.status in counts ? test.status : 'skipped'] += 1;
    // A file that could not be loaded, or whose set-up failed, contains no failed test.
    if (status === 'failed' && !assertionResults.some((test) => test.status === 'failed')) counts.failed += 1;
  }
  if (!success && !counts.failed) counts.failed += 1;
  return counts;
}
