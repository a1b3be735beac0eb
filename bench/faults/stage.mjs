import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requireFromService } from '../service/of-service.mjs';
import { query } from '../service/postgresql.mjs';
import { makeProject } from '../service/service.mjs';
import { longestPauseMs, readBack, recoveryMs, repeatRequests } from './audit.mjs';
import { startLoad } from './load.mjs';
import { startProcesses } from './processes.mjs';

const { PGlite } = requireFromService('@electric-sql/pglite');
const secret = 'master secret of the benchmarks, 32 bytes or more';
/** The embedded database's path in the service's folder: service/src/ground/db/database.ts. */
const embeddedFolder = 'database';
/** Number of requests that must have responses before the fault, and again after it. */
const minResponses = 150;
/** Time limit for the responses before the fault. */
const warmUpTimeoutMs = 120_000;
/** Time limit for the responses after the fault. */
const recoveryTimeoutMs = 30_000;
/** Default of the time limit for the people who have not finished when the load ends. */
const defaultShutdownTimeoutMs = 60_000;

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
 * @property {number} longestPauseMs The longest time without a 2xx response.
 * @property {readonly string[]} broken
 * @property {readonly string[]} notes
 * @property {boolean} expiresResponses
 */

/**
 * @typedef {object} FaultOutcome
 * @property {number} [begunAt] When the fault began, on the clock of `performance.now()`. Default: when it was called.
 * @property {number} endedAt When the fault ended, on the clock of `performance.now()`.
 * @property {readonly string[]} [survivors] URLs of the processes that must recover without a restart. Default: all.
 * @property {string} [note]
 * @property {boolean} [expiresResponses] Whether the fault makes stored responses expire.
 * @property {() => Promise<string>} [finish] Called after the load. Resolves to a note.
 */

/** @typedef {(stage: Stage) => Promise<FaultOutcome>} CauseFault Causes the fault and ends it. */

/**
 * @typedef {object} Setting
 * @property {(index: number) => Environment} [environmentOf] Additional environment of a process.
 * @property {(world: { environment: Environment, key: string }) => Promise<void>} [prepare] Called before the processes
 *   start.
 */

/** Number of processes that share a database of a cluster. */
const processCount = 3;
let databases = 0;

/**
 * Runs a fault on processes that share a database of a cluster.
 *
 * @param {object} options
 * @param {string} options.name
 * @param {{ url: (database: string) => string }} options.cluster
 * @param {Setting} [options.setting]
 * @param {number} [options.shutdownTimeoutMs] Time limit for the people who have not finished when the load ends.
 * @param {(stage: Stage & { database: string }) => Promise<FaultOutcome>} causeFault
 * @returns {Promise<Result>}
 */
export async function onPostgresql({ name, cluster, setting = {}, shutdownTimeoutMs }, causeFault) {
  const database = cluster.url(`faults_${databases++}`);
  await query(cluster.url('postgres'), `create database ${new URL(database).pathname.slice(1)}`);
  const environment = { DATABASE_URL: database, WHORL_SECRET: secret };
  const key = await makeProject(environment);
  await setting.prepare?.({ environment, key });
  return runFault(
    {
      name,
      key,
      count: processCount,
      ...(shutdownTimeoutMs && { shutdownTimeoutMs }),
      environmentOf: (index) => ({
        ...environment,
        // Identifies the processes to the server.
        DATABASE_URL: `${database}?application_name=whorl-${index}`,
        ...setting.environmentOf?.(index),
      }),
      readAll: async (act) => act((statement, values) => query(database, statement, values)),
    },
    (stage) => causeFault({ ...stage, database }),
  );
}

/**
 * Runs a fault on one process with the embedded database in a folder.
 *
 * @param {{ name: string, folder: string }} options
 * @param {CauseFault} causeFault
 * @returns {Promise<Result>}
 */
export async function onEmbedded({ name, folder }, causeFault) {
  const environment = { DATA_FOLDER: folder, WHORL_SECRET: secret };
  const key = await makeProject(environment);
  return runFault(
    {
      name,
      key,
      count: 1,
      environmentOf: () => environment,
      // No other process may have the folder open.
      stopsBeforeReading: true,
      readAll: async (act) => {
        const database = await PGlite.create(join(folder, embeddedFolder));
        try {
          return await act(async (statement, values) => (await database.query(statement, values)).rows);
        } finally {
          await database.close();
        }
      },
    },
    causeFault,
  );
}

/**
 * @param {object} options
 * @param {string} options.name
 * @param {string} options.key
 * @param {number} options.count
 * @param {boolean} [options.stopsBeforeReading]
 * @param {number} [options.shutdownTimeoutMs]
 * @param {(index: number) => Environment} options.environmentOf
 * @param {<Value>(act: (read: import('./audit.mjs').Read) => Promise<Value>) => Promise<Value>} options.readAll
 * @param {CauseFault} causeFault
 * @returns {Promise<Result>}
 */
async function runFault(options, causeFault) {
  const { name, key, count, stopsBeforeReading, environmentOf, readAll } = options;
  const { shutdownTimeoutMs = defaultShutdownTimeoutMs } = options;
  const folder = mkdtempSync(join(tmpdir(), 'whorl-faults-'));
  const processes = await startProcesses(environmentOf, { count, folder });
  const { urls } = processes;
  const load = startLoad({ urls, key });
  try {
    if (!(await load.answered(minResponses, warmUpTimeoutMs)))
      throw new Error('The service did not handle the load even before the fault.');
    const calledAt = performance.now();
    const outcome = await causeFault({ processes, load });
    const { begunAt = calledAt, endedAt, survivors, note, expiresResponses = false, finish } = outcome;
    const { ledger } = load;
    if (!(await load.answered(minResponses, recoveryTimeoutMs)))
      ledger.broken.push(
        `Fewer than ${minResponses} requests got a response within ${recoveryTimeoutMs / 1000} s after the fault`,
      );
    await load.end(shutdownTimeoutMs);
    const notes = [note, await finish?.()].filter((each) => each !== undefined);
    const repeated = await repeatRequests({ urls, key }, ledger);
    if (stopsBeforeReading) await processes.stop();
    const found = await readAll((read) => readBack(read, ledger));
    if (found.renewed > 0)
      notes.push(`${found.renewed} combinations got a new challenge, because the first had expired by that clock.`);
    return {
      name,
      counts: ledger.counts,
      kinds: ledger.kinds,
      findings: { ...found, ...repeated },
      recoveryMs: recoveryMs(survivors ?? urls, ledger, endedAt),
      longestPauseMs: longestPauseMs(ledger, begunAt),
      broken: ledger.broken,
      notes,
      expiresResponses,
    };
  } finally {
    await load.end(0);
    await processes.stop();
    if (!process.env.WHORL_KEEP_LOGS) await rm(folder, { recursive: true });
  }
}
