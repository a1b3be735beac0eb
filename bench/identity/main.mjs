// Measures which libraries recognise the same device: real browsers, whorl and its peers side by side, one case after
// the other.
//   npm run --silent --prefix bench identity [-- --only <pattern>] [--short] [--held-out] [--no-peers] [--markdown] [--record] [--docs]
//   … --from <results.json>: no browsers, the report of an earlier run
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { provenance } from '../provenance.mjs';
import { listCases } from './case-list.mjs';
import { document } from './document.mjs';
import { readLibraries, versions } from './libraries.mjs';
import { record } from './record.mjs';
import { report } from './report.mjs';
import { runCase } from './run-case.mjs';
import { startServer } from './server.mjs';
import { NotAvailable } from './settings.mjs';

/**
 * @typedef {{ id: string, kind: import('./cases.mjs').Kind, reference?: string, elapsedDays?: number, mayChange: readonly string[], reading: import('./visits.mjs').Reading }} Outcome
 * @typedef {{ startedAt: string, measured?: import('../provenance.mjs').Provenance, versions: Record<string, string>, outcomes: Outcome[], leftOut: { id: string, reason: string }[] }} Results
 */

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    short: { type: 'boolean', default: false },
    'held-out': { type: 'boolean', default: false },
    'no-peers': { type: 'boolean', default: false },
    markdown: { type: 'boolean', default: false },
    from: { type: 'string' },
    docs: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
  },
});

const results = options.from ? JSON.parse(await readFile(options.from, 'utf8')) : await runAndKeep();
report(results, { markdown: options.markdown });
if (options.docs) await document(results);
if (options.record) await record(results, { heldOut: options['held-out'] });
// The browsers' pipes would keep the process alive.
process.exit(results.leftOut.some(({ reason }) => reason.startsWith('failed')) ? 1 : 0);

async function runAndKeep() {
  const all = await runAll();
  const folder = fileURLToPath(new URL('results/', import.meta.url));
  await mkdir(folder, { recursive: true });
  const file = join(folder, `identity-${all.startedAt.replaceAll(/[:.]/g, '-')}.json`);
  await writeFile(file, JSON.stringify(all));
  console.error(`\nEvery reading: ${file}`);
  return all;
}

/** @returns {Promise<Results>} */
async function runAll() {
  const server = await startServer(await readLibraries({ withPeers: !options.short && !options['no-peers'] }));
  /** @type {Results} */
  const all = { startedAt: new Date().toISOString(), versions, outcomes: [], leftOut: [] };
  try {
    for (const each of selectCases()) {
      const startedAt = performance.now();
      try {
        const reading = await runCase(each, server);
        const { id, kind, reference, elapsedDays, mayChange = [] } = each;
        all.outcomes.push({
          id,
          kind,
          ...(reference && { reference }),
          ...(elapsedDays && { elapsedDays }),
          mayChange,
          reading,
        });
        console.error(`${id}  ${reading.fingerprint}  ${Math.round(performance.now() - startedAt)} ms`);
      } catch (error) {
        const reason = error instanceof NotAvailable ? error.message : `failed: ${error}`;
        all.leftOut.push({ id: each.id, reason });
        console.error(`${each.id}  skipped: ${reason}`);
      }
    }
  } finally {
    await server.close();
  }
  return { ...all, measured: provenance() };
}

function selectCases() {
  const all = listCases({ heldOut: options['held-out'] }).filter(({ inShort }) => inShort || !options.short);
  if (options.only === undefined) return all;
  const pattern = new RegExp(options.only);
  const wanted = all.filter(({ id }) => pattern.test(id));
  const references = new Set(wanted.map(({ reference }) => reference));
  return all.filter((each) => wanted.includes(each) || references.has(each.id));
}
