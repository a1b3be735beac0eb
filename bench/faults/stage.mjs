import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requireOfService } from '../service/of-service.mjs';
import { query } from '../service/postgresql.mjs';
import { makeProject } from '../service/service.mjs';
import { readBack, recoveryMs, repeatAnswers } from './audit.mjs';
import { startLoad } from './load.mjs';
import { startProcesses } from './processes.mjs';

const { PGlite } = requireOfService('@electric-sql/pglite');
const secret = 'a master secret that the benchmark alone knows';
/** The embedded database's path in the service's folder: service/src/db/database.ts. */
const embeddedFolder = 'database';
/** How many requests must have responses before the fault, and again after it. */
const warm = 150;
/** How long that may take. */
const warmWithinMs = 120_000;
/** How long to wait for these responses after a fault. */
const recoversWithinMs = 30_000;
/** How long unfinished people may take at the end. */
const endsWithinMs = 60_000;

/** @typedef {import('../service/service.mjs').Environment} Environment */

/**
 * @typedef {object} Stage Processes under load, for a scenario to act on.
 * @property {import('./processes.mjs').Processes} processes
 * @property {import('./load.mjs').Load} load
 */

/**
 * @typedef {object} Result
 * @property {string} name
 * @property {import('./ledger.mjs').Counts} counts
 * @property {Readonly<Record<string, number>>} kinds
 * @property {import('./audit.mjs').Findings} findings
 * @property {number | undefined} recoveryMs
 * @property {readonly string[]} broken
 * @property {readonly string[]} notes
 * @property {boolean} forgets
 */

/**
 * @typedef {object} Passed
 * @property {number} over When the fault ended, on the clock of `performance.now()`.
 * @property {readonly string[]} [among] The processes that must recover by themselves. Default: all.
 * @property {string} [note]
 * @property {boolean} [forgets] Whether the fault makes stored responses expire.
 * @property {() => Promise<string>} [finish] Called after the load. Resolves to a note.
 */

/** @typedef {(stage: Stage) => Promise<Passed>} Play Causes the fault and ends it. */

/**
 * @typedef {object} Setting
 * @property {(index: number) => Environment} [environmentOf] Additional environment of a process.
 * @property {(world: { environment: Environment, key: string }) => Promise<void>} [prepare] Called before the processes
 *   start.
 */

/** How many processes share a database of a cluster. */
const together = 3;
let databases = 0;

/**
 * Runs a fault on processes that share a database of a cluster.
 *
 * @param {{ name: string, cluster: import('../service/postgresql.mjs').StoppableCluster, setting?: Setting }} options
 * @param {(stage: Stage & { database: string }) => Promise<Passed>} play
 * @returns {Promise<Result>}
 */
export async function onPostgresql({ name, cluster, setting = {} }, play) {
  const database = cluster.url(`faults_${databases++}`);
  await query(cluster.url('postgres'), `create database ${new URL(database).pathname.slice(1)}`);
  const environment = { DATABASE_URL: database, WHORL_SECRET: secret };
  const key = await makeProject(environment);
  await setting.prepare?.({ environment, key });
  return playOut(
    {
      name,
      key,
      count: together,
      environmentOf: (index) => ({
        ...environment,
        // Identifies the processes to the server.
        DATABASE_URL: `${database}?application_name=whorl-${index}`,
        ...setting.environmentOf?.(index),
      }),
      readAll: async (act) => act((statement, values) => query(database, statement, values)),
    },
    (stage) => play({ ...stage, database }),
  );
}

/**
 * Runs a fault on one process with the embedded database in a folder.
 *
 * @param {{ name: string, folder: string }} options
 * @param {Play} play
 * @returns {Promise<Result>}
 */
export async function onEmbedded({ name, folder }, play) {
  const environment = { DATA_FOLDER: folder, WHORL_SECRET: secret };
  const key = await makeProject(environment);
  return playOut(
    {
      name,
      key,
      count: 1,
      environmentOf: () => environment,
      // No other process may have the folder open.
      stopsFirst: true,
      readAll: async (act) => {
        const database = await PGlite.create(join(folder, embeddedFolder));
        try {
          return await act(async (statement, values) => (await database.query(statement, values)).rows);
        } finally {
          await database.close();
        }
      },
    },
    play,
  );
}

/**
 * @param {object} options
 * @param {string} options.name
 * @param {string} options.key
 * @param {number} options.count
 * @param {boolean} [options.stopsFirst]
 * @param {(index: number) => Environment} options.environmentOf
 * @param {<Value>(act: (read: import('./audit.mjs').Read) => Promise<Value>) => Promise<Value>} options.readAll
 * @param {Play} play
 * @returns {Promise<Result>}
 */
async function playOut({ name, key, count, stopsFirst, environmentOf, readAll }, play) {
  const folder = mkdtempSync(join(tmpdir(), 'whorl-faults-'));
  const processes = await startProcesses(environmentOf, { count, folder });
  const { urls } = processes;
  const load = startLoad({ urls, key });
  try {
    if (!(await load.answered(warm, warmWithinMs)))
      throw new Error('The service did not handle the load even before the fault.');
    const { over, among, note, forgets = false, finish } = await play({ processes, load });
    const { ledger } = load;
    if (!(await load.answered(warm, recoversWithinMs)))
      ledger.broken.push(`Fewer than ${warm} requests were answered in ${recoversWithinMs / 1000} s after the fault`);
    await load.end(endsWithinMs);
    const notes = [note, await finish?.()].filter((each) => each !== undefined);
    const repeated = await repeatAnswers({ urls, key }, ledger);
    if (stopsFirst) await processes.stop();
    const found = await readAll((read) => readBack(read, ledger));
    if (found.renewed > 0)
      notes.push(`${found.renewed} questions got a new challenge: by the clock, the first was over.`);
    return {
      name,
      counts: ledger.counts,
      kinds: ledger.kinds,
      findings: { ...found, ...repeated },
      recoveryMs: recoveryMs(among ?? urls, ledger, over),
      broken: ledger.broken,
      notes,
      forgets,
    };
  } finally {
    await load.end(0);
    await processes.stop();
    if (!process.env.WHORL_KEEP_LOGS) await rm(folder, { recursive: true });
  }
}
