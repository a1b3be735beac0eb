import { join } from 'node:path';
import { createMeasure } from './measure.mjs';
import { halfOf } from './postgresql-run.mjs';
import { mixed } from './requests.mjs';
import { startService } from './service.mjs';
import { makeEmbeddedWorld, sizes } from './world.mjs';

const rounds = 3;

/**
 * Measures the embedded database, without the peer, which needs a server, and without the large world.
 *
 * @param {import('./load-process.mjs').LoadProcess} load
 * @param {{ seconds: number, folder: string, logProgress: (text: string) => void }} options
 * @returns {Promise<import('./postgresql-run.mjs').Run>}
 */
export async function runOnEmbedded(load, { seconds, folder, logProgress }) {
  const measure = createMeasure(load);
  logProgress(`Embedded database: filling ${sizes.small.devices} devices`);
  const world = await makeEmbeddedWorld(sizes.small);
  try {
    const service = await startService(world.environment, { logFile: join(folder, 'service-embedded.log') });
    try {
      const { key, size } = world;
      const target = {
        name: 'service',
        url: service.url,
        path: '/v2/device/evaluate',
        key,
        devices: size.devices,
        mix: mixed,
        pid: service.pid,
      };
      logProgress('Warming up: service');
      await measure.warmUp(target);
      const concurrency = await measure.findConcurrency(target, Math.max(2, seconds / 5));
      logProgress('Saturated');
      const saturated = await measure.measureAlternating([{ ...target, concurrency }], { seconds, rounds });
      const halfRate = halfOf(saturated);
      logProgress(`At half of the maximum: ${halfRate.toFixed(0)} per second`);
      const atHalf = await measure.measureAlternating([{ ...target, rate: halfRate }], { seconds, rounds });
      return { database: 'embedded', saturated, halfRate, atHalf, grown: [] };
    } finally {
      await service.stop();
    }
  } finally {
    await world.remove();
  }
}
