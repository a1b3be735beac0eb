import { OperatorError } from '../../ground/operator-error.js';
import type { Database } from '../service.js';
import { type ProjectRow, selectProjectsNamed } from './queries/projects.js';

/** Returns the project with this name or ID. @throws OperatorError unless there is exactly one. */
export async function findProject(db: Database, nameOrId: string): Promise<ProjectRow> {
  const [project, ...others] = await selectProjectsNamed(db, nameOrId);
  if (!project) throw new OperatorError(`There is no project "${nameOrId}". "project list" shows all projects.`);
  if (others.length > 0) throw new OperatorError(`Several projects match "${nameOrId}". Use the ID of one of them.`);
  return project;
}
