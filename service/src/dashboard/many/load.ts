import { validate as isUuid } from 'uuid';
import type { Caller, Service } from '../../resources/service.js';
import { namesOf } from '../actor-names.js';
import { type BulkActionRow, findBulkAction } from './queries.js';

/** An action on many rows. */
export interface ShownBulkAction {
  readonly row: BulkActionRow;
  /** Names of who did and undid it, by actor. */
  readonly names: ReadonlyMap<string, string>;
  readonly now: Date;
}

/** Reads an action on many rows. Returns undefined if the world has none with this ID. */
export async function loadBulkAction(
  service: Service,
  { worldId }: Caller,
  id: string,
): Promise<ShownBulkAction | undefined> {
  const row = isUuid(id) ? await findBulkAction(service.db, worldId, id) : undefined;
  if (!row) return undefined;
  const actors = [row.created_by, row.undone_by].flatMap((actor) => actor ?? []);
  return { row, names: await namesOf(service, actors), now: service.now() };
}
