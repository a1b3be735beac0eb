// Runs the service through PgBouncer in transaction mode: tests of the service over HTTP, and logins on three processes,
// compared with direct connections.
//   node pgbouncer/main.mjs [--skip-tests] [--logins 200] [--markdown]
import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { pgbouncerVersion, startPgbouncer } from '../../scripts/pgbouncer.mjs';
import { assertBuilt } from '../built.mjs';
import { formatNumber, formatTable } from '../cost/table.mjs';
import { startProcesses } from '../faults/processes.mjs';
import { startCodeReceiver, startLogins } from '../rolling/logins.mjs';
import { query, startCluster } from '../service/postgresql.mjs';
import { command, makeProject, project } from '../service/service.mjs';

const { values } = parseArgs({
  options: {
    'skip-tests': { type: 'boolean', default: false },
    logins: { type: 'string', default: '200' },
    markdown: { type: 'boolean', default: false },
  },
});
const processCount = 3;
const secret = 'master secret of the benchmarks, 32 bytes or more';
const loadTimeoutMs = 300_000;
/** What depends on transactions, locks, sessions and statements. */
const suites = [
  ...['api-evaluations', 'api-races', 'evaluate-races', 'races', 'idempotency', 'user-busy', 'limits', 'writes'],
  ...['challenges', 'devices', 'device-events', 'users', 'import', 'erasure', 'queue', 'jobs', 'webhooks', 'velocity'],
];

const version = pgbouncerVersion();
if (!version) throw new Error('PgBouncer is not installed (Debian: pgbouncer).');
assertBuilt('package', 'service');
let isPassed = true;
if (!values['skip-tests']) {
  const files = suites.map((name) => `service/test/http/${name}.test.ts`);
  const args = ['vitest', 'run', '--project', 'service', '--testNamePattern', 'postgresql', ...files];
  const { status } = spawnSync('npx', args, {
    cwd: new URL('../..', import.meta.url),
    env: { ...process.env, WHORL_TEST_POOLER: '1' },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  isPassed = status === 0;
}

const folder = mkdtempSync(join(tmpdir(), 'whorl-pooled-'));
/** @type {(() => Promise<void>)[]} What to stop, the last one first. */
const closers = [() => rm(folder, { recursive: true })];
try {
  const cluster = await startCluster();
  closers.push(cluster.stop);
  const pooler = await startPgbouncer(cluster.url('postgres'), { poolSize: 10 });
  closers.push(pooler.stop);
  const receiver = await startCodeReceiver();
  closers.push(receiver.close);
  const shared = { WHORL_SECRET: secret, ...receiver.environment };
  const rows = [];
  for (const isPooled of [false, true]) {
    const database = isPooled ? 'pooled' : 'direct';
    await query(cluster.url('postgres'), `create database ${database}`);
    const direct = cluster.url(database);
    const environment = isPooled
      ? { ...shared, DATABASE_URL: pooler.url(database), DATABASE_POOLER: 'true', DATABASE_DIRECT_URL: direct }
      : { ...shared, DATABASE_URL: direct };
    const result = await measure(environment, { direct, receiver });
    isPassed &&= result.failed === 0;
    rows.push([
      isPooled ? `through PgBouncer ${version}` : 'direct',
      ...[result.connections, result.sent, result.failed, Math.round(result.perSecond)].map(formatNumber),
    ]);
  }
  const headings = ['connections', 'connections to PostgreSQL, at most', 'requests', 'failed', 'requests per second'];
  console.log(formatTable([headings, ...rows], { markdown: values.markdown }));
  process.exitCode = isPassed ? 0 : 1;
} finally {
  for (const close of closers.reverse()) await close();
}

/**
 * @param {import('../service/service.mjs').Environment} environment
 * @param {{ direct: string, receiver: import('../rolling/logins.mjs').CodeReceiver }} options
 */
async function measure(environment, { direct, receiver }) {
  const key = await makeProject(environment);
  await command(environment, 'settings', 'set', 'daily_code_limit', '1000000', '--project', project);
  const processes = await startProcesses(() => environment, { count: processCount, folder });
  try {
    // Each person uses one process, as a load balancer with sessions would do.
    const loads = processes.urls.map((url, index) =>
      startLogins({ url, key, receiver, firstPerson: 1_000_000_000 + index * 1_000_000 }),
    );
    const begunAt = performance.now();
    let connections = 0;
    const count = async () => {
      const [row] = await query(
        direct,
        `select count(*)::int as count from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
      );
      connections = Math.max(connections, Number(row?.count));
    };
    for (let done = 0; done < Number(values.logins); done += 10) {
      await Promise.all(loads.map((load) => load.completed(Math.ceil(10 / processCount), loadTimeoutMs)));
      await count();
    }
    const seconds = (performance.now() - begunAt) / 1000;
    await Promise.all(loads.map((load) => load.end()));
    const sum = (/** @type {(load: import('../rolling/logins.mjs').Logins) => number} */ of) =>
      loads.reduce((total, load) => total + of(load), 0);
    for (const { failures } of loads)
      for (const [kind, times] of Object.entries(failures)) console.log(`${times} × ${kind}`);
    const sent = sum(({ counts }) => counts.sent);
    return { connections, sent, failed: sum((load) => load.failed()), perSecond: sent / seconds };
  } finally {
    await processes.stop();
  }
}
