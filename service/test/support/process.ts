import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseOptions } from '../../src/testing.js';
import { compiledMain } from './compile.js';
import { locationOf } from './databases.js';
import { engineOptions } from './engine-options.js';
import { waitFor } from './wait-for.js';

const START_TIMEOUT_MS = 120_000;
const SECRET = 'a master secret that only tests know';
/** Reading the databases of addresses takes longer than many tests. Tests about addresses set their own. */
const fixed = { HOST: '127.0.0.1', PORT: '0', ADDRESS_DATABASES: 'none' };

/** Finds the secret key of the live world in the keys that a first start writes or shows. */
export const LIVE_SECRET = /live, secret +(sk_live_\S+)/;

export interface Finished {
  /** Exit code. Null if a signal ended the process. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ServiceProcess {
  readonly url: string;
  readonly pid: number;
  stdout(): string;
  stderr(): string;
  /** Sends a signal and waits until the process has ended. */
  end(signal: NodeJS.Signals): Promise<Finished>;
  signal(signal: NodeJS.Signals): void;
  readonly finished: Promise<Finished>;
  /** Files that the start wrote to the data folder: the keys of the first project, and a set-up link. */
  readonly left: { keys(): string; link(): string };
}

type Environment = Readonly<Record<string, string>>;

/** Returns the environment variables that select a database. */
export function environmentFor(database: DatabaseOptions): Environment {
  return { ...locationOf(database), ...(database.kind === 'postgresql' && { WHORL_SECRET: SECRET }) };
}

/** Whether a process can be run in a terminal: requires script(1) of util-linux. */
export const canBeTerminal =
  spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') ?? false;

export interface ProcessOptions {
  /** Whether the standard streams are a terminal. Default: false. */
  readonly atTerminal?: boolean;
  /** Text on its standard input. Default: none. */
  readonly input?: string;
  /** File or device to which its standard output goes. Default: it is collected. */
  readonly outputTo?: string;
  /** Capabilities to drop (setpriv(1)) if the tests run as root. Default: none. */
  readonly without?: readonly string[];
}

/** Runs a command of the service in its own process and waits until it ends. */
export async function runProcess(
  args: readonly string[],
  environment: Environment,
  options: ProcessOptions = {},
): Promise<Finished> {
  return (await launch(args, environment, options)).finished;
}

/** Starts the service in its own process, on any free port, and waits until it listens. */
export async function startProcess(environment: Environment, options: ProcessOptions = {}): Promise<ServiceProcess> {
  const launched = await launch(['start'], environment, options);
  let hasEnded = false;
  void launched.finished.then(() => {
    hasEnded = true;
  });
  const url = () => /"url":"(http[^"]+)"/.exec(launched.stdout())?.[1];
  await waitFor(() => hasEnded || url() !== undefined, { what: 'the service to listen', timeoutMs: START_TIMEOUT_MS });
  const address = url();
  if (address === undefined) throw new Error(`The service did not start: ${(await launched.finished).stderr}`);
  return { ...launched, url: address };
}

/** Starts the service without waiting until it listens. */
export async function launch(
  args: readonly string[],
  environment: Environment,
  { without = [], atTerminal = false, input, outputTo }: ProcessOptions = {},
): Promise<Omit<ServiceProcess, 'url'>> {
  const spare = await mkdtemp(join(tmpdir(), 'whorl-process-'));
  const folder = environment.DATA_FOLDER ?? spare;
  const bounds = without.map((right) => `-${right}`).join(',');
  const isBound = bounds !== '' && process.getuid?.() === 0;
  const before = isBound ? ['setpriv', '--bounding-set', bounds, '--'] : [];
  const plain = [...before, process.execPath, ...engineOptions, await compiledMain(), ...args];
  const [program = '', ...words] = atTerminal ? ['script', '-qec', `exec ${plain.join(' ')}`, '/dev/null'] : plain;
  const output = outputTo === undefined ? undefined : openSync(outputTo, 'a');
  const child = spawn(program, words, {
    env: { ...fixed, PATH: process.env.PATH, DATA_FOLDER: folder, ...environment },
    stdio: [input === undefined ? 'ignore' : 'pipe', output ?? 'pipe', 'pipe'],
  });
  if (output !== undefined) closeSync(output);
  child.stdin?.end(input);
  const stdout = collect(child, 'stdout');
  const stderr = collect(child, 'stderr');
  const finished = once(child, 'close').then(
    ([code]): Finished => ({ code: typeof code === 'number' ? code : null, stdout: stdout(), stderr: stderr() }),
  );
  const signal = (name: NodeJS.Signals) => void child.kill(name);
  void finished.then(() => rm(spare, { recursive: true, force: true }));
  return {
    pid: child.pid ?? 0,
    stdout,
    stderr,
    signal,
    finished,
    left: {
      keys: () => readFileSync(join(folder, 'first-keys.txt'), 'utf8'),
      link: () => readFileSync(join(folder, 'set-up-link.txt'), 'utf8'),
    },
    end(name) {
      signal(name);
      return finished;
    },
  };
}

function collect(child: ChildProcess, name: 'stdout' | 'stderr'): () => string {
  let text = '';
  child[name]?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  return () => text;
}
