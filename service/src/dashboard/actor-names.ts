import { listMembers } from '../resources/admins/members.js';
import { administrator, keyNames } from '../resources/audit/audit.js';
import type { Service } from '../resources/service.js';

/** Returns the names of actors, as the audit log names them: email addresses of members, and the ends of keys. */
export async function namesOf(service: Service, actors: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (actors.length === 0) return new Map();
  const [members, keys] = await Promise.all([listMembers(service, undefined), keyNames(service.db, actors)]);
  return new Map([...members.map((member) => [administrator(member), member.email] as const), ...keys]);
}
