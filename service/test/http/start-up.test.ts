import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { callApi } from '../support/api.js';
import { openDatabasePort } from '../support/database-port.js';
import { createDatabase, describeDatabases, describePostgresql, type FreshDatabase } from '../support/databases.js';
import {
  canBeTerminal,
  environmentFor,
  LIVE_SECRET,
  launch,
  runProcess,
  type ServiceProcess,
  startProcess,
} from '../support/process.js';
import { waitFor } from '../support/wait-for.js';

const SET_UP = /\/dashboard\/set-up\?(token=\S{43})\n/;

describeDatabases('starting', (kind) => {
  let fresh: FreshDatabase;
  let running: ServiceProcess[];
  beforeEach(async () => {
    fresh = await createDatabase(kind);
    running = [];
  });
  afterEach(async () => {
    await Promise.all(running.map((service) => service.end('SIGKILL')));
    await fresh.drop();
  });

  async function start(environment: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> {
    const service = await startProcess({ ...environmentFor(fresh.options), ...environment });
    running.push(service);
    return service;
  }

  test("the first start gives its owner the project's keys, and each start without administrators a link", async () => {
    const folder = await mkdtemp(join(tmpdir(), 'whorl-first-'));
    const environment = { DATA_FOLDER: folder, ...environmentFor(fresh.options) };
    const startHere = async () => {
      const service = await startProcess(environment);
      running.push(service);
      return service;
    };
    const first = await startHere();
    const key = LIVE_SECRET.exec(first.left.keys())?.[1] ?? '';
    expect(first.left.keys().match(/[sp]k_(live|test)_\S+/g)).toHaveLength(4);
    const path = join(environment.DATA_FOLDER, 'first-keys.txt');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(environment.DATA_FOLDER, 'set-up-link.txt'))).mode & 0o777).toBe(0o600);
    expect(first.stdout()).toContain(`"path":"${path}"`);
    expect(first.stdout()).toMatch(/"level":"warn".*No mail transport is configured.*Set SMTP_URL and MAIL_FROM/);
    expect(await callApi(first.url, '/v2/challenges', { key })).toMatchObject({ status: 200, body: { total: 0 } });
    const links = [SET_UP.exec(first.left.link())?.[1]];
    const ended = await first.end('SIGTERM');
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    await rm(path);

    const second = await startHere();
    expect(() => second.left.keys()).toThrow('ENOENT');
    expect((await callApi(second.url, '/v2/challenges', { key })).status).toBe(200);
    links.push(SET_UP.exec(second.left.link())?.[1]);
    expect(new Set(links).size).toBe(2);
    expect((await fetch(`${second.url}/dashboard/set-up?${links[1]}`, { redirect: 'manual' })).status).toBe(303);
    for (const { stdout } of [first, second]) expect(stdout()).not.toMatch(/[sp]k_(live|test)_|token=/);
    await rm(folder, { recursive: true });
  });

  test.skipIf(!canBeTerminal)('a first start at a terminal prints them there, and leaves no file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'whorl-terminal-'));
    const environment = { DATA_FOLDER: folder, ...environmentFor(fresh.options) };
    const service = await startProcess(environment, { atTerminal: true });
    running.push(service);
    expect(service.stdout().match(/[sp]k_(live|test)_\S+/g)).toHaveLength(4);
    expect(service.stdout()).toMatch(/set-up\?token=[\w-]{43}/);
    expect(service.stdout()).not.toContain('.txt');
    for (const read of [service.left.keys, service.left.link]) expect(read).toThrow('ENOENT');
    const key = LIVE_SECRET.exec(service.stdout())?.[1] ?? '';
    expect((await callApi(service.url, '/v2/challenges', { key })).status).toBe(200);
    await service.end('SIGTERM');
    await rm(folder, { recursive: true });
  });

  test('no keys are created if they cannot be written, or if the port is taken', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const address = other.address();
    const port = String(typeof address === 'object' ? address?.port : '');
    const taken = await (await launch(['start'], { ...environmentFor(fresh.options), PORT: port })).finished;
    expect(taken).toMatchObject({ code: 1, stderr: expect.stringContaining(`Port ${port}`) });
    await new Promise((resolve) => other.close(resolve));
    const folder = '/dev/null/whorl';
    const nowhere = { ...environmentFor(fresh.options), ...(kind === 'postgresql' && { DATA_FOLDER: folder }) };
    if (kind === 'postgresql') {
      const { code, stderr } = await (await launch(['start'], nowhere)).finished;
      expect(code).toBe(1);
      expect(stderr).toMatch(
        /^The keys of the first project cannot be written to \/dev\/null\/whorl \(ENOTDIR\)\. [^\n]+\n$/,
      );
    }
    const service = await start();
    expect(service.left.keys()).toMatch(LIVE_SECRET);
  });

  test('another master secret is rejected', async () => {
    await (await start()).end('SIGTERM');
    const environment = {
      ...environmentFor(fresh.options),
      WHORL_SECRET: 'one that this database was not sealed with',
    };
    const { code, stderr } = await (await launch(['start'], environment)).finished;
    expect(code).toBe(1);
    expect(stderr).toBe(
      'The database was sealed with another master secret: set WHORL_SECRET to that secret, or, to replace it, WHORL_SECRET_PREVIOUS.\n',
    );
  });
});

