import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema/index.js';
import type { LogPosition } from './position-rules.js';

/** Names a database among those of all servers. It is the same on a standby as on its primary. */
const identity = sql<string>`(select system_identifier from pg_control_system())::text || '/' ||
  (select oid from pg_database where datname = current_database())`;

/** State of a primary. */
export interface PrimaryState {
  readonly identity: string;
  /**
   * End of what was committed. Standbys get only what was flushed, which includes every commit, unless commits do not wait
   * for it.
   */
  readonly position: LogPosition;
}

export async function inspectPrimary(db: Kysely<Schema>): Promise<PrimaryState> {
  const { rows } = await sql<PrimaryState>`
    select ${identity} as identity, (case current_setting('synchronous_commit')
      when 'off' then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end)::text as position
  `.execute(db);
  const [state] = rows;
  if (!state) throw new Error('The server has not said where its log ends');
  return state;
}

/** State of a server that should be a standby. */
export interface StandbyState {
  readonly identity: string;
  readonly isStandby: boolean;
  /** Null if it is not a standby. */
  readonly replayed: LogPosition | null;
}

export async function inspectStandby(db: Kysely<Schema>): Promise<StandbyState | undefined> {
  const { rows } = await sql<StandbyState>`
    select ${identity} as identity, pg_is_in_recovery() as "isStandby", pg_last_wal_replay_lsn()::text as replayed
  `.execute(db);
  return rows[0];
}
