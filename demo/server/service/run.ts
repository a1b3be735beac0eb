import { type ChildProcess, spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { serviceProgram, withParentFile } from '../folders.js';
import { StartError } from '../start-error.js';

export type Environment = Readonly<Record<string, string>>;

/** Limits the memory for the output, because the service may run for months. */
const MAX_OUTPUT_LENGTH = 8192;

/** The exit status of a process, with the end of its output. */
export interface Outcome {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** A running command of `whorl-service`. */
export interface Running {
  readonly process: ChildProcess;
  readonly outcome: Promise<Outcome>;
}

/**
 * Starts a command of `whorl-service` in a separate process, which ends with this one. It has its own process group,
 * so Ctrl-C reaches only this process, which then shuts the command down. Node's options apply to both.
 */
export function startCommand(args: readonly string[], environment: Environment): Running {
  const options = [...process.execArgv, '--import', pathToFileURL(withParentFile).href];
  const program = [...options, serviceProgram, ...args];
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

/** Runs a command of `whorl-service` and returns its output. @throws StartError with its errors. */
export async function command(args: readonly string[], environment: Environment): Promise<string> {
  const { code, output, errors } = await startCommand(args, environment).outcome;
  if (code !== 0) throw new StartError(`whorl-service ${args.slice(0, 2).join(' ')} failed: ${errors.trim()}`);
  return output;
}

function tail(text: string): string {
  return text.slice(-MAX_OUTPUT_LENGTH);
}