describePostgresql('a first start with a data folder on a full disk', () => {
  test.skipIf(process.getuid?.() !== 0)('creates no keys, which it could not write', async ({ skip }) => {
    const folder = await mkdtemp(join(tmpdir(), 'whorl-full-'));
    const fresh = await createDatabase('postgresql');
    const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', folder]);
    if (status !== 0) skip('This machine does not let us mount a small disk.');
    try {
      await expect(writeFile(join(folder, 'large'), Buffer.alloc(65_536))).rejects.toMatchObject({ code: 'ENOSPC' });
      const environment = { ...environmentFor(fresh.options), DATA_FOLDER: folder };
      const { code, stderr } = await runProcess(['start'], environment);
      expect([code, stderr]).toEqual([1, expect.stringMatching(/^The keys of the first project cannot be .*ENOSPC/)]);
      expect((await runProcess(['project', 'list'], environment)).stdout).toBe('');
      expect(await readdir(folder)).toEqual(['large']);
    } finally {
      spawnSync('umount', [folder]);
      await rm(folder, { recursive: true });
      await fresh.drop();
    }
  });
});

describePostgresql('several processes on one database', () => {
  test('only one of them shows keys', async () => {
    const empty = await createDatabase('postgresql', { empty: true });
    const services = await Promise.all([1, 2, 3].map(() => startProcess(environmentFor(empty.options))));
    expect(services.filter((service) => service.stdout().includes('first-keys.txt'))).toHaveLength(1);
    await Promise.all(services.map((service) => service.end('SIGTERM')));
    await empty.drop();
  });
});

describePostgresql('an unreachable database', () => {
  test('is waited for', async () => {
    const { options, drop } = await createDatabase('postgresql');
    if (options.kind !== 'postgresql') throw new Error('That is another database');
    const wire = await openDatabasePort(options.url);
    const environment = environmentFor({ kind: 'postgresql', url: wire.url });
    const impatient = await launch(['start'], environment);
    await waitFor(() => impatient.stdout().includes('Database unreachable'), { what: 'the log to say so' });
    expect(await impatient.end('SIGTERM')).toMatchObject({ code: 0, stderr: '' });

    const starting = startProcess(environment);
    wire.connect();
    const service = await starting;
    expect((await callApi(service.url, '/healthz')).status).toBe(200);
    await service.end('SIGTERM');
    wire.close();
    await drop();
  });
});

/** First port that unprivileged users may listen on (ip(7)). */
const portsFile = '/proc/sys/net/ipv4/ip_unprivileged_port_start';
/** Loaded before the service, so that it sees an old Node version. */
const oldNode = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.18.3' } })`;

