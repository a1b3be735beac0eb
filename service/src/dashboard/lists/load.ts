import type { ListEntry, ListKind } from 'whorl/wire';
import type { Caller, Service } from '../../resources/service.js';
import { findUserByExternalId } from '../../resources/users/queries/users.js';
import { namesOf } from '../actor-names.js';

/** Returns the names of those who added or ended entries, by actor. */
export function actorNames(service: Service, entries: readonly ListEntry[]): Promise<ReadonlyMap<string, string>> {
  const actors = entries.flatMap(({ created_by, ended_by }) => [
    created_by,
    ...(ended_by === undefined ? [] : [ended_by]),
  ]);
  return namesOf(service, actors);
}

/** Returns an entered value of a list. Spaces around the ID of a user only count if there is such a user. */
export async function enteredValue(
  { service, caller }: { readonly service: Service; readonly caller: Caller },
  kind: ListKind,
  text: string,
): Promise<string> {
  const isExact = kind === 'user' && (await findUserByExternalId(service.db, caller.worldId, text)) !== undefined;
  return isExact ? text : text.trim();
}
