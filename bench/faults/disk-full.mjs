import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { makeCluster } from '../service/postgresql.mjs';
import { mountDisk } from './disk.mjs';
import { onEmbedded, onPostgresql } from './stage.mjs';

const megabytes = 256;
/** As small as possible, so that little data fills it. */
const smallLogs = { min_wal_size: '32MB', max_wal_size: '48MB', max_connections: '60' };
const afterFirstRefusalMs = 3000;
const maxWaitMs = 60_000;

/** @type {readonly import('./scenarios.mjs').Scenario[]} */
export const diskScenarios = [
  {
    name: "PostgreSQL's disk full, then freed",
    run: ({ logProgress }) =>
      onSmallDisk(logProgress, (disk) => fillUnderPostgresql("PostgreSQL's disk full, then freed", disk)),
  },
  {
    name: "The embedded database's disk full, then freed",
    run: ({ logProgress }) =>
      onSmallDisk(logProgress, (disk) => fillUnderEmbedded("The embedded database's disk full, then freed", disk)),
  },
];

/** @param {(text: string) => void} logProgress @param {(disk: import('./disk.mjs').Disk) => Promise<import('./stage.mjs').Result>} run */
async function onSmallDisk(logProgress, run) {
  if (process.getuid?.() !== 0) {
    logProgress('Skipped: mounting a small file system needs root.');
    return undefined;
  }
  const disk = mountDisk(megabytes);
  try {
    return await run(disk);
  } finally {
    disk.unmount();
  }
}

/** @param {string} name @param {import('./disk.mjs').Disk} disk */
async function fillUnderPostgresql(name, disk) {
  const cluster = makeCluster(disk.folder, { settings: smallLogs });
  await cluster.start();
  try {
    return await onPostgresql({ name, cluster }, async ({ load }) => {
      await fillUntilRefused(disk, load);
      disk.free();
      const isRunning = cluster.isRunning();
      // Does what a supervisor would do: PostgreSQL stops when it cannot write its log.
      if (!isRunning) {
        await cluster.stop('fast');
        await cluster.start();
      }
      const note = isRunning ? 'PostgreSQL kept running.' : 'PostgreSQL stopped and was restarted.';
      return { endedAt: performance.now(), note };
    });
  } finally {
    await cluster.stop('fast');
  }
}

/** @param {string} name @param {import('./disk.mjs').Disk} disk */
async function fillUnderEmbedded(name, disk) {
  const folder = join(disk.folder, 'data');
  mkdirSync(folder);
  return onEmbedded({ name, folder }, async ({ load }) => {
    await fillUntilRefused(disk, load);
    disk.free();
    return { endedAt: performance.now() };
  });
}

/** @param {import('./disk.mjs').Disk} disk @param {import('./load.mjs').Load} load */
async function fillUntilRefused(disk, load) {
  const { counts } = load.ledger;
  const failed = () => counts.refused + counts.unexpected + counts.disconnected;
  const before = failed();
  const end = performance.now() + maxWaitMs;
  while (failed() === before && performance.now() < end) {
    disk.fill();
    await pause(50);
  }
  const until = performance.now() + afterFirstRefusalMs;
  while (performance.now() < until) {
    disk.fill();
    await pause(50);
  }
}
