// Tests what happens to requests while a machine, the network or etcd of a PostgreSQL cluster fails: PostgreSQL with
// synchronous replication on three machines under Patroni, with HAProxy in front. The machines are network namespaces.
//   node failover/main.mjs [--only <words of a name>] [--markdown]
import { parseArgs } from 'node:util';
import { assertBuilt } from '../built.mjs';
import { formatTable } from '../cost/table.mjs';
import { brokenOf, isClean } from '../faults/outcome.mjs';
import { countHeadings, toCountCells } from '../faults/rows.mjs';
import { startFailoverCluster } from './cluster.mjs';
import { scenariosOn } from './scenarios.mjs';

const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, markdown: { type: 'boolean', default: false } },
});
assertBuilt('package', 'service');
const cluster = await startFailoverCluster();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => cluster.stop().finally(() => process.exit(1)));
let isPassed = false;
try {
  await cluster.waitUntilHealthy();
  const versions = await cluster.versions();
  const results = [];
  /** @type {string[]} */
  const failed = [];
  for (const { name, run } of scenariosOn(cluster).filter((each) => each.name.includes(values.only))) {
    logProgress(name);
    const result = await run().catch((/** @type {unknown} */ error) => {
      console.error(error);
      failed.push(`${name}: the scenario failed: ${error}`);
    });
    if (!result) continue;
    results.push(result);
    logProgress(JSON.stringify(result));
  }
  const rows = results.map((result) => [...toCountCells(result), `${(result.longestPauseMs / 1000).toFixed(1)} s`]);
  console.log(formatTable([[...countHeadings, 'longest pause'], ...rows], { markdown: values.markdown }));
  for (const { name, notes } of results) for (const note of notes) console.log(`${name}: ${note}`);
  const broken = [...failed, ...results.flatMap(brokenOf)];
  for (const each of broken) console.log(each);
  console.log(`\nNode ${process.version}, ${versions.join(', ')}; synced to disk at each commit.`);
  isPassed = broken.length === 0 && results.every(isClean);
  process.exitCode = isPassed ? 0 : 1;
} finally {
  await cluster.stop({ keepsLogs: !isPassed });
  if (!isPassed) console.error(`The logs are in ${cluster.folder}.`);
}

/** @param {string} text */
function logProgress(text) {
  console.error(`${new Date().toISOString().slice(11, 19)} ${text}`);
}
