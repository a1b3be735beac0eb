// Shows how PostgreSQL runs each statement of an evaluation, and fails if one scans a growing table sequentially.
//   node service/explain.mjs [--large]
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { assertBuilt } from '../built.mjs';
import { collectPlans, distinct, sequentialScans } from './plans.mjs';
import { startCluster } from './postgresql.mjs';
import { makeWorld, sizes } from './world.mjs';

const { values } = parseArgs({ options: { large: { type: 'boolean', default: false } } });
assertBuilt('package', 'service');
const folder = mkdtempSync(join(tmpdir(), 'whorl-bench-explain-'));
const cluster = await startCluster();
try {
  const world = await makeWorld(cluster, 'bench', values.large ? sizes.large : sizes.middling);
  const plans = await collectPlans(cluster, world, { logFile: join(folder, 'service.log') });
  const shown = new Set();
  for (const [kind, all] of plans) {
    console.log(`\n== ${kind}`);
    for (const { statement, text } of distinct(all)) {
      console.log(`\n${statement}`);
      if (!shown.has(statement)) console.log(text);
      else console.log('(as above)');
      shown.add(statement);
    }
  }
  const scanned = sequentialScans([...plans.values()].flat());
  console.log(`\nGrowing tables with sequential scans: ${scanned.join(', ') || 'none'}.`);
  process.exitCode = scanned.length > 0 ? 1 : 0;
} finally {
  await cluster.stop();
  await rm(folder, { recursive: true });
}
