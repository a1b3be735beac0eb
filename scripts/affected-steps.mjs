// Reads what has changed, for `npm test -- --changed`, and chooses the steps for it.
import { execFileSync } from 'node:child_process';
import { affectedTests } from './affected-tests.mjs';

/** Folders of the tests that each step runs. */
const testFolders = {
  unit: ['test/unit/', 'service/test/unit/'],
  vitest: ['test/browser/', 'service/test/http/', 'test/package/'],
};

/** Checks of the sources in each folder. */
const checks = [
  [/^src\//, ['build', 'sizes', 'types', 'service-types', 'imports', 'docs', 'api', 'publint', 'attw']],
  [/^service\//, ['service-types', 'imports']],
  [/^(?:service\/)?test\//, ['types']],
];
/** What tests in browsers, and of the package, use. */
const prepared = [
  ...['build', 'sizes', 'service', 'demo', 'site', 'examples'],
  ...['browsers', 'postgresql', 'languages', 'promtool'],
];

/**
 * Returns the files that differ from a commit (`--changed=<commit>`, default: HEAD), with those that are not in git, and
 * the tests that they can affect. Undefined without the option, or if that is every test.
 *
 * @param {string} root
 */
export function readAffected(root) {
  const option = process.argv.find((word) => /^--changed(?:=|$)/.test(word));
  if (!option) return undefined;
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
  const changed = [
    ...git('diff', '--name-only', option.slice('--changed='.length) || 'HEAD'),
    ...git('ls-files', '--others', '--exclude-standard'),
  ];
  const files = affectedTests(root, changed);
  return files && { changed, files };
}

/**
 * Returns the steps that check the changed files, or run and prepare their tests.
 *
 * @template {{ name: string }} Step
 * @param {{ changed: string[], files: string[] }} affected
 * @param {Step[]} steps
 */
export function affectedSteps({ changed, files }, steps) {
  const names = new Set(changed.length ? ['lint', 'spelling'] : []);
  const add = (more) => {
    for (const name of more) names.add(name);
  };
  for (const [pattern, more] of checks) if (changed.some((path) => pattern.test(path))) add(more);
  for (const [step, folders] of Object.entries(testFolders)) {
    if (files.some((path) => folders.some((folder) => path.startsWith(folder)))) add([step]);
  }
  if (files.some((path) => /^test\/(?:browser|package)\//.test(path))) add(prepared);
  const unknown = [...names].filter((name) => !steps.some((step) => step.name === name));
  if (unknown.length) throw new Error(`There are no steps of these names: ${unknown.join(', ')}`);
  return steps.filter(({ name }) => names.has(name));
}
