import type { ListEntry } from 'whorl/wire';
import type { Service } from '../../resources/service.js';
import { namesOf } from '../actor-names.js';

/** Returns the names of those who added or ended entries, by actor. */
export function actorNames(service: Service, entries: readonly ListEntry[]): Promise<ReadonlyMap<string, string>> {
  const actors = entries.flatMap(({ created_by, ended_by }) => [
    created_by,
    ...(ended_by === undefined ? [] : [ended_by]),
  ]);
  return namesOf(service, actors);
}
