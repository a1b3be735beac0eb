import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { waitFor } from './wait-for.js';

export interface Cluster {
  /** Returns the URL of one of its databases. */
  url(database: string): string;
  /** Ends its processes at once, as a crash does, and removes its folder. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** Users to run as, because PostgreSQL refuses to run as root. */
const UNPRIVILEGED = ['postgres', 'nobody'];
/** Durability does not matter here. */
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '200',
  // Recommended by docs/erasure.md so that the WAL holds no old data. Enabling it later may be too late.
  wal_recycle: 'off',
  listen_addresses: '',
  log_min_messages: 'fatal',
};
/**
 * Runs PostgreSQL until its standard input closes, which it also does when the test run is killed, and then removes
 * the folder. $1: the folder. The rest: the command.
 */
const WATCHED =
  'folder=$1; shift; "$@" & server=$!; cat > /dev/null; kill -INT $server; wait $server; rm -rf "$folder"';

/**
 * Starts a PostgreSQL server in a temporary folder. It listens only on a socket in that folder.
 *
 * @param programs Folder with `initdb` and `postgres`.
 * @param settings Further settings of the server.
 */
export async function startCluster(
  programs: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Cluster> {
  const args = ['--auth=trust', '--username=postgres', '--encoding=UTF8', '--locale=C', '--no-sync'];
  return startFrom({ programs, program: 'initdb', settings }, args);
}

/** Starts a standby of a server, which follows it until one of them stops. */
export async function startStandby(programs: string, primary: Cluster): Promise<Cluster> {
  const args = ['--write-recovery-conf', '--checkpoint=fast', '--no-sync', '--dbname', primary.url('postgres')];
  return startFrom({ programs, program: 'pg_basebackup', settings: {} }, args);
}

interface StartedFrom {
  readonly programs: string;
  readonly program: string;
  readonly settings: Readonly<Record<string, string>>;
}

/** Starts a server with the data that a program creates. */
async function startFrom({ programs, program, settings: own }: StartedFrom, args: readonly string[]): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'whorl-postgresql-'));
  const owner = ownerOf(folder);
  const data = join(folder, 'data');
  const { status, stderr } = spawnSync(join(programs, program), ['-D', data, ...args], { ...owner, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} did not succeed: ${stderr}`);
  const settings = Object.entries({ ...SETTINGS, ...own }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = [join(programs, 'postgres'), '-D', data, '-k', folder, ...settings];
  const child = spawn('sh', ['-c', WATCHED, 'sh', folder, ...server], {
    ...owner,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const url = (database: string) => `postgresql://postgres@${encodeURIComponent(folder)}/${database}`;
  await waitFor(() => answers(url('postgres'), child), { what: 'PostgreSQL to answer' });
  return {
    url,
    async kill() {
      process.kill(Number.parseInt(readFileSync(join(data, 'postmaster.pid'), 'utf8'), 10), 'SIGQUIT');
      await stop(child);
    },
    stop: () => stop(child),
  };
}

type Owner = { uid?: number; gid?: number; cwd: string };

function ownerOf(folder: string): Owner {
  if (process.getuid?.() !== 0) return { cwd: folder };
  for (const name of UNPRIVILEGED) {
    const [uid, gid] = ['-u', '-g'].map((flag) => Number(spawnSync('id', [flag, name]).stdout || Number.NaN));
    if (uid === undefined || gid === undefined || Number.isNaN(uid + gid)) continue;
    chownSync(folder, uid, gid);
    return { uid, gid, cwd: folder };
  }
  rmSync(folder, { recursive: true });
  throw new Error(`PostgreSQL does not run as root, and none of these users exists: ${UNPRIVILEGED.join(', ')}`);
}

async function answers(url: string, child: ChildProcess): Promise<boolean> {
  if (child.exitCode !== null) throw new Error(`PostgreSQL ended at once, with status ${child.exitCode}`);
  const client = new pg.Client(url);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end();
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.stdin?.end();
  await ended;
}
