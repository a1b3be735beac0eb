import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema/index.js';
import type { Placement } from './placement-rules.js';

/** Returns the tables that Citus knows, without partitions, which follow their table. */
export async function readPlacements(db: Kysely<Schema>): Promise<Placement[]> {
  const { rows } = await sql<Placement>`
    select c.relname as table, p.colocationid as "group",
      case when p.partmethod = 'h' then 'distributed' when p.repmodel = 't' then 'copied' else 'local' end as kind,
      case when p.partmethod = 'h' then column_to_column_name(p.logicalrelid, p.partkey) end as column
    from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
    where not c.relispartition and c.relnamespace = current_schema()::regnamespace order by c.relname
  `.execute(db);
  return rows;
}
