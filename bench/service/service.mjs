import { execFile, spawn } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
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

/** @typedef {Readonly<Record<string, string>>} Environment The operator's settings. */

const built = fileURLToPath(new URL('../../service/dist/main.js', import.meta.url));
/** Returns the path of the built service. WHORL_SERVICE_MAIN selects another build. @param {Environment} environment */
const mainOf = (environment) => environment.WHORL_SERVICE_MAIN ?? process.env.WHORL_SERVICE_MAIN ?? built;
/** The project's name. */
export const project = 'bench';
/** Limits that no request of a benchmark reaches. */
const raisedLimits = { secret_per_second: 1_000_000, publishable_per_second: 1_000_000, publishable_burst: 1_000_000 };
const run = promisify(execFile);

/**
 * Creates a project for the load with the service's command line, and raises its rate limits.
 *
 * @param {Environment} environment
 * @param {{ name?: string, settings?: Readonly<Record<string, unknown>> }} options `settings`: more of them to change.
 * @returns {Promise<string>} Its secret key.
 */
export async function makeProject(environment, { name = project, settings = {} } = {}) {
  const created = await command(environment, 'project', 'create', '--name', name);
  const key = /\bsk_live_\w+/.exec(created)?.[0];
  if (!key) throw new Error('The command line did not print the key of the new project.');
  for (const [setting, value] of Object.entries({ rate_limits: raisedLimits, ...settings })) {
    await command(environment, 'settings', 'set', setting, JSON.stringify(value), '--project', name);
  }
  return key;
}

/** The statement that finds the world of the project's live keys. */
export const selectWorld = `select w.id from worlds w join projects p on p.id = w.project_id
  where p.name = '${project}' and w.mode = 'live'`;

/**
 * Starts the built service as one process.
 *
 * @param {Environment} environment
 * @param {{ logFile: string, nodeOptions?: readonly string[] }} options
 * @returns {Promise<Running>}
 */
export function startService(environment, { logFile, nodeOptions = [] }) {
  return startListening([...nodeOptions, mainOf(environment), 'start'], {
    // The service writes a link to the dashboard into the data folder at its start, even with DATABASE_URL.
    environment: { DATA_FOLDER: dirname(logFile), PORT: '0', ...environment, HOST: '127.0.0.1' },
    logFile,
  });
}

/**
 * Starts a Node program that prints its address as a line of JSON with `url`.
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
    if (child.exitCode !== null) throw new Error(`The process exited immediately: ${readFileSync(logFile, 'utf8')}`);
    await pause(50);
  }
}

/**
 * Runs a command of the service's command line, and returns its output.
 *
 * @param {Environment} environment
 * @param {string[]} args
 */
export async function command(environment, ...args) {
  const { stdout } = await run(process.execPath, [mainOf(environment), ...args], {
    env: { ...process.env, ...environment },
  });
  return stdout;
}
