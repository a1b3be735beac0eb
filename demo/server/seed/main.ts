import { readOptions } from '../options.js';
import { StartError } from '../start-error.js';
import { type Seeded, seed } from './seed.js';

/**
 * Returns a function that prints the progress and an estimate of the time left: on one line of a terminal, otherwise each
 * tenth on its own line, which suits log files.
 */
function createProgress(): (passed: number) => void {
  const { isTTY } = process.stdout;
  const steps = isTTY ? 100 : 10;
  const startedAt = performance.now();
  let printed = 0;
  return (passed) => {
    const step = Math.floor(passed * steps);
    if (step <= printed) return;
    printed = step;
    const leftMs = ((performance.now() - startedAt) / passed) * (1 - passed);
    const text = `${Math.round((step / steps) * 100)}%${passed < 1 ? `, ${durationOf(leftMs)} left` : ''}`;
    if (!isTTY) console.log(text);
    else process.stdout.write(`\r${text.padEnd(40)}${passed < 1 ? '' : '\n'}`);
  };
}

function durationOf(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return seconds < 100 ? `about ${Math.ceil(seconds / 10) * 10} seconds` : `about ${Math.ceil(seconds / 60)} minutes`;
}

function describe({ isNew, from, to, made }: Seeded): string {
  const lines = Object.entries(made).map(([name, count]) => `  ${String(count).padStart(6)}  ${name}`);
  const first = isNew
    ? `Created history from ${from.slice(0, 10)} to ${to.slice(0, 10)}:`
    : `The history from ${from.slice(0, 10)} to ${to.slice(0, 10)} already exists. Nothing was added:`;
  return [first, ...lines, 'Run "npm run demo" to see it.'].join('\n');
}

try {
  console.log('Creating the history. This takes 1 to 8 minutes, depending on the machine …');
  console.log(describe(await seed(readOptions(process.env), createProgress())));
} catch (error) {
  console.error(error instanceof StartError ? error.message : error);
  process.exitCode = 1;
}
