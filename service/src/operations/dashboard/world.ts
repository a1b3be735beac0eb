import { validate as isUuid } from 'uuid';
import type { Caller, Service } from '../../service.js';
import { findWorldId } from '../../store/queries/worlds.js';
import { readWorlds } from '../jobs/worlds.js';

/** A project's live or test half, as a secret key would open it; undefined where there is none. */
export async function findDashboardCaller(
  { db }: Service,
  projectId: string,
  mode: string,
): Promise<Caller | undefined> {
  if (!isUuid(projectId) || (mode !== 'live' && mode !== 'test')) return undefined;
  const worldId = await findWorldId(db, projectId, mode);
  const [world] = worldId === undefined ? [] : await readWorlds(db, worldId);
  return world && { keyId: 'dashboard', kind: 'secret', ...world };
}
