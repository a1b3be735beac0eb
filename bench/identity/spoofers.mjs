// Measures which spoofed and automated browsers on this machine are detected, and whether the device is still
// recognised.
//   node identity/spoofers.mjs [--identities 50] [--markdown] [--from FILE]
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { formatTable } from '../cost/table.mjs';
import { provenance } from '../provenance.mjs';
import { hands, headlessByHand, readByHand, within, withScreen } from './spoofers/by-hand.mjs';
import { drivers } from './spoofers/driven.mjs';
import { drawIdentities } from './spoofers/identities.mjs';
import { evidenceTable, peerTable, postedTable, spoofedTable } from './spoofers/report.mjs';
import { runSpoofers } from './spoofers/runs.mjs';
import { startServer } from './spoofers/server.mjs';

const { values } = parseArgs({
  options: {
    identities: { type: 'string', default: '50' },
    markdown: { type: 'boolean', default: false },
    from: { type: 'string' },
  },
});
const result = values.from ? JSON.parse(await readFile(values.from, 'utf8')) : await measure();
const { version, runs, clean, driven, measured } = result;
console.log(`Chromium ${version}\n`);
for (const table of [
  spoofedTable(runs),
  peerTable(runs),
  evidenceTable(runs),
  postedTable(clean),
  postedTable(driven),
]) {
  console.log(`${formatTable(table, { markdown: values.markdown, measured })}\n`);
}

async function measure() {
  const server = await startServer();
  try {
    const { clean, driven } = await withScreen((display) => readPosted(server, display));
    const spoofed = await runSpoofers(server.origin, drawIdentities(Number(values.identities)), 10);
    const all = { measuredAt: new Date().toISOString(), measured: provenance(), ...spoofed, clean, driven };
    const folder = new URL('results/', import.meta.url);
    await mkdir(folder, { recursive: true });
    const file = new URL(`spoofers-${all.measuredAt.replace(/[:.]/g, '-')}.json`, folder);
    await writeFile(file, `${JSON.stringify(all, undefined, 2)}\n`);
    console.error(`All readings are in ${file.pathname}.`);
    return all;
  } finally {
    await server.close();
  }
}

/**
 * Reads browsers that post their results: some without a driver, and some whose page a driver opened.
 *
 * @param {import('./spoofers/server.mjs').SpoofersServer} server
 * @param {string} display
 */
async function readPosted(server, display) {
  const clean = [];
  const driven = [];
  for (const hand of [...hands, headlessByHand]) {
    console.error(hand.name);
    const posted = await readByHand(server, hand, display);
    if (posted) (hand === headlessByHand ? driven : clean).push({ name: hand.name, posted });
  }
  for (const { name, open } of drivers) {
    console.error(name);
    const posting = server.posted(name);
    try {
      const close = await open(`${server.origin}/?post=${encodeURIComponent(name)}`, display);
      try {
        driven.push({ name, posted: await within(90_000, name, posting) });
      } finally {
        await close();
      }
    } catch (error) {
      console.error(`${name} skipped: ${error}`);
    }
  }
  return { clean, driven };
}
