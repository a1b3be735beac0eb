// Measures what it costs to look an address up, and to read the files.
//   node service/addresses.mjs [--lookups 200000] [--markdown]
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { assertBuilt } from '../built.mjs';
import { formatTable } from '../cost/table.mjs';
import { requireFromService } from './of-service.mjs';
import { writeResult } from './results.mjs';

const { values } = parseArgs({
  options: {
    lookups: { type: 'string', default: '200000' },
    markdown: { type: 'boolean', default: false },
  },
});
const lookups = Number(values.lookups);
const listRanges = 300_000; // As many as iCloud Private Relay publishes.
const targetMicroseconds = 20;
const batch = 100;

assertBuilt('package', 'service');
const { openAddresses } = await import('../../service/dist/testing.js');
const folder = mkdtempSync(join(tmpdir(), 'whorl-bench-addresses-'));
try {
  const list = join(folder, 'list.txt');
  writeFileSync(list, Array.from({ length: listRanges }, randomRange).join('\n'));
  const country = requireFromService.resolve('@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb');
  const cases = [
    ['private addresses', { databases: [], lists: [] }, privateAddresses()],
    ['IPv4', { databases: [], lists: [] }, ipv4Addresses()],
    ['IPv6', { databases: [], lists: [] }, ipv6Addresses()],
    [
      'IPv4, with two more databases and a list of 300,000 ranges',
      { databases: [country, country], lists: [{ kind: 'relay', path: list }] },
      ipv4Addresses(),
    ],
    [
      'IPv6, with two more databases and a list of 300,000 ranges',
      { databases: [country, country], lists: [{ kind: 'relay', path: list }] },
      ipv6Addresses(),
    ],
  ];
  const rows = [];
  for (const [name, files, addresses] of cases) rows.push({ name, ...(await measure(files, addresses)) });
  const lines = [
    ['addresses', 'processor time, µs', 'median, µs', 'p99, µs', 'known', 'under 20 µs'],
    ...rows.map(({ name, processor, median, p99, known }) => [
      name,
      processor.toFixed(1),
      median.toFixed(1),
      p99.toFixed(1),
      `${Math.round(known * 100)}%`,
      processor < targetMicroseconds ? 'yes' : 'no',
    ]),
  ];
  console.log(formatTable(lines, { markdown: values.markdown }));
  console.log(`\nReading the databases that come with the service: ${rows[0].openMs.toFixed(0)} ms.`);
  const measured = { measuredAt: new Date().toISOString(), node: process.version, lookups, rows };
  console.error(`All results are in ${await writeResult('addresses', measured)}.`);
} finally {
  await rm(folder, { recursive: true });
}

/** Times batches of different addresses, because a clock is not exact enough for one look-up. */
async function measure(files, addresses) {
  const opening = performance.now();
  const { book, close } = await openAddresses(files, { log: console });
  const openMs = performance.now() - opening;
  try {
    for (const ip of addresses.slice(0, 20_000)) book.lookUp(ip);
    const usedBefore = process.cpuUsage();
    const times = [];
    let known = 0;
    for (let at = 0; at + batch <= addresses.length; at += batch) {
      const start = performance.now();
      for (let index = at; index < at + batch; index++) if (book.lookUp(addresses[index])) known += 1;
      times.push(((performance.now() - start) * 1000) / batch);
    }
    const { user, system } = process.cpuUsage(usedBefore);
    times.sort((a, b) => a - b);
    return {
      openMs,
      // Of the whole process, with garbage collection: other programs on the machine affect it little.
      processor: (user + system) / addresses.length,
      median: times[Math.floor(times.length / 2)],
      p99: times[Math.floor(times.length * 0.99)],
      known: known / addresses.length,
    };
  } finally {
    close();
  }
}

function random(limit) {
  return Math.floor(Math.random() * limit);
}

function privateAddresses() {
  return Array.from({ length: lookups }, () => `10.${random(256)}.${random(256)}.${random(256)}`);
}

function ipv4Addresses() {
  return Array.from({ length: lookups }, () => `${1 + random(222)}.${random(256)}.${random(256)}.${random(256)}`);
}

/** Addresses in announced networks: nearly all of the others are unused. */
function ipv6Addresses() {
  const csv = readFileSync(requireFromService.resolve('@ip-location-db/asn/asn-ipv6.csv'), 'utf8').split('\n');
  return Array.from({ length: lookups }, () => csv[random(csv.length - 1)].split(',')[0]);
}

function randomRange() {
  return `${1 + random(222)}.${random(256)}.${random(256)}.${random(64) * 4}/30`;
}
