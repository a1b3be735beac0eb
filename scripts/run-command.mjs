// Runs a command for a step of `npm test`, and prints its output there.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';

/**
 * @param {import('./run-steps.mjs').Print} print
 * @param {string[]} command
 * @param {{ cwd: string, env: NodeJS.ProcessEnv, niceness?: number }} options
 * @returns {Promise<number | null>} The exit code, or null if there is none.
 */
export async function runCommand(print, [name, ...args], { cwd, env, niceness = 0 }) {
  const child = spawn(name, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr]) stream.on('data', print);
  try {
    if (niceness && child.pid) setPriority(child.pid, niceness);
    const [code] = await once(child, 'close');
    return code;
  } catch (error) {
    print(`${error}\n`);
    return null;
  }
}
