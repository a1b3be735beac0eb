import type { Access, Outcome, Page } from 'whorl/wire';
import type { PageRequest, Period } from '../ground/db/paging.js';
import type { Caller, Service } from '../resources/service.js';
import { findUserByExternalId } from '../resources/users/queries/users.js';
import { nameIndexes } from './normalised-request.js';
import { toAccess } from './present.js';
import { listAccessRows } from './queries/access-history.js';

export interface AccessHistoryRequest extends PageRequest, Period {
  /** The customer's ID of a user. */
  readonly user?: string | undefined;
  readonly device?: string | undefined;
  readonly outcome?: Outcome | undefined;
}

/**
 * Returns the access history, newest first (`GET /v2/proj/access-history`), or the failed attempts. An evaluation claimed
 * with a publishable key is included once it is consumed. An unknown user or device has an empty history.
 */
export async function accessHistory(
  service: Service,
  { worldId }: Caller,
  { user, device, outcome = 'succeeded', page, limit, start, end }: AccessHistoryRequest,
): Promise<Page<Access>> {
  const filter = { page, limit, start, end, deviceId: device, outcome };
  const known = user === undefined ? undefined : await findUserByExternalId(service.db, worldId, user);
  const { rows, total } = await listAccessRows(service.db, worldId, {
    ...filter,
    ...(known ? { userId: known.id } : user !== undefined && nameFilter(service, worldId, user)),
  });
  return { data: rows.map(toAccess), page, limit, total };
}

function nameFilter(service: Service, worldId: string, name: string) {
  return { name: { externalUser: name, indexes: nameIndexes(service, worldId, name) } };
}
