import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const startTimeoutMs = 10_000;
/** Debian's folder for servers is not on the PATH of every user. */
const path = [process.env.PATH, '/usr/sbin'].filter(Boolean).join(delimiter);
const env = { ...process.env, PATH: path };

/** Returns the version of PgBouncer, such as "1.18.0". Undefined if it is not installed. */
export function pgbouncerVersion() {
  const { stdout } = spawnSync('pgbouncer', ['--version'], { env, encoding: 'utf8' });
  return /PgBouncer (\S+)/.exec(stdout ?? '')?.[1];
}

/**
 * Starts PgBouncer in transaction mode in front of a PostgreSQL that trusts local users.
 *
 * @param {string} server URL of the server, with its socket's folder as the host.
 * @param {{ poolSize?: number, settings?: Readonly<Record<string, string | number>> }} [options] `poolSize`: connections
 *   to each database. `settings`: further settings of PgBouncer.
 */
export async function startPgbouncer(server, { poolSize = 10, settings = {} } = {}) {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'whorl-pgbouncer-'));
  chmodSync(folder, 0o755);
  const { hostname, username } = new URL(server);
  const all = {
    pool_mode: 'transaction',
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'any',
    max_client_conn: 1000,
    default_pool_size: poolSize,
    server_idle_timeout: 5,
    ...settings,
  };
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(
    file,
    [
      '[databases]',
      `* = host=${decodeURIComponent(hostname)} user=${username}`,
      '[pgbouncer]',
      ...Object.entries(all).map(([name, value]) => `${name} = ${value}`),
      '',
    ].join('\n'),
  );
  // It refuses to run as root.
  const owner = process.getuid?.() === 0 ? ['-u', 'postgres'] : [];
  const child = spawn('pgbouncer', ['-q', ...owner, file], { env, stdio: 'ignore' });
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true });
  };
  for (const end = performance.now() + startTimeoutMs; !(await isOpen(port)); await pause(20)) {
    if (child.exitCode === null && performance.now() < end) continue;
    await stop();
    throw new Error('PgBouncer did not start.');
  }
  return {
    /** @param {string} database */
    url: (database) => `postgresql://${username}@127.0.0.1:${port}/${database}`,
    stop,
  };
}

/** @param {number} port */
async function isOpen(port) {
  const socket = createConnection(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