describe('the reason for a failed start is one sentence:', () => {
  let folder: string;
  let fresh: FreshDatabase;
  beforeEach(async () => {
    fresh = await createDatabase('embedded');
    folder = environmentFor(fresh.options).DATA_FOLDER ?? '';
  });
  afterEach(async () => {
    await chmod(folder, 0o700);
    await fresh.drop();
  });

  /** Returns the output of a failed start. */
  const refusal = async (environment: Readonly<Record<string, string>>, without: readonly string[] = []) => {
    const { code, stdout, stderr } = await runProcess(['start'], environment, { without });
    expect({ code, stdout: stdout.includes('"Listening"') }, stderr).toEqual({ code: 1, stdout: false });
    expect(stderr).toMatch(/^[^\n]+\.\n$/);
    return stderr;
  };

  test('another process uses the folder', async () => {
    const environment = environmentFor(fresh.options);
    const first = await startProcess(environment);
    expect(await refusal(environment)).toContain(`Process ${first.pid} uses the folder`);
    expect((await callApi(first.url, '/healthz')).status).toBe(200);
    await first.end('SIGTERM');
  });

  test('the folder is not writable', async () => {
    await chmod(folder, 0o500);
    expect(await refusal({ DATA_FOLDER: folder }, ['dac_override', 'dac_read_search'])).toBe(
      `The data folder ${folder} is not writable for this user: change its permissions, or set DATA_FOLDER to another folder (EACCES).\n`,
    );
  });

  test('the database in the folder is damaged', async () => {
    await rm(join(folder, 'database/global'), { recursive: true });
    expect(await refusal({ DATA_FOLDER: folder })).toContain(`The database in ${folder} cannot be opened: make all`);
  });

  // Some systems let unprivileged users listen on all ports.
  const firstFree = existsSync(portsFile) ? Number(readFileSync(portsFile, 'utf8')) : 1024;
  test.skipIf(firstFree <= 80)('the port is not permitted', async () => {
    expect(await refusal({ DATA_FOLDER: folder, PORT: '80' }, ['net_bind_service'])).toBe(
      'Port 80 is not permitted for this user: set PORT to 1024 or above, or give the process permission to use it.\n',
    );
  });

  test.each([
    [{ DATA_FOLDER: '/dev/null' }, /^The data folder \/dev\/null is not a folder: set DATA_FOLDER to one/],
    [{ HOST: '203.0.113.1' }, /^This machine has no address 203\.0\.113\.1: set HOST to one of its addresses/],
    [{ PORT: '70000' }, /^PORT must be a whole number from 0 to 65535\.$/],
    [
      { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(oldNode)}` },
      /^Node\.js 20\.18\.3 is too old for whorl-service: install 20\.19 or newer\.$/,
    ],
    [
      {
        DATABASE_URL: 'postgresql://hopper:hidden@127.0.0.1:1/none',
        WHORL_SECRET: 'x'.repeat(32),
        DATABASE_WAIT_SECONDS: '1',
      },
      /^PostgreSQL at 127\.0\.0\.1:1 cannot be reached: start it, or correct DATABASE_URL \(ECONNREFUSED\)\.$/,
    ],
  ])('%j', async (environment, sentence) => {
    const said = await refusal({ DATA_FOLDER: folder, ...environment });
    expect(said.trim()).toMatch(sentence);
    expect(said).not.toMatch(/hidden|hopper/);
  });
});

describePostgresql('a database that accepts no changes', () => {
  test('is waited for by a start, and read by commands that change nothing', async () => {
    const { options, drop } = await createDatabase('postgresql');
    if (options.kind !== 'postgresql') throw new Error('That is another database');
    const admin = new pg.Client(options.url);
    await admin.connect();
    const environment = environmentFor(options);
    await runProcess(['project', 'create', '--name', 'First'], environment);
    const name = new URL(options.url).pathname.slice(1);
    await admin.query(`alter database ${name} set default_transaction_read_only = on`);
    const readOnly = expect.stringMatching(
      /^PostgreSQL at .+ is read-only: set DATABASE_URL to the primary, [^\n]+\.\n$/,
    );
    const failed = await runProcess(['start'], { ...environment, DATABASE_WAIT_SECONDS: '1' });
    expect(failed).toMatchObject({ code: 1, stderr: readOnly });
    const changing = await runProcess(['project', 'create', '--name', 'Shop'], environment);
    expect(changing).toMatchObject({ code: 1, stderr: readOnly });
    expect(await runProcess(['project', 'list'], environment)).toMatchObject({ code: 0, stderr: '' });

    const starting = startProcess(environment);
    await admin.query('set default_transaction_read_only = off');
    await admin.query(`alter database ${name} reset default_transaction_read_only`);
    expect((await (await starting).end('SIGTERM')).code).toBe(0);
    await admin.end();
    await drop();
  });
});

describePostgresql('a wrong DATABASE_URL is reported in one sentence:', () => {
  test.each<[string, (url: URL) => void, RegExp]>([
    ['no such user', (url) => (url.username = 'nobody-here'), /refuses this user or connection: correct DATABASE_URL/],
    ['no such database', (url) => (url.pathname = '/nothing-here'), /has no database of this name: create it/],
    ['no TLS there', (url) => url.searchParams.set('sslmode', 'verify-full'), /does not support TLS: remove sslmode/],
  ])('%s', async (_, change, sentence) => {
    const { options, drop } = await createDatabase('postgresql');
    if (options.kind !== 'postgresql') throw new Error('That is another database');
    const wire = await openDatabasePort(options.url);
    wire.connect();
    const url = new URL(wire.url);
    change(url);
    const environment = environmentFor({ kind: 'postgresql', url: url.href });
    for (const command of [['start'], ['project', 'list']]) {
      const { code, stderr } = await runProcess(command, environment);
      expect([code, stderr]).toEqual([1, expect.stringMatching(/^PostgreSQL at [^\n]+\.\n$/)]);
      expect(stderr).toMatch(sentence);
    }
    wire.close();
    await drop();
  });
});
