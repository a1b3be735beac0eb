import { execFile, spawn } from 'node:child_process';
import { existsSync, openSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/**
 * @typedef {object} Running
 * @property {string} url
 * @property {number} pid
 * @property {() => Promise<void>} stop
 */

/** @typedef {Readonly<Record<string, string>>} Environment What an operator sets. */

/** WHORL_SERVICE_MAIN, if set, names another build to measure. */
const main = process.env.WHORL_SERVICE_MAIN ?? fileURLToPath(new URL('../../service/dist/main.js', import.meta.url));
/** Its name. */
export const project = 'bench';
/** No request of a benchmark is to be turned away. */
const raisedLimits = { secret_per_second: 1_000_000, publishable_per_second: 1_000_000, publishable_burst: 1_000_000 };
const run = promisify(execFile);

export function assertBuilt() {
  if (existsSync(main)) return;
  throw new Error('The service is not built: run "npm run build && npm run --workspace service build" first.');
}

/**
 * Makes the project that the load is for, by the service's own command line, and raises its rate limits.
 *
 * @param {Environment} environment
 * @returns {Promise<string>} Its secret key.
 */
export async function makeProject(environment) {
  const created = await command(environment, 'project', 'create', '--name', project);
  const key = /\bsk_live_\w+/.exec(created)?.[0];
  if (!key) throw new Error('The command line showed no key of the project that it made.');
  await command(environment, 'settings', 'set', 'rate_limits', JSON.stringify(raisedLimits), '--project', project);
  return key;
}

/** The statement that finds the world of the project's live keys. */
export const selectWorld = `select w.id from worlds w join projects p on p.id = w.project_id
  where p.name = '${project}' and w.mode = 'live'`;

/**
 * Starts the service as one process, as it was built.
 *
 * @param {Environment} environment
 * @param {{ logFile: string, nodeOptions?: readonly string[] }} options
 * @returns {Promise<Running>}
 */
export function startService(environment, { logFile, nodeOptions = [] }) {
  return startListening([...nodeOptions, main, 'start'], {
    // A start leaves a link to the dashboard in the data folder, also with DATABASE_URL.
    environment: { DATA_FOLDER: dirname(logFile), ...environment, HOST: '127.0.0.1', PORT: '0' },
    logFile,
  });
}

/**
 * Starts a program of Node that tells where it listens in a line of its standard output, as JSON with `url`.
 *
 * @param {string[]} args
 * @param {{ environment: Environment, logFile: string }} options
 * @returns {Promise<Running>}
 */
export async function startListening(args, { environment, logFile }) {
  const log = openSync(logFile, 'w');
  const child = spawn(process.execPath, args, { env: { ...process.env, ...environment }, stdio: ['ignore', log, log] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  for (;;) {
    const url = /"url":"(http:[^"]+)"/.exec(readFileSync(logFile, 'utf8'))?.[1];
    if (url) return { url, pid: Number(child.pid), stop };
    if (child.exitCode !== null) throw new Error(`It ended at once: ${readFileSync(logFile, 'utf8')}`);
    await pause(50);
  }
}

/**
 * Runs a command of the service's command line to its end, and answers what it printed.
 *
 * @param {Environment} environment
 * @param {string[]} args
 */
export async function command(environment, ...args) {
  const { stdout } = await run(process.execPath, [main, ...args], { env: { ...process.env, ...environment } });
  return stdout;
}
