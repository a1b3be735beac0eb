import type { ListEntry, ProjectFile } from 'whorl/wire';
import { entriesAt } from '../../resources/lists/read-entries.js';
import { findProject } from '../../resources/projects/find-project.js';
import { type ProjectRow, worldOf } from '../../resources/projects/queries/projects.js';
import type { Database, Service } from '../../resources/service.js';
import { type EndpointRow, listEndpointRows } from '../webhooks/queries/webhook-endpoints.js';
import { fileOf, type Mode, modes, type ProjectState, versionOf } from './rules/document.js';
import { fileEntryOf } from './rules/plan-lists.js';
import { completeSettings } from './rules/plan-settings.js';

/** Live or test world of a project, with its webhook endpoints, the oldest first. */
export interface ProjectWorld {
  readonly mode: Mode;
  readonly worldId: string;
  readonly endpoints: readonly EndpointRow[];
}

export interface CurrentProject {
  readonly row: ProjectRow;
  readonly worlds: readonly ProjectWorld[];
  /** Entries of lists that are in effect. */
  readonly entries: readonly ListEntry[];
  readonly state: ProjectState;
}

interface Reading extends Pick<Service, 'now'> {
  readonly db: Database;
}

/** Returns what a file describes of a project. @throws OperatorError if the project does not exist. */
export async function readProject({ db, now }: Reading, project: string): Promise<CurrentProject> {
  const row = await findProject(db, project);
  const worlds: ProjectWorld[] = [];
  for (const mode of modes) {
    const worldId = await worldOf(db, row.id, mode);
    worlds.push({ mode, worldId, endpoints: await listEndpointRows(db, worldId) });
  }
  const urlsOf = (mode: Mode) =>
    worlds.filter((world) => world.mode === mode).flatMap(({ endpoints }) => endpoints.map(({ url }) => url));
  const webhooks = { live: urlsOf('live'), test: urlsOf('test') };
  const entries = await entriesAt(db, row.id, now());
  const lists = entries.map(fileEntryOf);
  return { row, worlds, entries, state: { settings: completeSettings(row.settings), lists, webhooks } };
}

/** A project as a file, with the version by which later changes are detected. */
export interface ExportedProject {
  readonly file: ProjectFile;
  readonly version: string;
}

/**
 * Returns a project as a file, without secrets. `project`: name or ID.
 *
 * @throws OperatorError if the project does not exist.
 */
export async function exportProject(
  service: Pick<Service, 'db' | 'now' | 'publicUrl'>,
  { project }: { project: string },
): Promise<ExportedProject> {
  const { state } = await readProject(service, project);
  return asFile(service, state);
}

export function asFile({ publicUrl }: Pick<Service, 'publicUrl'>, state: ProjectState): ExportedProject {
  const file = fileOf(state, `${publicUrl}/schemas/project.json`);
  return { file, version: versionOf(file) };
}
