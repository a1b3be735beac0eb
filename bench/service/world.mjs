import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requireFromService } from './of-service.mjs';
import { fillWorld } from './population.mjs';
import { query, withClient } from './postgresql.mjs';
import { makeProject, selectWorld } from './service.mjs';

/**
 * @typedef {object} World A database with a project, and a population in it.
 * @property {import('./service.mjs').Environment} environment For connecting the service to it.
 * @property {string} key
 * @property {Size} size
 * @property {string} worldId
 */

/** @typedef {{ devices: number, accesses: number, isBare?: boolean }} Size */

/** @type {Record<'small' | 'middling' | 'large', Size>} */
export const sizes = {
  small: { devices: 10_000, accesses: 50_000 },
  middling: { devices: 100_000, accesses: 500_000 },
  large: { devices: 1_000_000, accesses: 5_000_000 },
};

const { PGlite } = requireFromService('@electric-sql/pglite');
/** The embedded database's path in the service's folder: service/src/ground/db/database.ts. */
const embeddedFolder = 'database';
const secret = 'master secret of the benchmarks, 32 bytes or more';

/**
 * @param {import('./postgresql.mjs').Cluster} cluster
 * @param {string} name Of the database.
 * @param {Size} size
 * @param {import('./service.mjs').Environment} [more] Further settings.
 * @returns {Promise<World & { url: string }>}
 */
export async function makeWorld(cluster, name, size, more = {}) {
  await query(cluster.url('postgres'), `create database ${name}`);
  const url = cluster.url(name);
  const environment = { DATABASE_URL: url, WHORL_SECRET: secret, ...more };
  const key = await makeProject(environment);
  const worldId = await withClient(url, async (client) => {
    const { rows } = await client.query(selectWorld);
    await fillWorld(client, rows[0].id, size);
    return rows[0].id;
  });
  return { environment, key, size, worldId, url };
}

/** @param {Size} size @returns {Promise<World & { remove: () => Promise<void> }>} */
export async function makeEmbeddedWorld(size) {
  const folder = mkdtempSync(join(tmpdir(), 'whorl-bench-embedded-'));
  const environment = { DATA_FOLDER: folder, WHORL_SECRET: secret };
  const key = await makeProject(environment);
  const database = await PGlite.create(join(folder, embeddedFolder));
  const { rows } = await database.query(selectWorld);
  const [{ id: worldId }] = /** @type {[{ id: string }]} */ (rows);
  await fillWorld(database, worldId, size);
  await database.close();
  return { environment, key, size, worldId, remove: () => rm(folder, { recursive: true }) };
}
