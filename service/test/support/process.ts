import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { DatabaseOptions } from '../../src/store/database.js';
import { compiledMain } from './compile.js';
import { waitFor } from './wait-for.js';

const START_TIMEOUT_MS = 120_000;
const SECRET = 'a master secret that only tests know';

export interface Finished {
  /** Null where a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ServiceProcess {
  readonly url: string;
  readonly pid: number;
  stdout(): string;
  stderr(): string;
  /** Sends the signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<Finished>;
  signal(signal: NodeJS.Signals): void;
  readonly finished: Promise<Finished>;
}

type Environment = Readonly<Record<string, string>>;

/** The variables that name a database. */
export function environmentFor(database: DatabaseOptions): Environment {
  return database.kind === 'embedded'
    ? { DATA_FOLDER: database.folder }
    : { DATABASE_URL: database.url, WHORL_SECRET: SECRET };
}

/** Runs a command line to its end, as a process of its own. */
export async function runProcess(args: readonly string[], environment: Environment): Promise<Finished> {
  return (await launch(args, environment)).finished;
}

/** Starts the service as a process of its own, on any free port, and waits until it listens. */
export async function startProcess(environment: Environment): Promise<ServiceProcess> {
  const launched = await launch(['start'], environment);
  let isOver = false;
  void launched.finished.then(() => {
    isOver = true;
  });
  const url = () => /"url":"(http[^"]+)"/.exec(launched.stdout())?.[1];
  await waitFor(() => isOver || url() !== undefined, { what: 'the service to listen', timeoutMs: START_TIMEOUT_MS });
  const address = url();
  if (address === undefined) throw new Error(`The service did not start: ${(await launched.finished).stderr}`);
  return { ...launched, url: address };
}

/** Starts it, and does not wait. */
export async function launch(args: readonly string[], environment: Environment): Promise<Omit<ServiceProcess, 'url'>> {
  const child = spawn(process.execPath, [await compiledMain(), ...args], {
    env: { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stdout = collect(child, 'stdout');
  const stderr = collect(child, 'stderr');
  const finished = once(child, 'close').then(
    ([code]): Finished => ({ code: typeof code === 'number' ? code : null, stdout: stdout(), stderr: stderr() }),
  );
  const signal = (name: NodeJS.Signals) => void child.kill(name);
  return {
    pid: child.pid ?? 0,
    stdout,
    stderr,
    signal,
    finished,
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
