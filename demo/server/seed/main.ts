import { readOptions } from '../options.js';
import { StartError } from '../start-error.js';
import { type Seeded, seed } from './seed.js';

/** Returns a function that prints each tenth of the progress on its own line, which suits log files. */
function createProgress(): (passed: number) => void {
  let printed = 0;
  return (passed) => {
    const tenths = Math.floor(passed * 10);
    if (tenths <= printed) return;
    printed = tenths;
    console.log(`${tenths * 10} %`);
  };
}

function describe({ isNew, from, to, made }: Seeded): string {
  const lines = Object.entries(made).map(([name, count]) => `  ${String(count).padStart(6)}  ${name}`);
  const first = isNew
    ? `Created history from ${from.slice(0, 10)} to ${to.slice(0, 10)}:`
    : `The history from ${from.slice(0, 10)} to ${to.slice(0, 10)} already exists. Nothing was added:`;
  return [first, ...lines, 'Run "npm run demo" to see it.'].join('\n');
}

try {
  console.log('Creating the history, which takes about a minute …');
  console.log(describe(await seed(readOptions(process.env), createProgress())));
} catch (error) {
  console.error(error instanceof StartError ? error.message : error);
  process.exitCode = 1;
}
