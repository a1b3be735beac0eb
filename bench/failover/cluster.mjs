import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, closeSync, mkdirSync, mkdtempSync, openSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findPostgresql } from '../../scripts/find-postgresql.mjs';
import { query } from '../service/postgresql.mjs';
import { etcdArguments, haproxyConfiguration, patroniConfiguration, ports } from './configuration.mjs';
import { createNetwork } from './network.mjs';

const names = ['a', 'b', 'c'];
/** PostgreSQL refuses to run as root. */
const owner = 'postgres';
const proxyPort = 25_432;
const healthyTimeoutMs = 180_000;
/** Time limit for a response of Patroni. Frozen machines give none. */
const stateTimeoutMs = 3000;

/** @typedef {Awaited<ReturnType<typeof startFailoverCluster>>} FailoverCluster */

/** @typedef {{ primary: string, synchronous: string, other: string }} Roles The names of the machines by their role. */

/**
 * Starts three machines with etcd, Patroni and PostgreSQL, and HAProxy in front, each in a folder of its own.
 */
export async function startFailoverCluster() {
  const programs = findPostgresql();
  if (!programs) throw new Error('No PostgreSQL found: run "npm run setup:postgresql" first.');
  const folder = mkdtempSync(join(tmpdir(), 'whorl-failover-'));
  chmodSync(folder, 0o755);
  const network = createNetwork(names);
  const machines = names.map((name) => ({ name, address: network.addressOf(name), folder: join(folder, name) }));
  /** @type {Map<string, import('node:child_process').ChildProcess>} By machine and program. */
  const running = new Map();

  for (const machine of machines) {
    mkdirSync(machine.folder);
    chownSync(machine.folder, idOf('-u'), idOf('-g'));
    const configuration = patroniConfiguration(machine, machines, {
      folder: machine.folder,
      programs,
      network: network.range,
    });
    writeFileSync(join(machine.folder, 'patroni.yml'), configuration);
  }
  writeFileSync(join(folder, 'haproxy.cfg'), haproxyConfiguration(machines, proxyPort));

  /** @param {string} key @param {readonly string[]} command @param {string} cwd */
  function run(key, [program = '', ...args], cwd) {
    const log = openSync(join(cwd, `${key}.log`), 'a');
    const child = spawn(program, args, { cwd, stdio: ['ignore', log, log] });
    closeSync(log);
    running.set(key, child);
  }

  /** Starts the programs of a machine that are not running. @param {string} name */
  function start(name) {
    const machine = machines.find((each) => each.name === name);
    if (!machine) throw new Error(`Machine ${name} does not exist.`);
    const asOwner = ['setpriv', `--reuid=${owner}`, `--regid=${owner}`, '--clear-groups'];
    const commands = {
      etcd: ['etcd', ...etcdArguments(machine, machines, machine.folder)],
      patroni: ['patroni', join(machine.folder, 'patroni.yml')],
    };
    for (const [program, command] of Object.entries(commands)) {
      const key = `${name}-${program}`;
      if (isRunning(running.get(key))) continue;
      run(key, network.commandIn(name, [...asOwner, ...command]), machine.folder);
    }
  }

  /** @param {string} name @param {NodeJS.Signals} signal */
  function signalAll(name, signal) {
    for (const pid of network.processesOf(name)) trySignal(pid, signal);
  }

  /** @returns {Promise<Roles | undefined>} Undefined unless all machines work. */
  async function rolesIfHealthy() {
    for (const { address } of machines) {
      const answer = await fetch(`http://${address}:${ports.patroni}/cluster`, {
        signal: AbortSignal.timeout(stateTimeoutMs),
      }).catch(() => undefined);
      const roles = answer && rolesOf(await answer.json());
      if (!roles) return undefined;
      if (address === machines.at(-1)?.address) return roles;
    }
    return undefined;
  }

  const url = (/** @type {string} */ database) => `postgresql://postgres@127.0.0.1:${proxyPort}/${database}`;

  async function waitUntilHealthy() {
    const end = performance.now() + healthyTimeoutMs;
    while (performance.now() < end) {
      const roles = await rolesIfHealthy();
      const isReached =
        roles &&
        (await query(url('postgres'), 'select 1').then(
          () => true,
          () => false,
        ));
      if (isReached) return roles;
      await pause(250);
    }
    throw new Error(
      `The cluster did not become healthy within ${healthyTimeoutMs / 1000} s. Its logs are in ${folder}.`,
    );
  }

  async function stop({ keepsLogs = false } = {}) {
    const ended = [...running.values()].filter(isRunning).map((child) => once(child, 'exit'));
    for (const name of names) signalAll(name, 'SIGKILL');
    running.get('haproxy')?.kill('SIGKILL');
    await Promise.all(ended);
    network.remove();
    if (!keepsLogs) await rm(folder, { recursive: true, force: true });
  }

  for (const name of names) start(name);
  run('haproxy', ['haproxy', '-db', '-f', join(folder, 'haproxy.cfg')], folder);

  return {
    network,
    folder,
    url,
    waitUntilHealthy,
    /** Ends all programs of a machine at once, as a power failure does. @param {string} name */
    kill: (name) => signalAll(name, 'SIGKILL'),
    /** Stops all programs of a machine without ending them. @param {string} name */
    freeze: (name) => signalAll(name, 'SIGSTOP'),
    /** Continues the programs of a frozen machine. @param {string} name */
    resume: (name) => signalAll(name, 'SIGCONT'),
    /** Ends etcd on a machine. @param {string} name */
    killEtcd: (name) => running.get(`${name}-etcd`)?.kill('SIGKILL'),
    /** Starts all programs that are not running. */
    restore: () => names.forEach(start),
    /**
     * Makes another machine the primary, as for maintenance.
     *
     * @param {Roles} roles
     */
    async switchOver({ primary, synchronous }) {
      const body = JSON.stringify({ leader: primary, candidate: synchronous });
      const answer = await fetch(`http://${network.addressOf(primary)}:${ports.patroni}/switchover`, {
        method: 'POST',
        body,
      });
      if (!answer.ok) throw new Error(`Patroni refused the switchover: ${await answer.text()}`);
    },
    stop,
    async versions() {
      const [postgresql] = await query(url('postgres'), 'show server_version');
      const first = (/** @type {string} */ program, /** @type {string} */ flag) =>
        execFileSync(program, [flag], { encoding: 'utf8' }).split('\n')[0]?.trim();
      return [
        `PostgreSQL ${postgresql?.server_version}`,
        first('patroni', '--version'),
        first('etcd', '--version'),
        first('haproxy', '-v'),
      ];
    },
  };
}

/** @param {{ members?: { name: string, role: string, state: string }[] }} cluster @returns {Roles | undefined} */
function rolesOf({ members = [] }) {
  if (members.length !== names.length || !members.every(({ state }) => ['running', 'streaming'].includes(state)))
    return undefined;
  const withRole = (/** @type {string} */ role) => members.find((member) => member.role === role)?.name;
  const [primary, synchronous, other] = ['leader', 'sync_standby', 'replica'].map(withRole);
  return primary && synchronous && other ? { primary, synchronous, other } : undefined;
}

/** @param {import('node:child_process').ChildProcess | undefined} child */
function isRunning(child) {
  return child !== undefined && child.exitCode === null && child.signalCode === null;
}

/** @param {'-u' | '-g'} flag */
function idOf(flag) {
  return Number(execFileSync('id', [flag, owner], { encoding: 'utf8' }));
}

/** @param {number} pid @param {NodeJS.Signals} signal */
function trySignal(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has ended already.
  }
}
