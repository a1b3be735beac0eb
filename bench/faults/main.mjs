// Tests how the service handles failures of its infrastructure: runs every scenario under load and verifies the
// responses against the database.
//   node faults/main.mjs [--only <words of a name>] [--markdown]
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { assertBuilt } from '../built.mjs';
import { formatTable } from '../cost/table.mjs';
import { makeCluster } from '../service/postgresql.mjs';
import { brokenOf, isClean } from './outcome.mjs';
import { headings, toCells } from './rows.mjs';
import { scenarios } from './scenarios.mjs';

const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, markdown: { type: 'boolean', default: false } },
});
assertBuilt('package', 'service');
/** @type {string[]} */
const folders = [];
const cluster = makeCluster(newFolder(), { settings: { max_connections: '60' } });
await cluster.start();
try {
  const version = await cluster.version();
  const results = [];
  /** @type {string[]} */
  const failed = [];
  for (const { name, run } of scenarios.filter(({ name }) => name.includes(values.only))) {
    logProgress(name);
    const result = await run({ cluster, newFolder, logProgress }).catch((/** @type {unknown} */ error) => {
      console.error(error);
      failed.push(`${name}: the scenario failed: ${error}`);
    });
    if (!result) continue;
    results.push(result);
    logProgress(JSON.stringify(result));
  }
  console.log(formatTable([headings, ...results.map(toCells)], { markdown: values.markdown }));
  for (const { name, notes } of results) for (const note of notes) console.log(`${name}: ${note}`);
  const broken = [...failed, ...results.flatMap(brokenOf)];
  for (const each of broken) console.log(each);
  console.log(`\nNode ${process.version}, PostgreSQL ${version}, synced to disk at each commit.`);
  process.exitCode = results.every(isClean) && broken.length === 0 ? 0 : 1;
} finally {
  await cluster.stop('fast');
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
}

function newFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'whorl-faults-'));
  folders.push(folder);
  return folder;
}

/** @param {string} text */
function logProgress(text) {
  console.error(`${new Date().toISOString().slice(11, 19)} ${text}`);
}
