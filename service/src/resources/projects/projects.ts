import type { Transaction } from 'kysely';
import type { KeyKind, KeyMode } from '../../ground/crypto/index.js';
import type { Schema } from '../../ground/db/schema/index.js';
import { OperatorError } from '../../ground/operator-error.js';
import { commandLine, type Origin, recordAudit } from '../audit/audit.js';
import type { Caller, Database, Service } from '../service.js';
import { writeKey } from './keys.js';
import {
  insertProject,
  insertWorld,
  lockProjects,
  type ProjectRow,
  selectProjects,
  selectProjectsNamed,
} from './queries/projects.js';
import { writeSigningKey } from './signing-keys.js';

export { findCaller, type KeyCaller } from './callers.js';
export { rotateKey } from './keys.js';
export { changeSettings, checkNewSettings, readSettings } from './settings.js';
export { publicKeys } from './signing-keys.js';

const MAX_NAME_LENGTH = 100;

export type Project = Caller['project'];

/** Keys of a world in clear text, shown only once. Only their hashes are stored. */
export type WorldKeys = Readonly<Record<KeyKind, string>>;

export interface CreatedProject {
  readonly project: Project;
  readonly keys: Readonly<Record<KeyMode, WorldKeys>>;
}

/**
 * Creates a project with a live and a test world, a key of each kind for both, and a key for signing tokens.
 *
 * @param input.createdBy Who creates it, for the audit log. Default: the command line.
 * @param input.network From where, for the audit log. Default: none.
 * @throws OperatorError if the name is taken, empty or longer than 100 characters.
 */
export function createProject(
  service: Service,
  { name, createdBy = commandLine, network }: { name: string; createdBy?: string; network?: string | undefined },
): Promise<CreatedProject> {
  if (!name.trim() || name.length > MAX_NAME_LENGTH) {
    throw new OperatorError(`The name of a project must have 1 to ${MAX_NAME_LENGTH} characters.`);
  }
  return service.db.transaction().execute(async (trx) => {
    await lockProjects(trx);
    const taken = await selectProjectsNamed(trx, name);
    if (taken.length > 0) throw new OperatorError(`There is already a project "${name}". Choose another name.`);
    return writeProject(service, trx, name, { by: createdBy, network });
  });
}

/**
 * Creates a project named `default` if there are no projects. If several processes start at once, one of them creates
 * it.
 */
export function createFirstProject(service: Service): Promise<CreatedProject | undefined> {
  return service.db.transaction().execute(async (trx) => {
    await lockProjects(trx);
    const existing = await selectProjects(trx);
    return existing.length > 0
      ? undefined
      : writeProject(service, trx, 'default', { by: 'first start', network: undefined });
  });
}

/** Returns whether any project exists. */
export async function hasProjects({ db }: Service): Promise<boolean> {
  return (await selectProjects(db)).length > 0;
}

/** Returns all projects, the oldest first. */
export async function listProjects({ db }: Service): Promise<Project[]> {
  return (await selectProjects(db)).map(toProject);
}

async function writeProject(
  service: Service,
  trx: Transaction<Schema>,
  name: string,
  origin: Origin,
): Promise<CreatedProject> {
  const project = { id: service.newId(), name, createdAt: service.now() };
  await insertProject(trx, { id: project.id, name, now: project.createdAt });
  await writeSigningKey(service, trx, { projectId: project.id, signsFrom: project.createdAt });
  const live = await writeWorld(service, trx, project.id, 'live');
  const test = await writeWorld(service, trx, project.id, 'test');
  await recordAudit(trx, service, { kind: 'project_created', ...origin, projectId: project.id });
  return { project, keys: { live, test } };
}

async function writeWorld(service: Service, db: Database, projectId: string, mode: KeyMode): Promise<WorldKeys> {
  const worldId = service.newId();
  await insertWorld(db, { id: worldId, projectId, mode });
  const secret = await writeKey(service, db, worldId, { kind: 'secret', mode, scopes: ['evaluate'] });
  const publishable = await writeKey(service, db, worldId, { kind: 'publishable', mode, scopes: [] });
  return { secret: secret.key, publishable: publishable.key };
}

function toProject({ id, name, created_at }: ProjectRow): Project {
  return { id, name, createdAt: created_at };
}
