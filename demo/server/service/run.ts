import { type ChildProcess, spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { serviceProgram, withParentFile } from '../folders.js';

/** The service may run for months, and talk. */
const LONGEST_KEPT = 8192;

/** The end of a process, and the last that it said. */
export interface Outcome {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** A command of `whorl-service` that is under way. */
export interface Running {
  readonly process: ChildProcess;
  /** When it has ended. */
  readonly outcome: Promise<Outcome>;
}

/**
 * Starts a command of `whorl-service` in a process of its own, which ends with this one. Its group is its own too: Ctrl-C
 * comes to us alone, and we end it in our own time.
 */
export function startCommand(args: readonly string[], environment: Readonly<Record<string, string>>): Running {
  const program = ['--import', pathToFileURL(withParentFile).href, serviceProgram, ...args];
  const child = spawn(process.execPath, program, {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { PATH: process.env.PATH, ...environment },
  });
  let output = '';
  let errors = '';
  child.stdout?.on('data', (text) => {
    output = tail(output + text);
  });
  child.stderr?.on('data', (text) => {
    errors = tail(errors + text);
  });
  const outcome = new Promise<Outcome>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output, errors }));
  });
  return { process: child, outcome };
}

function tail(text: string): string {
  return text.slice(-LONGEST_KEPT);
}
