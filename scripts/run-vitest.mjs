// Runs vitest for `npm test`, counts its results and lists what failed.
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/**
 * Runs projects of vitest, and counts their tests. The exit code matters for failures outside of tests: a crash, an
 * unhandled error.
 *
 * @param {(...args: string[]) => Promise<boolean>} run Runs vitest, and returns whether it succeeded.
 * @param {readonly string[]} projects
 * @param {{ root: string, file: string, files?: readonly string[] }} options `file`: for the results. `files`: only these.
 * @returns {Promise<{ counts: import('./run-steps.mjs').Counts, failures: string[] }>} `failures`: what failed, in one line each.
 */
export async function runVitest(run, projects, { root, file, files }) {
  const names = ['default', 'json', './scripts/timings-reporter.mjs'];
  const reporters = [...names.map((each) => `--reporter=${each}`), `--outputFile.json=${file}`];
  const chosen = files ? [...files, '--passWithNoTests'] : [];
  const options = [...projects.map((each) => `--project=${each}`), ...reporters];
  const success = await run('run', ...chosen, ...options);
  const { testResults } = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { testResults: [] };
  /** @type {string[]} */
  const failures = [];
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const { name: path, status, message, assertionResults } of testResults) {
    const at = relative(root, path);
    for (const test of assertionResults) counts[test.status in counts ? test.status : 'skipped'] += 1;
    const failedTests = assertionResults.filter((test) => test.status === 'failed');
    for (const test of failedTests) failures.push(inOneLine(at, test.fullName, test.failureMessages[0]));
    // A file that could not be loaded, or whose set-up failed, contains no failed test.
    if (status === 'failed' && !failedTests.length) {
      counts.failed += 1;
      failures.push(inOneLine(at, 'could not be loaded or set up', message));
    }
  }
  if (!success && !counts.failed) counts.failed += 1;
  return { counts, failures };
}

function inOneLine(file, test, message = '') {
  const [first = ''] = stripVTControlCharacters(message).split('\n');
  return `${file}: ${test}: ${first.slice(0, 200)}`;
}
