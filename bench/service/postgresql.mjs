import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findPostgresql } from '../../scripts/find-postgresql.mjs';
import { requireFromService } from './of-service.mjs';

const pg = requireFromService('pg');
/** The owner of the files, because PostgreSQL refuses to run as root. */
const unprivileged = ['postgres', 'nobody'];
/** PostgreSQL's shutdown modes and their signals. */
const signals = /** @type {const} */ ({ fast: 'SIGINT', immediate: 'SIGQUIT' });
/**
 * Runs PostgreSQL until its standard input closes, which also happens when this process is killed. $1: a folder to
 * remove afterwards, or nothing. The rest: the command. The first output is the server's process id.
 */
const watched =
  'folder=$1; shift; "$@" & server=$!; echo $server; cat > /dev/null; kill -INT $server 2> /dev/null; wait $server; [ -z "$folder" ] || rm -rf "$folder"';

/** @typedef {Awaited<ReturnType<typeof startCluster>>} Cluster */

/**
 * Starts a separate PostgreSQL in a temporary folder, with its socket in that folder. It uses PostgreSQL's default
 * settings and syncs to disk at each commit.
 */
export async function startCluster() {
  const cluster = makeCluster(mkdtempSync(join(tmpdir(), 'whorl-bench-')), { isTemporary: true });
  const { url, logFile } = cluster;
  /** The ID of the main process, the parent of the others. */
  const pid = await cluster.start();
  return { pid, version: await cluster.version(), logFile, url, stop: () => cluster.stop('fast') };
}

/** @typedef {ReturnType<typeof makeCluster>} StoppableCluster A PostgreSQL that can be stopped and started. */

/**
 * Creates a cluster in a folder with PostgreSQL's defaults and the given settings. It syncs to disk at each commit.
 *
 * @param {string} folder
 * @param {{ settings?: Readonly<Record<string, string>>, isTemporary?: boolean, backup?: string }} [options] `isTemporary`:
 *   whether the folder is removed when it stops. `backup`: a base backup to start from, instead of an empty cluster.
 */
export function makeCluster(folder, { settings = {}, isTemporary = false, backup } = {}) {
  const programs = findPostgresql();
  if (!programs) throw new Error('No PostgreSQL found: run "npm run setup:postgresql" first.');
  const owner = ownerOf(folder);
  const data = join(folder, 'data');
  const args = ['-D', data, '--auth=trust', '--username=postgres', '--encoding=UTF8', '--locale=C'];
  const [program, ...rest] = backup ? ['cp', '-a', backup, data] : [join(programs, 'initdb'), ...args];
  const { status, stderr } = spawnSync(program, rest, { ...owner, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} failed: ${stderr}`);
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = [join(programs, 'postgres'), '-D', data, '-k', folder, '-c', 'listen_addresses=', ...options];
  const command = ['-c', watched, 'sh', isTemporary ? folder : '', ...server];
  const logFile = join(folder, 'log');
  const url = (/** @type {string} */ database) => `postgresql://postgres@${encodeURIComponent(folder)}/${database}`;
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let child;
  let pid = 0;
  return {
    url,
    logFile,
    /** Starts the server, and returns the ID of its main process. */
    async start() {
      const log = openSync(logFile, 'a');
      const started = spawn('sh', command, { ...owner, stdio: ['pipe', 'pipe', log] });
      closeSync(log);
      child = started;
      pid = await new Promise((resolve) => started.stdout?.once('data', (line) => resolve(Number(line))));
      await waitUntilReady(url('postgres'), { pid, logFile });
      return pid;
    },
    /** @param {keyof typeof signals} mode */
    async stop(mode) {
      const stopping = child;
      if (!stopping || stopping.exitCode !== null) return;
      const ended = once(stopping, 'exit');
      if (isProcessAlive(pid)) process.kill(pid, signals[mode]);
      stopping.stdin?.end();
      await ended;
    },
    /** Returns whether the main process is running. */
    isRunning: () => isProcessAlive(pid),
    version: async () => String((await query(url('postgres'), 'show server_version'))[0]?.server_version),
  };
}

/**
 * Runs one statement on a new connection.
 *
 * @param {string} url
 * @param {string} statement
 * @param {unknown[]} [values]
 * @returns {Promise<Record<string, unknown>[]>}
 */
export function query(url, statement, values) {
  return withClient(url, async (client) => (await client.query(statement, values)).rows);
}

/**
 * @template Value
 * @param {string} url
 * @param {(client: pg.Client) => Promise<Value>} act
 * @returns {Promise<Value>}
 */
export async function withClient(url, act) {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await act(client);
  } finally {
    await client.end();
  }
}

/**
 * Returns the owner of PostgreSQL's processes, because it refuses to run as root. @param {string} folder @returns {{
 * uid?: number, gid?: number, cwd: string }}
 */
function ownerOf(folder) {
  if (process.getuid?.() !== 0) return { cwd: folder };
  for (const name of unprivileged) {
    const [uid, gid] = ['-u', '-g'].map((flag) => Number(spawnSync('id', [flag, name]).stdout || Number.NaN));
    if (uid === undefined || gid === undefined || Number.isNaN(uid + gid)) continue;
    chownSync(folder, uid, gid);
    return { uid, gid, cwd: folder };
  }
  rmSync(folder, { recursive: true });
  throw new Error(`PostgreSQL does not run as root, and none of these users exists: ${unprivileged.join(', ')}`);
}

/** @param {string} url @param {{ pid: number, logFile: string }} server */
async function waitUntilReady(url, { pid, logFile }) {
  for (;;) {
    if (!isProcessAlive(pid)) throw new Error(`PostgreSQL ended immediately: ${readFileSync(logFile, 'utf8')}`);
    try {
      await query(url, 'select 1');
      return;
    } catch {
      await pause(50);
    }
  }
}

/** Returns whether a process is running. Zombies are not. @param {number} pid */
function isProcessAlive(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3) !== 'Z';
  } catch {
    return false;
  }
}
