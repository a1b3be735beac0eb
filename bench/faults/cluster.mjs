import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findPostgresql } from '../../scripts/find-postgresql.mjs';
import { ownerOf, query, untilItAnswers } from '../service/postgresql.mjs';

/** How PostgreSQL names its ways to stop, and the signals that ask for them. */
const signals = /** @type {const} */ ({ fast: 'SIGINT', immediate: 'SIGQUIT' });
/** Runs PostgreSQL until its standard input closes, which it also does when this process is killed. */
const watched = '"$@" & server=$!; echo $server; cat > /dev/null; kill -INT $server 2> /dev/null; wait $server';

/** @typedef {ReturnType<typeof makeCluster>} Cluster A PostgreSQL that is stopped and started. */

/**
 * Makes a cluster in a folder, with PostgreSQL's own defaults but for what is given; synced to disk at each commit.
 *
 * @param {string} folder
 * @param {Readonly<Record<string, string>>} [settings]
 */
export function makeCluster(folder, settings = {}) {
  const programs = findPostgresql();
  if (!programs) throw new Error('No PostgreSQL found: run "npm run setup:postgresql" first.');
  const owner = ownerOf(folder);
  const data = join(folder, 'data');
  const args = ['-D', data, '--auth=trust', '--username=postgres', '--encoding=UTF8', '--locale=C'];
  const { status, stderr } = spawnSync(join(programs, 'initdb'), args, { ...owner, encoding: 'utf8' });
  if (status !== 0) throw new Error(`initdb did not succeed: ${stderr}`);
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = [join(programs, 'postgres'), '-D', data, '-k', folder, '-c', 'listen_addresses=', ...options];
  const url = (/** @type {string} */ database) => `postgresql://postgres@${encodeURIComponent(folder)}/${database}`;
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let child;
  let pid = 0;
  return {
    folder,
    data,
    url,
    async start() {
      const log = openSync(join(folder, 'log'), 'a');
      const started = spawn('sh', ['-c', watched, 'sh', ...server], { ...owner, stdio: ['pipe', 'pipe', log] });
      closeSync(log);
      child = started;
      pid = await new Promise((resolve) => started.stdout?.once('data', (line) => resolve(Number(line))));
      await untilItAnswers(url('postgres'), started);
    },
    /** @param {keyof typeof signals} mode */
    async stop(mode) {
      const stopping = child;
      if (!stopping || stopping.exitCode !== null) return;
      const ended = once(stopping, 'exit');
      if (isThere(pid)) process.kill(pid, signals[mode]);
      stopping.stdin?.end();
      await ended;
    },
    /** Whether its first process is there. */
    isRunning: () => isThere(pid),
    version: async () => String((await query(url('postgres'), 'show server_version'))[0]?.server_version),
  };
}

/** Whether a process runs; one that has ended and nobody has asked for does not. @param {number} pid */
function isThere(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3) !== 'Z';
  } catch {
    return false;
  }
}
