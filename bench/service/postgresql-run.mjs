import { join } from 'node:path';
import { createMeasure } from './measure.mjs';
import { makePeerTables } from './peer-tables.mjs';
import { collectPlans, sequentialScans } from './plans.mjs';
import { startCluster } from './postgresql.mjs';
import { knownOnly, mixed } from './requests.mjs';
import { startListening, startService } from './service.mjs';
import { makeWorld, sizes } from './world.mjs';

/** @typedef {import('./measure.mjs').Target} Target */
/** @typedef {import('./measure.mjs').Measured} Measured */

/**
 * @typedef {object} Run The measurements on one database.
 * @property {string} database
 * @property {Measured[]} saturated
 * @property {number} halfRate Requests per second: half of the maximum throughput.
 * @property {Measured[]} atHalf
 * @property {Measured[]} grown The small and the large world, alternating at the same rate; empty without `large`.
 * @property {string[]} [scanned] Growing tables with sequential scans in the large world.
 */

const rounds = 3;
const path = '/v2/device/evaluate';
const peer = new URL('peer.mjs', import.meta.url).pathname;

/**
 * @param {import('./load-process.mjs').LoadProcess} load
 * @param {{ seconds: number, large: boolean, folder: string, logProgress: (text: string) => void }} options
 * @returns {Promise<Run>}
 */
export async function runOnPostgresql(load, { seconds, large, folder, logProgress }) {
  const measure = createMeasure(load);
  const cluster = await startCluster();
  /** @type {import('./service.mjs').Running[]} */
  const running = [];
  const start = async (/** @type {Promise<import('./service.mjs').Running>} */ starting) => {
    const started = await starting;
    running.push(started);
    return started;
  };
  try {
    logProgress(`PostgreSQL ${cluster.version}: filling ${sizes.small.devices} devices`);
    const world = await makeWorld(cluster, 'small', sizes.small);
    await makePeerTables(world.url);
    const service = await start(startService(world.environment, { logFile: join(folder, 'service.log') }));
    const bare = await start(
      startListening([peer], {
        environment: { PEER_DATABASE: world.url, PEER_WORLD: world.worldId, PEER_KEY: world.key },
        logFile: join(folder, 'peer.log'),
      }),
    );
    const common = { key: world.key, devices: world.size.devices, databasePid: cluster.pid };
    const ours = { ...common, name: 'service', url: service.url, path, pid: service.pid, mix: mixed };
    const theirs = { ...common, url: bare.url, pid: bare.pid, mix: knownOnly };
    const targets = await withConcurrency([
      ours,
      { ...ours, name: 'service, known', mix: knownOnly },
      { ...theirs, name: 'peer', path: '/rows' },
      { ...theirs, name: 'peer, batched', path: '/batched' },
    ]);
    logProgress('Saturated, alternating with the peer');
    const saturated = await measure.measureAlternating(targets, { seconds, rounds });
    const halfRate = halfOf(saturated);
    logProgress(`At half of the maximum: ${halfRate.toFixed(0)} per second`);
    const peers = targets.filter(({ name }) => name === 'peer');
    const half = [ours, ...peers].map(({ concurrency: _, ...target }) => ({ ...target, rate: halfRate }));
    const atHalf = await measure.measureAlternating(half, { seconds, rounds });
    const growth = large ? await measureGrowth(ours, halfRate) : { grown: [] };
    return { database: `PostgreSQL ${cluster.version}`, saturated, halfRate, atHalf, ...growth };
  } finally {
    for (const { stop } of running) await stop();
    await cluster.stop();
  }

  /** @param {Target[]} targets */
  async function withConcurrency(targets) {
    const found = [];
    for (const target of targets) {
      logProgress(`Warming up: ${target.name}`);
      await measure.warmUp(target);
      found.push({ ...target, concurrency: await measure.findConcurrency(target, Math.max(2, seconds / 5)) });
    }
    return found;
  }

  /** @param {Target} small @param {number} rate */
  async function measureGrowth(small, rate) {
    logProgress(`Filling ${sizes.large.devices} devices`);
    const world = await makeWorld(cluster, 'large', sizes.large);
    const service = await start(startService(world.environment, { logFile: join(folder, 'service-large.log') }));
    const grown = {
      ...small,
      name: 'large',
      url: service.url,
      pid: service.pid,
      key: world.key,
      devices: world.size.devices,
    };
    logProgress('Waiting until the database is idle');
    await measure.waitUntilIdle(cluster.pid);
    logProgress('Warming up: large');
    await measure.warmUp(grown);
    logProgress('Alternating between the small and the large world');
    const measured = await measure.measureAlternating(
      [
        { ...small, rate },
        { ...grown, rate },
      ],
      { seconds: seconds * 2, rounds: 6 },
    );
    const plans = await collectPlans(cluster, world, { logFile: join(folder, 'explained.log') });
    return { grown: measured, scanned: sequentialScans([...plans.values()].flat()) };
  }
}

/** @param {readonly Measured[]} saturated */
export function halfOf(saturated) {
  const own = saturated.filter(({ target }) => target === 'service').map(({ perSecond }) => perSecond);
  return own.reduce((sum, value) => sum + value, 0) / own.length / 2;
}
