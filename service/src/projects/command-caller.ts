import type { WorldMode } from '../db/schema/index.js';
import { findWorldRow } from '../db/worlds.js';
import { toWorld } from '../jobs/worlds.js';
import type { Caller, Service } from '../service.js';
import { findProject } from './find-project.js';

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
