// Runs the steps of `npm test`, several at a time, and counts their results.
import { availableParallelism } from 'node:os';

/**
 * @typedef {{ passed: number, failed: number, skipped: number }} Counts
 * @typedef {(output: Buffer | string) => void} Print
 * @typedef {object} Step
 * @property {string} name
 * @property {string} title
 * @property {string[]} [needs] Steps that must succeed first. If one fails, this step is skipped.
 * @property {string[]} [after] Steps that must end first, however they end.
 * @property {boolean} [live] Prints its output immediately, and takes no processor from the other steps' share, because
 *   it shares out the processors itself. Other steps print theirs when they are done.
 * @property {(print: Print) => Promise<boolean | Counts>} run
 */

/**
 * Runs each step as soon as those that it waits for have ended, in the given order, one for each processor at a time. A
 * step that fails does not stop the others. Names of steps that are not in the list count as ended and successful: an
 * earlier run has provided what they do.
 *
 * @param {readonly Step[]} steps
 * @param {{ onResult: (step: Step, counts: Counts, seconds: { from: number, to: number }) => void }} options
 */
export async function runSteps(steps, { onResult }) {
  const waiting = [...steps];
  const unfinished = new Set(steps.map(({ name }) => name));
  const unsuccessful = new Set();
  const running = new Set();
  let free = Math.max(2, availableParallelism());
  const isReady = ({ needs = [], after = [], live }) =>
    (live || free > 0) && ![...needs, ...after].some((name) => unfinished.has(name));
  const start = (step) => {
    const from = process.uptime();
    waiting.splice(waiting.indexOf(step), 1);
    if (!step.live) free -= 1;
    const run = runStep(step, unsuccessful).then((counts) => {
      if (!step.live) free += 1;
      unfinished.delete(step.name);
      if (counts.failed || !counts.passed) unsuccessful.add(step.name);
      running.delete(run);
      onResult(step, counts, { from, to: process.uptime() });
    });
    running.add(run);
  };
  while (waiting.length || running.size) {
    for (let step = waiting.find(isReady); step; step = waiting.find(isReady)) start(step);
    if (!running.size) throw new Error(`Steps that wait for each other: ${waiting.map(({ name }) => name).join(', ')}`);
    await Promise.race(running);
  }
}

/**
 * Runs a step, or skips it. Never throws, so that the last line is always printed.
 *
 * @param {Step} step
 * @param {ReadonlySet<string>} unsuccessful
 * @returns {Promise<Counts>}
 */
async function runStep({ title, needs = [], live, run }, unsuccessful) {
  /** @type {(Buffer | string)[]} */
  const output = live ? [] : [`\n== ${title}\n`];
  const print = (text) => (live ? process.stdout.write(text) : output.push(text));
  const missing = needs.find((name) => unsuccessful.has(name));
  if (live) print(`\n== ${title}\n`);
  if (missing) print(`Skipped: it needs the step "${missing}", which failed.\n`);
  const counts = missing ? { passed: 0, failed: 0, skipped: 1 } : toCounts(await resultOf(run, print));
  process.stdout.write(Buffer.concat(output.map((text) => Buffer.from(text))));
  return counts;
}

async function resultOf(run, print) {
  try {
    return await run(print);
  } catch (error) {
    print(`${error instanceof Error ? error.stack : error}\n`);
    return false;
  }
}

/** @returns {Counts} */
function toCounts(result) {
  return typeof result === 'boolean' ? { passed: Number(result), failed: Number(!result), skipped: 0 } : result;
}
