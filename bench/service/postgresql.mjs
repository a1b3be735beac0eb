import { spawn, spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findPostgresql } from '../../scripts/find-postgresql.mjs';
import { requireOfService } from './of-service.mjs';

/**
 * @typedef {object} Cluster
 * @property {number} pid Of its first process, whose children are the others.
 * @property {string} version
 * @property {string} logFile
 * @property {(database: string) => string} url
 * @property {() => Promise<void>} stop
 */

const pg = requireOfService('pg');
/** As the programs refuse to run as root, these may have their files instead. */
const unprivileged = ['postgres', 'nobody'];
/**
 * Runs PostgreSQL until its standard input closes, which it also does when this process is killed, and then removes the
 * folder. $1: the folder. The rest: the command. What it prints first is the server's process.
 */
const watched =
  'folder=$1; shift; "$@" & server=$!; echo $server; cat > /dev/null; kill -INT $server; wait $server; rm -rf "$folder"';

/**
 * Starts a PostgreSQL of its own in a temporary folder, at a socket in that folder. Its settings are PostgreSQL's
 * defaults: it syncs to disk at each commit.
 *
 * @returns {Promise<Cluster>}
 */
export async function startCluster() {
  const programs = findPostgresql();
  if (!programs) {
    throw new Error(
      'No PostgreSQL found: install its server (Debian: postgresql), or name its folder in WHORL_POSTGRESQL.',
    );
  }
  const folder = mkdtempSync(join(tmpdir(), 'whorl-bench-'));
  const owner = ownerOf(folder);
  const data = join(folder, 'data');
  const initialise = ['-D', data, '--auth=trust', '--username=postgres', '--encoding=UTF8', '--locale=C'];
  const { status, stderr } = spawnSync(join(programs, 'initdb'), initialise, { ...owner, encoding: 'utf8' });
  if (status !== 0) throw new Error(`initdb did not succeed: ${stderr}`);
  const logFile = join(folder, 'log');
  const server = [join(programs, 'postgres'), '-D', data, '-k', folder, '-c', 'listen_addresses='];
  const child = spawn('sh', ['-c', watched, 'sh', folder, ...server], {
    ...owner,
    stdio: ['pipe', 'pipe', openSync(logFile, 'a')],
  });
  const pid = await new Promise((resolve) => child.stdout?.once('data', (line) => resolve(Number(line))));
  const url = (/** @type {string} */ database) => `postgresql://postgres@${encodeURIComponent(folder)}/${database}`;
  await untilItAnswers(url('postgres'), child);
  const stop = async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.stdin?.end();
    await ended;
  };
  const [row] = await query(url('postgres'), 'show server_version');
  return { pid, version: String(row?.server_version), logFile, url, stop };
}

/**
 * One statement on a connection of its own.
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

/** Whose PostgreSQL's processes are: as root it refuses to run. @param {string} folder @returns {{ uid?: number, gid?: number, cwd: string }} */
export function ownerOf(folder) {
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

/** @param {string} url @param {import('node:child_process').ChildProcess} child */
export async function untilItAnswers(url, child) {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`PostgreSQL ended at once, with status ${child.exitCode}.`);
    try {
      await query(url, 'select 1');
      return;
    } catch {
      await pause(50);
    }
  }
}
