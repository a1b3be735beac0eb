// Runs every benchmark whose figures are in the docs, one after the other, and keeps what each prints.
//   npm run --silent --prefix bench all -- [--only cost,service] [--except risk] [--timed | --untimed] [--markdown]
//     [--out <folder>] [--limit 120]
// --list prints the steps. --timed chooses those whose figures are times: run them on a quiet machine. --limit is the
// number of minutes after which a step is stopped. The commands and results of each step are in <folder>/<step>.md, its
// progress in <step>.log, and the summary in summary.md. A step that fails does not stop the others.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { assertBuilt } from '../built.mjs';
import { formatTable } from '../cost/table.mjs';
import { loadAverage } from '../provenance.mjs';
import { runStep } from './run-step.mjs';
import { steps } from './steps.mjs';

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    except: { type: 'string', default: '' },
    timed: { type: 'boolean', default: false },
    untimed: { type: 'boolean', default: false },
    markdown: { type: 'boolean', default: false },
    out: { type: 'string' },
    limit: { type: 'string', default: '120' },
    list: { type: 'boolean', default: false },
  },
});

const chosen = choose();
if (options.list) {
  for (const { name, command, options: more = [], page } of chosen)
    console.log([name, command, ...more, page].join(' '));
  process.exit();
}
assertBuilt('package', 'service');
const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-');
const folder = options.out ?? fileURLToPath(new URL(`results/${stamp}`, import.meta.url));
mkdirSync(folder, { recursive: true });
const rows = [];
for (const step of chosen) {
  const before = loadAverage();
  const started = performance.now();
  console.log(`\n## ${step.name}\n`);
  const markdown = options.markdown && step.markdown;
  const { outcome, output } = await runStep(step, { folder, markdown, limitMinutes: Number(options.limit) });
  console.log(output.trim());
  const minutes = ((performance.now() - started) / 60_000).toFixed(1);
  rows.push([step.name, outcome, minutes, `${before}`, `${loadAverage()}`, step.page]);
  // After each step, so that an interrupted run has a summary too.
  writeFileSync(join(folder, 'summary.md'), `${summaryOf(rows, true)}\n`);
}
console.log(`\n## Summary\n\n${summaryOf(rows, options.markdown)}\n`);
console.error(`Everything is in ${folder}.`);
process.exitCode = rows.every(([, outcome]) => outcome === 'done') ? 0 : 1;

function choose() {
  const namesIn = (/** @type {string} */ text) => {
    const names = text.split(',').filter(Boolean);
    const unknown = names.filter((name) => steps.every((step) => step.name !== name));
    if (unknown.length) throw new Error(`No step ${unknown.join(', ')}. --list prints all.`);
    return names;
  };
  const only = options.only === undefined ? undefined : namesIn(options.only);
  const except = namesIn(options.except);
  return steps.filter(
    ({ name, timed }) =>
      (only?.includes(name) ?? true) &&
      !except.includes(name) &&
      !(options.timed && !timed) &&
      !(options.untimed && timed),
  );
}

/** @param {string[][]} lines @param {boolean} markdown */
function summaryOf(lines, markdown) {
  const heading = ['step', 'outcome', 'minutes', 'load before', 'load after', 'figures in docs/'];
  return formatTable([heading, ...lines], { markdown });
}
