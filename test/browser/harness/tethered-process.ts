import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { until } from './until.js';

export interface TetheredProcess {
  readonly pid: number;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** File descriptor 3, for programs that report on it. */
  readonly report: Readable;
  running(): boolean;
  /** Ends the process group and resolves once all of its processes have ended. */
  end(): Promise<void>;
}

/**
 * The shell holds the end of a pipe from us. When we die, however that happens (a killed vitest worker runs no exit
 * handler), the pipe closes and the shell ends its process group. A signal to the shell ends the program alone, so that
 * the program's own helpers can finish: a browser's storage process writes to the disk until the end.
 */
const LEASH = `
exec 4<&0
"$@" 4<&- </dev/null &
child=$!
(read -r never <&4; kill -TERM 0) >/dev/null 2>&1 3>&- &
watch=$!
trap 'kill $child' TERM
wait $child
wait $child
kill $watch
wait
`;

/** Starts a program that cannot outlive this process. */
export function startTethered(command: string, args: string[], environment = process.env): TetheredProcess {
  const child = spawn('/bin/sh', ['-c', LEASH, 'sh', command, ...args], {
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    env: environment,
  });
  const { pid, stdout, stderr } = child;
  const report = child.stdio[3];
  if (pid === undefined || !stdout || !stderr || !isReadable(report))
    throw new Error(`${command} could not be started`);
  // The pipes must not keep Node running, so that a forgotten process ends with it.
  child.unref();
  return {
    pid,
    stdout,
    stderr,
    report,
    running: () => child.exitCode === null && child.signalCode === null,
    end: () => endGroup(child, pid),
  };
}

async function endGroup(child: ChildProcess, group: number): Promise<void> {
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  // The list of all processes is long, so it is searched only once the leader has ended.
  const ended = () => (isRunning() || isAlive(group) ? undefined : true);
  const steps: [process: number, signal: NodeJS.Signals, timeoutMs: number][] = [
    [group, 'SIGTERM', 5_000],
    [-group, 'SIGTERM', 2_000],
    [-group, 'SIGKILL', 60_000],
  ];
  let failure: unknown;
  for (const [process, name, timeoutMs] of steps) {
    signal(process, name);
    try {
      await until(`The end of process group ${group}`, ended, { timeoutMs });
      for (const stream of child.stdio) stream?.destroy();
      return;
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

/** Sends a signal. A negative number is a process group. */
function signal(target: number, name: NodeJS.Signals): void {
  try {
    process.kill(target, name);
  } catch {
    // No process is left.
  }
}

/** Reads /proc, because a signal cannot distinguish zombie processes (as in a container without an init). */
function isAlive(group: number): boolean {
  return readdirSync('/proc').some((entry) => {
    if (!/^\d+$/.test(entry)) return false;
    try {
      // pid (name) state parent group …; the name can contain spaces and parentheses.
      const [state, , ofGroup] = readFileSync(`/proc/${entry}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ');
      return Number(ofGroup) === group && state !== 'Z' && state !== 'X';
    } catch {
      return false;
    }
  });
}

function isReadable(stream: unknown): stream is Readable {
  return typeof stream === 'object' && stream !== null && 'read' in stream;
}
