import { readFile, stat } from 'node:fs/promises';
import { createRequests, mixed } from './requests.mjs';
import { startService } from './service.mjs';

/**
 * @typedef {object} Plan How PostgreSQL ran a statement, from auto_explain.
 * @property {string} statement
 * @property {string} text
 */

/** @typedef {keyof typeof mixed} Kind */

/** Tables that grow with the number of projects, keys and endpoints, and not with their use. */
const smallTables = new Set(['projects', 'worlds', 'api_keys', 'audit_log', 'webhook_endpoints']);
/** More than the five after which PostgreSQL may use one plan for all values. */
const requestsOfEachKind = 12;
const settings = [
  'session_preload_libraries=auto_explain',
  'auto_explain.log_min_duration=0',
  'auto_explain.log_analyze=on',
  // Includes the look-ups of foreign keys.
  'auto_explain.log_nested_statements=on',
];

/**
 * Sends some requests of each kind to a service whose connections explain their statements, and reads the plans.
 *
 * @param {import('./postgresql.mjs').Cluster} cluster
 * @param {import('./world.mjs').World & { url: string }} world
 * @param {{ logFile: string }} options `logFile`: the service's.
 * @returns {Promise<Map<Kind, Plan[]>>} By kind of request, in the order in which they ran.
 */
export async function collectPlans(cluster, world, { logFile }) {
  const url = new URL(world.url);
  url.searchParams.set('options', settings.map((setting) => `-c ${setting}`).join(' '));
  const environment = { ...world.environment, DATABASE_URL: url.href, WORKERS: 'false' };
  const service = await startService(environment, { logFile });
  try {
    const plans = new Map();
    for (const kind of /** @type {Kind[]} */ (Object.keys(mixed))) {
      // Plans are written before the response is sent.
      const { size: start } = await stat(cluster.logFile);
      await sendSome(`${service.url}/v2/device/evaluate`, world, kind);
      const log = await readFile(cluster.logFile);
      plans.set(kind, readPlans(log.subarray(start).toString('utf8')));
    }
    return plans;
  } finally {
    await service.stop();
  }
}

/** Fewer rows fit on one or two pages, for which an index gains nothing. */
const minRows = 100;
/** A plan node with a sequential scan: its table, the number of returned rows, and further details. */
const sequentialScan = /Seq Scan on (\w+)[^\n]*actual time=[^\n]* rows=(\d+)[^\n]*((?:\n(?! *->)[^\n]*)*)/g;

/**
 * Returns the growing tables that were scanned sequentially. Tables with very few rows in this world are excluded.
 *
 * @param {readonly Plan[]} plans
 * @returns {string[]}
 */
export function sequentialScans(plans) {
  const scans = plans.flatMap(({ text }) => [...text.matchAll(sequentialScan)]);
  const readRows = (/** @type {RegExpMatchArray} */ [, , rows, details = '']) =>
    Number(rows) + Number(/Rows Removed by Filter: (\d+)/.exec(details)?.[1] ?? 0);
  const tables = scans.filter((scan) => readRows(scan) >= minRows).map(([, table = '']) => table);
  return [...new Set(tables)].filter((table) => !smallTables.has(table));
}

/**
 * Returns the last plan of each statement.
 *
 * @param {readonly Plan[]} plans
 * @returns {Plan[]}
 */
export function distinct(plans) {
  return [...new Map(plans.map((plan) => [plan.statement, plan])).values()];
}

/** @param {string} url @param {import('./world.mjs').World} world @param {Kind} kind */
async function sendSome(url, { key, size }, kind) {
  const next = createRequests({ mix: { [kind]: 1 }, devices: size.devices });
  for (let sent = 0; sent < requestsOfEachKind; sent++) {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(next().body),
    });
    if (!answer.ok) throw new Error(`${kind}: ${answer.status} ${await answer.text()}`);
  }
}

/** @param {string} log Lines of one message are indented with a tab. @returns {Plan[]} */
function readPlans(log) {
  return log.split(/^(?!\t)/m).flatMap((message) => {
    if (!/ plan:$/m.test(message)) return [];
    const [, ...lines] = message.split('\n').map((line) => line.replace(/^\t/, ''));
    const start = lines.findIndex((line) => line.includes('(cost='));
    const statement = lines
      .slice(0, start)
      .join(' ')
      .replace(/^Query Text: /, '')
      .replace(/\s+/g, ' ');
    return [{ statement: statement.trim(), text: lines.slice(start).join('\n').trimEnd() }];
  });
}
