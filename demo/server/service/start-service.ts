import { setTimeout as pause } from 'node:timers/promises';
import { StartError } from '../start-error.js';
import { type Environment, startCommand } from './run.js';

const START_LIMIT_MS = 120_000;
const POLL_MS = 100;

export interface RunningService {
  /** Resolves when the process has exited, for any reason, with a sentence that describes how. */
  readonly ended: Promise<string>;
  /** Lets the service finish open requests, and resolves when it has exited. */
  stop(): Promise<void>;
}

/**
 * Starts the service and waits until it is ready.
 *
 * @param url The URL on which it listens.
 * @throws StartError if it exits instead, or takes longer than two minutes.
 */
export async function startService(url: string, environment: Environment): Promise<RunningService> {
  const running = startCommand(['start'], environment);
  running.process.stderr?.pipe(process.stderr, { end: false });
  running.process.stdout?.pipe(process.stdout, { end: false });
  const ended = running.outcome.then(({ code, errors }) => errors.trim() || `It exited with code ${code}.`);
  const stop = async () => {
    running.process.kill('SIGTERM');
    await ended;
  };
  const isReady = await Promise.race([waitUntilReady(url), ended]);
  if (isReady === true) return { ended, stop };
  await stop();
  throw new StartError(
    typeof isReady === 'string'
      ? `The service did not start. ${isReady}`
      : `The service did not respond at ${url} within ${START_LIMIT_MS / 1000} seconds.`,
  );
}

async function waitUntilReady(url: string): Promise<boolean> {
  const end = Date.now() + START_LIMIT_MS;
  while (Date.now() < end) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    if (answer?.ok) return true;
    await pause(POLL_MS);
  }
  return false;
}
