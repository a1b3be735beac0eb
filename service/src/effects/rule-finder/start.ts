import { enqueue } from '../../resources/queue/index.js';
import type { Service } from '../../resources/service.js';
import { insertSearch, type SearchRow, searches } from './queries.js';
import type { Target } from './rules/find.js';

/** Starts a search in the background. Returns its ID, or undefined if one of the world has not ended. */
export async function startSearch(
  service: Service,
  { worldId, target }: { readonly worldId: string; readonly target: Target },
): Promise<string | undefined> {
  const id = service.newId();
  return service.db.transaction().execute(async (trx) => {
    if (!(await insertSearch(trx, { worldId, id }, { target, at: service.now() }))) return undefined;
    await enqueue(trx, 'find_rule', { worldId, searchId: id });
    return id;
  });
}

/** Returns a search of a world; undefined if there is none with this ID. */
export function retrieveSearch({ db }: Service, worldId: string, id: string): Promise<SearchRow | undefined> {
  return searches.find(db, { worldId, id });
}

/** Cancels a search that has not ended. */
export async function cancelSearch({ db, now }: Service, { world_id, id }: SearchRow): Promise<void> {
  await searches.end(db, { worldId: world_id, id }, { status: 'cancelled', at: now() });
}
