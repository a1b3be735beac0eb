// A reporter for vitest that shows where the time of a run went: seconds of each project, and of its slowest files.
// Workers share the processors, so the seconds add up to more than the run takes.

const LISTED_FILES = 20;

/** @typedef {{ name: string, tests: number, load: number, hooks: number, running: number }} Row Durations in seconds. */

export default class Timings {
  /** @type {Map<string, Row>} */
  #projects = new Map();
  /** @type {Row[]} */
  #files = [];

  onTestModuleEnd(module) {
    const { environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration } = module.diagnostic();
    const tests = [...module.children.allTests()];
    const running = tests.reduce((sum, test) => sum + (test.diagnostic()?.duration ?? 0), 0) / 1000;
    const row = {
      name: module.relativeModuleId,
      tests: tests.length,
      load: (environmentSetupDuration + prepareDuration + collectDuration + setupDuration) / 1000,
      hooks: Math.max(0, duration / 1000 - running),
      running,
    };
    this.#files.push(row);
    const { name } = module.project;
    this.#projects.set(name, sum(this.#projects.get(name) ?? { name, tests: 0, load: 0, hooks: 0, running: 0 }, row));
  }

  onTestRunEnd() {
    if (this.#files.length < 2) return;
    const slowest = this.#files.toSorted((one, other) => totalOf(other) - totalOf(one)).slice(0, LISTED_FILES);
    console.log(`\n${table('project', [...this.#projects.values()])}\n\n${table('slowest files', slowest)}`);
  }
}

/** @param {Row} total @param {Row} row @returns {Row} */
function sum(total, { tests, load, hooks, running }) {
  return {
    name: total.name,
    tests: total.tests + tests,
    load: total.load + load,
    hooks: total.hooks + hooks,
    running: total.running + running,
  };
}

/** @param {Row} row */
function totalOf({ load, hooks, running }) {
  return load + hooks + running;
}

/** @param {string} title @param {Row[]} rows */
function table(title, rows) {
  const cells = rows.map((row) => [
    row.name,
    String(row.tests),
    ...[row.load, row.hooks, row.running, totalOf(row)].map((seconds) => seconds.toFixed(1)),
  ]);
  const lines = [[title, 'tests', 'loading', 'set-up', 'tests (s)', 'all (s)'], ...cells];
  const width = Math.max(...lines.map(([name = '']) => name.length));
  return lines
    .map(([name = '', ...rest]) => name.padEnd(width) + rest.map((cell) => cell.padStart(11)).join(''))
    .join('\n');
}
