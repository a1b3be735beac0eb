import { findPostgresql } from '../../../scripts/find-postgresql.mjs';
import { startCluster, startStandby } from './cluster.js';
import type { FreshDatabase } from './databases.js';
import { makeTables } from './make-tables.js';
import { runSql } from './run-sql.js';
import { waitFor } from './wait-for.js';

const NAME = 'shop';

/** A primary with all tables and no rows, and a standby that follows it. */
export interface Replicated {
  readonly primary: FreshDatabase;
  readonly primaryUrl: string;
  readonly standbyUrl: string;
  /** Runs a statement on the standby, and returns its first value. */
  onStandby(statement: string): Promise<unknown>;
  /** Waits until the standby has everything that was committed on the primary. */
  catchUp(): Promise<void>;
  killStandby(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts both servers. */
export async function startReplicated(): Promise<Replicated> {
  const programs = findPostgresql();
  if (!programs) throw new Error('PostgreSQL is not installed');
  const primary = await startCluster(programs);
  await runSql(primary.url('postgres'), `create database ${NAME}`);
  const primaryUrl = primary.url(NAME);
  await makeTables({ kind: 'postgresql', url: primaryUrl });
  const standby = await startStandby(programs, primary);
  const standbyUrl = standby.url(NAME);
  return {
    primary: { options: { kind: 'postgresql', url: primaryUrl }, drop: () => Promise.resolve() },
    primaryUrl,
    standbyUrl,
    onStandby: (statement) => runSql(standbyUrl, statement),
    async catchUp() {
      const position = await runSql(primaryUrl, 'select pg_current_wal_insert_lsn()::text');
      const isReached = () => runSql(standbyUrl, `select pg_last_wal_replay_lsn() >= '${position}'::pg_lsn`);
      await waitFor(async () => (await isReached()) === true, { what: 'the standby to catch up' });
    },
    killStandby: () => standby.kill(),
    async stop() {
      await standby.stop();
      await primary.stop();
    },
  };
}
