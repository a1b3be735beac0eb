// Restarts three processes of the service in turn, behind HAProxy and under load: no request may fail.
//   node rolling/main.mjs [--rounds 2] [--delay 5] [--markdown]
import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { assertBuilt } from '../built.mjs';
import { formatNumber, formatTable } from '../cost/table.mjs';
import { startProcesses } from '../faults/processes.mjs';
import { freePort } from '../listen.mjs';
import { startCluster } from '../service/postgresql.mjs';
import { command, makeProject, project } from '../service/service.mjs';
import { startBalancer } from './haproxy.mjs';
import { longestGapMs, startCodeReceiver, startLogins } from './logins.mjs';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '2' },
    delay: { type: 'string', default: '5' },
    markdown: { type: 'boolean', default: false },
  },
});
const processCount = 3;
const secret = 'master secret of the benchmarks, 32 bytes or more';
/** Number of logins between two restarts. */
const logins = 20;
const loginsTimeoutMs = 120_000;
const readyTimeoutMs = 60_000;

assertBuilt('package', 'service');
const folder = mkdtempSync(join(tmpdir(), 'whorl-rolling-'));
/** @type {(() => Promise<void>)[]} What to stop, the last one first. */
const closers = [() => rm(folder, { recursive: true })];
try {
  const cluster = await startCluster();
  closers.push(cluster.stop);
  const receiver = await startCodeReceiver();
  closers.push(receiver.close);
  const environment = { DATABASE_URL: cluster.url('postgres'), WHORL_SECRET: secret, ...receiver.environment };
  const key = await makeProject(environment);
  await command(environment, 'settings', 'set', 'daily_code_limit', '1000000', '--project', project);
  const ports = await Promise.all(Array.from({ length: processCount }, freePort));
  const processes = await startProcesses(
    (index) => ({ ...environment, PORT: String(ports[index]), SHUTDOWN_DELAY_SECONDS: values.delay }),
    { count: processCount, folder },
  );
  closers.push(processes.stop);
  const balancer = await startBalancer(ports, folder);
  closers.push(balancer.stop);
  for (const index of ports.keys()) await balancer.untilUp(index, readyTimeoutMs);

  const load = startLogins({ url: balancer.url, key, receiver });
  await load.completed(logins, loginsTimeoutMs);
  const begunAt = performance.now();
  let restarts = 0;
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const index of ports.keys()) {
      await processes.end(index);
      await processes.restart(index);
      await balancer.untilUp(index, readyTimeoutMs);
      restarts += 1;
      await load.completed(logins, loginsTimeoutMs);
    }
  }
  const seconds = (performance.now() - begunAt) / 1000;
  await load.end();
  const repeated = await balancer.repeated();
  const longestMs = longestGapMs(load.answeredAt);
  const cells = [restarts, load.counts.sent, load.counts.answered, load.counts.logins, load.failed(), repeated];
  const headings = ['restarts', 'requests', '2xx', 'complete logins', 'failed requests', 'repeated by HAProxy'];
  const rows = [
    [...headings, 'longest pause'],
    [...cells.map(formatNumber), `${(longestMs / 1000).toFixed(2)} s`],
  ];
  console.log(formatTable(rows, { markdown: values.markdown }));
  for (const [kind, count] of Object.entries(load.failures)) console.log(`${count} × ${kind}`);
  const [haproxy] = execFileSync('haproxy', ['-v'], { encoding: 'utf8' }).split('\n');
  console.log(
    `\n${seconds.toFixed(0)} s, SHUTDOWN_DELAY_SECONDS=${values.delay}, Node ${process.version}, ${haproxy}.`,
  );
  process.exitCode = load.failed() === 0 ? 0 : 1;
} finally {
  for (const close of closers.reverse()) await close();
}
