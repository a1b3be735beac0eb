import { OperatorError } from '../operator-error.js';
import type { Database } from '../service.js';
import { type ProjectRow, selectProjectsNamed } from './queries/projects.js';

/** @throws OperatorError if there is not exactly one of this name or id. */
export async function findProject(db: Database, nameOrId: string): Promise<ProjectRow> {
  const [project, ...others] = await selectProjectsNamed(db, nameOrId);
  if (!project) throw new OperatorError(`There is no project "${nameOrId}".`);
  if (others.length > 0) throw new OperatorError(`"${nameOrId}" names several projects: give the id of one.`);
  return project;
}
