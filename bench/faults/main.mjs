// Tests how the service handles failures of its infrastructure: runs every scenario under load and verifies the
// responses against the database.
//   node faults/main.mjs [--only <words of a name>] [--markdown]
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { formatTable } from '../cost/table.mjs';
import { makeCluster } from '../service/postgresql.mjs';
import { assertBuilt } from '../service/service.mjs';
import { headings, toCells } from './rows.mjs';
import { scenarios } from './scenarios.mjs';

const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, markdown: { type: 'boolean', default: false } },
});
assertBuilt();
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
    tell(name);
    const result = await run({ cluster, newFolder, tell }).catch((/** @type {unknown} */ error) => {
      console.error(error);
      failed.push(`${name}: it could not be completed: ${error}`);
    });
    if (!result) continue;
    results.push(result);
    tell(JSON.stringify(result));
  }
  console.log(formatTable([headings, ...results.map(toCells)], { markdown: values.markdown }));
  for (const { name, notes } of results) for (const note of notes) console.log(`${name}: ${note}`);
  const broken = [...failed, ...results.flatMap(brokenOf)];
  for (const each of broken) console.log(each);
  console.log(`\nNode ${process.version}, PostgreSQL ${version}, synced to disk at each commit.`);
  const isKept = results.every((result) => result.counts.unclear === 0 && isClean(result));
  process.exitCode = isKept && broken.length === 0 ? 0 : 1;
} finally {
  await cluster.stop('fast');
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
}

/** @param {import('./stage.mjs').Result} result */
function brokenOf({ name, broken, recoveryMs }) {
  const never = recoveryMs === undefined ? ['Not every process answered again'] : [];
  return [...never, ...broken].map((each) => `${name}: ${each}`);
}

/** @param {import('./stage.mjs').Result} result */
function isClean({ findings, forgets }) {
  const { lost, doubleChallenges, doubleCompletions, otherAnswers } = findings;
  return lost + doubleChallenges + doubleCompletions === 0 && (forgets || otherAnswers === 0);
}

function newFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'whorl-faults-'));
  folders.push(folder);
  return folder;
}

/** @param {string} text */
function tell(text) {
  console.error(`${new Date().toISOString().slice(11, 19)} ${text}`);
}
