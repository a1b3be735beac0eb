import type { ListEntry } from 'whorl/wire';
import { listMembers } from '../../resources/admins/members.js';
import { administrator, keyNames } from '../../resources/audit/audit.js';
import type { Service } from '../../resources/service.js';

/** Returns the names of those who added or ended entries, by actor: email addresses of members, and the ends of keys. */
export async function actorNames(
  service: Service,
  entries: readonly ListEntry[],
): Promise<ReadonlyMap<string, string>> {
  const actors = entries.flatMap(({ created_by, ended_by }) => [
    created_by,
    ...(ended_by === undefined ? [] : [ended_by]),
  ]);
  if (actors.length === 0) return new Map();
  const [members, keys] = await Promise.all([listMembers(service, undefined), keyNames(service.db, actors)]);
  return new Map([...members.map((member) => [administrator(member), member.email] as const), ...keys]);
}
