import { sql } from 'kysely';
import type { Database } from '../../resources/service.js';

/** What a world has received so far. */
export interface Arrivals {
  /** Whether it has an evaluation that a server requested or consumed. */
  readonly evaluation: boolean;
  /** Whether a page requested an evaluation that no server has consumed. */
  readonly claim: boolean;
}

/** Returns whether a world has received an evaluation. Uses one index look-up each. */
export async function findArrivals(db: Database, worldId: string): Promise<Arrivals> {
  const { rows } = await sql<Arrivals>`
    select exists (select from evaluations where world_id = ${worldId}) as evaluation,
      exists (select from claims where world_id = ${worldId} and status = 'open') as claim
  `.execute(db);
  return rows[0] ?? { evaluation: false, claim: false };
}
