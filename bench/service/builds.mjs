// Compares two builds of the service, or one build with other options of Node.js, in turns under a saturating load.
//   node service/builds.mjs [--other PATH/service/dist/main.js] [--node-options=--max-semi-space-size=64]
//     [--rounds 6] [--seconds 20] [--markdown]
// In short turns, a build that gets slower under load looks faster than it is, such as one that updates the same rows.
import { mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { assertBuilt } from '../built.mjs';
import { formatNumber, formatTable } from '../cost/table.mjs';
import { startLoad } from './load-process.mjs';
import { createMeasure, medianOf } from './measure.mjs';
import { startCluster } from './postgresql.mjs';
import { mixed } from './requests.mjs';
import { startService } from './service.mjs';
import { makeWorld, sizes } from './world.mjs';

const { values } = parseArgs({
  options: {
    other: { type: 'string' },
    'node-options': { type: 'string', default: '' },
    rounds: { type: 'string', default: '6' },
    seconds: { type: 'string', default: '20' },
    markdown: { type: 'boolean', default: false },
  },
});
const rounds = Number(values.rounds);
const concurrency = 16;

assertBuilt('package', 'service');
const folder = mkdtempSync(join(tmpdir(), 'whorl-bench-builds-'));
const cluster = await startCluster();
const load = startLoad();
const measure = createMeasure(load);
/** @type {import('./service.mjs').Running[]} */
const running = [];
try {
  const other = {
    environment: values.other === undefined ? {} : { WHORL_SERVICE_MAIN: values.other },
    nodeOptions: values['node-options'].split(' ').filter((option) => option !== ''),
  };
  const targets = [await startTarget('this', { environment: {}, nodeOptions: [] }), await startTarget('other', other)];
  for (const target of targets) await measure.warmUp(target);
  const measured = await measure.measureAlternating(targets, { seconds: rounds * Number(values.seconds), rounds });
  const memory = targets.map(({ pid }) => peakMegabytes(pid));
  console.log(formatTable([...linesOf(measured), lineOf('most memory, MB', memory)], { markdown: values.markdown }));
} finally {
  load.stop();
  for (const { stop } of running) await stop();
  await cluster.stop();
  await rm(folder, { recursive: true });
}

/**
 * @param {string} name
 * @param {{ environment: import('./service.mjs').Environment, nodeOptions: readonly string[] }} options
 */
async function startTarget(name, { environment, nodeOptions }) {
  const world = await makeWorld(cluster, name, sizes.small, environment);
  const service = await startService(world.environment, { logFile: join(folder, `${name}.log`), nodeOptions });
  running.push(service);
  const { key, size } = world;
  const receiver = { name, url: service.url, path: '/v2/device/evaluate', key, devices: size.devices, mix: mixed };
  return { ...receiver, pid: service.pid, databasePid: cluster.pid, concurrency };
}

/** @param {readonly import('./measure.mjs').Measured[]} measured */
function linesOf(measured) {
  const line = (/** @type {string} */ title, /** @type {(one: import('./measure.mjs').Measured) => number} */ read) =>
    lineOf(
      title,
      ['this', 'other'].map((name) => medianOf(measured, name, read)),
    );
  return [
    [`medians of ${rounds} turns`, 'this', 'other', 'ratio'],
    line('evaluations per second', ({ perSecond }) => perSecond),
    line('processor time of the service, ms', ({ processor }) => processor.own),
    line('processor time of PostgreSQL, ms', ({ processor }) => processor.database),
    line('p99, ms', ({ ms }) => ms.p99),
  ];
}

/** @param {string} title @param {readonly number[]} figures Of both. */
function lineOf(title, [one = Number.NaN, other = Number.NaN]) {
  return [title, formatNumber(one), formatNumber(other), (other / one).toFixed(2)];
}

/** Returns the most memory that a process has used at a time. @param {number} pid */
function peakMegabytes(pid) {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return (Number(kilobytes) * 1024) / 1e6;
}
