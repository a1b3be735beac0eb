import type { WorldMode } from '../../ground/db/schema/index.js';
import type { Caller, Service } from '../service.js';
import { findProject } from './find-project.js';
import { findWorldRow } from './queries/world-rows.js';
import { toWorld } from './worlds.js';

/**
 * Returns a caller with the rights of a project's secret key, for the command line.
 *
 * @throws OperatorError unless exactly one project has this name or ID.
 */
export async function findCommandCaller(
  { db }: Service,
  { project, mode }: { readonly project: string; readonly mode: WorldMode },
): Promise<Caller> {
  const { id } = await findProject(db, project);
  const row = await findWorldRow(db, id, mode);
  if (!row) throw new Error('The project has no world of this mode.');
  return { keyId: 'command line', kind: 'secret', ...toWorld(row) };
}
