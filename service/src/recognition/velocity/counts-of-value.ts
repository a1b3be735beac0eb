import type { SubjectKind } from '../../ground/vocabulary.js';
import type { Caller, Service } from '../../resources/service.js';
import { findCounts } from './queries.js';
import type { SubjectCounts } from './rules/counts.js';
import { windowStarts } from './rules/slots.js';
import { toSubjectCounts } from './rules/windows.js';
import { valueKeys } from './subjects.js';

/** Returns how often an address, an ASN or an email domain was seen in the last day. */
export async function countsOfValue(
  { db, vault, ...service }: Pick<Service, 'db' | 'vault' | 'now'>,
  { worldId }: Caller,
  kind: Exclude<SubjectKind, 'user' | 'device'>,
  value: string,
): Promise<SubjectCounts> {
  const subjects = valueKeys(vault, worldId, kind, value);
  const kinds = subjects.map(() => kind);
  return toSubjectCounts(await findCounts(db, { worldId, kinds, subjects, ...windowStarts(service.now()) }));
}
