import { sql } from 'kysely';
import { validate as isUuid } from 'uuid';
import type { Database } from '../../resources/service.js';

/** Tables of work on rules that runs in the background and stores its progress. */
type RunTable = 'rule_replays' | 'rule_searches';

export interface RunKey {
  readonly worldId: string;
  readonly id: string;
}

const isActive = sql<boolean>`status in ('waiting', 'running')`;

/** Returns the statements on the runs of one table. */
export function runsOf<Row extends { readonly report: object | null }>(table: RunTable) {
  const runs = sql.table(table);
  return {
    /** Returns a run of a world; undefined if there is none with this ID. */
    async find(db: Database, { worldId, id }: RunKey): Promise<Row | undefined> {
      if (!isUuid(id)) return undefined;
      const { rows } = await sql<Row>`select * from ${runs} where world_id = ${worldId} and id = ${id}`.execute(db);
      return rows[0];
    },

    /** Returns the newest runs of a world. */
    async list(db: Database, worldId: string, limit: number): Promise<Row[]> {
      const { rows } = await sql<Row>`
        select * from ${runs} where world_id = ${worldId} order by id desc limit ${sql.lit(limit)}
      `.execute(db);
      return rows;
    },

    /** Marks a run as running. Returns it, unless it has ended. */
    async begin(db: Database, { worldId, id }: RunKey): Promise<Row | undefined> {
      const { rows } = await sql<Row>`
        update ${runs} set status = 'running' where world_id = ${worldId} and id = ${id} and ${isActive} returning *
      `.execute(db);
      return rows[0];
    },

    /** Stores how far a run is. Returns false if it was cancelled. */
    async save(db: Database, { worldId, id }: RunKey, report: NonNullable<Row['report']>): Promise<boolean> {
      const { rows } = await sql`
        update ${runs} set report = ${JSON.stringify(report)}
        where world_id = ${worldId} and id = ${id} and status = 'running' returning id
      `.execute(db);
      return rows.length > 0;
    },

    /** Ends a run that has not ended. */
    async end(
      db: Database,
      { worldId, id }: RunKey,
      { status, at }: { readonly status: 'finished' | 'cancelled' | 'failed'; readonly at: Date },
    ): Promise<void> {
      await sql`
        update ${runs} set status = ${status}, ended_at = ${at}
        where world_id = ${worldId} and id = ${id} and ${isActive}
      `.execute(db);
    },

    /** Deletes old runs. Returns how many. */
    async removeOld(
      db: Database,
      worldId: string,
      { before, limit }: { readonly before: Date; readonly limit: number },
    ): Promise<number> {
      const { rows } = await sql`
        delete from ${runs} where world_id = ${worldId} and id in (
          select id from ${runs} where world_id = ${worldId} and created_at < ${before} limit ${sql.lit(limit)}
        ) returning id
      `.execute(db);
      return rows.length;
    },
  };
}
