import type { Caller, Service } from '../service.js';
import { findWorldRow } from '../store/queries/worlds.js';
import type { WorldMode } from '../store/schema/index.js';
import { findProject } from './find-project.js';
import { toWorld } from './jobs/worlds.js';

/**
 * A world of a project as its secret key opens it, for the command line.
 *
 * @throws OperatorError if there is not exactly one project of this name or id.
 */
export async function findCommandCaller(
  { db }: Service,
  { project, mode }: { readonly project: string; readonly mode: WorldMode },
): Promise<Caller> {
  const { id } = await findProject(db, project);
  const row = await findWorldRow(db, id, mode);
  if (!row) throw new Error('A project lacks one of its worlds.');
  return { keyId: 'command line', kind: 'secret', ...toWorld(row) };
}
