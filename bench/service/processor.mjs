import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const ticksPerSecond = Number(safely(() => execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' })) ?? 100);

/**
 * Returns the processor time used so far by a process and its live children. Undefined without /proc.
 *
 * @param {number} pid
 * @returns {number | undefined} Milliseconds.
 */
export function processorMs(pid) {
  const own = statOf(pid);
  if (!own) return undefined;
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => statOf(Number(name)))
    .filter((stat) => stat?.parent === pid);
  const ticks = [own, ...children].reduce((sum, stat) => sum + (stat?.ticks ?? 0), own.endedTicks);
  return (ticks / ticksPerSecond) * 1000;
}

/** @param {number} pid */
function statOf(pid) {
  const text = safely(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  if (text === undefined) return undefined;
  // The name, in parentheses, may contain spaces: proc(5). Then state, parent, …
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [, parent = 0] = fields;
  const [own = 0, ownSystem = 0, ended = 0, endedSystem = 0] = fields.slice(11, 15);
  return { parent, ticks: own + ownSystem, endedTicks: ended + endedSystem };
}

/** @template Value @param {() => Value} act @returns {Value | undefined} */
function safely(act) {
  try {
    return act();
  } catch {
    return undefined;
  }
}
