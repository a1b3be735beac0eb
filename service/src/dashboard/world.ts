import { validate as isUuid } from 'uuid';
import { findWorldRow } from '../db/worlds.js';
import { toWorld } from '../jobs/worlds.js';
import type { Caller, Service } from '../service.js';

/** A project's live or test half, as a secret key would open it; undefined where there is none. */
export async function findDashboardCaller(
  { db }: Service,
  projectId: string,
  mode: string,
): Promise<Caller | undefined> {
  if (!isUuid(projectId) || (mode !== 'live' && mode !== 'test')) return undefined;
  const row = await findWorldRow(db, projectId, mode);
  return row && { keyId: 'dashboard', kind: 'secret', ...toWorld(row) };
}
