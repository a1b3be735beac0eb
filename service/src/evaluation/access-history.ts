import type { Access, Page } from 'whorl/wire';
import { toAccess } from '../challenges/views.js';
import type { PageRequest, Period } from '../db/paging.js';
import type { Caller, Service } from '../service.js';
import { findUser } from '../users/queries/users.js';
import { listAccessRows } from './queries/access-history.js';

export interface AccessHistoryRequest extends PageRequest, Period {
  /** A user: the customer's identifier, or else the service's. */
  readonly user?: string | undefined;
  readonly device?: string | undefined;
}

/**
 * Who did what from where, newest first (GET /v2/proj/access-history). What a publishable key claimed is an access once
 * it was consumed. A user or device that is not known has an empty history.
 */
export async function accessHistory(
  service: Service,
  { worldId }: Caller,
  { user, device, page, limit, start, end }: AccessHistoryRequest,
): Promise<Page<Access>> {
  const filter = { page, limit, start, end, deviceId: device };
  const known = user === undefined ? undefined : await findUser(service.db, worldId, user);
  const { rows, total } = await listAccessRows(service.db, worldId, {
    ...filter,
    ...(known ? { userId: known.id } : { externalUser: user }),
  });
  return { data: rows.map(toAccess), page, limit, total };
}
