import type { ProjectChange } from 'whorl/wire';
import { OperatorError } from '../../ground/operator-error.js';
import { endEntries, storeEntries } from '../../resources/lists/change-entries.js';
import { forgetCallers } from '../../resources/projects/callers.js';
import { lockProjects } from '../../resources/projects/queries/projects.js';
import { storeSettings } from '../../resources/projects/settings.js';
import type { Service, Transaction } from '../../resources/service.js';
import { eraseEndpoint, writeEndpoint } from '../webhooks/endpoints.js';
import type { EndpointRow } from '../webhooks/queries/webhook-endpoints.js';
import { createWebhookSecret } from '../webhooks/sign.js';
import { checkReceivers, type Receivers } from './check-receivers.js';
import { asFile, type CurrentProject, type ExportedProject, readProject } from './read-project.js';
import { settingChanges, webhookChanges } from './rules/changes.js';
import type { Mode } from './rules/document.js';
import { planEndpoints, type WorldPlan } from './rules/plan-endpoints.js';
import { type ListsPlan, planLists } from './rules/plan-lists.js';
import { planSettings, type SettingsPlan } from './rules/plan-settings.js';
import { type FileIssue, type ReadFile, readFile } from './rules/read-file.js';

export interface ProjectFileToApply {
  /** Name or ID. */
  readonly project: string;
  /** Parsed JSON. */
  readonly file: unknown;
  /** Who makes the changes, for the audit log. */
  readonly changedBy: string;
  /** Network from where they are made. Default: none. */
  readonly network?: string | undefined;
  /** Whether only the changes are returned. Default: false. */
  readonly isDryRun?: boolean;
  /** Returns whether the file is based on a version. Default: any. */
  readonly isBasedOn?: (version: string) => boolean;
}

export interface AppliedProject {
  readonly changes: readonly ProjectChange[];
  /** The project after the changes, also if nothing was changed because of `isDryRun`. */
  readonly after: ExportedProject;
  /** Version of the project now. */
  readonly version: string;
}

/** A file has problems. Nothing was changed. */
export class InvalidProjectFile extends OperatorError {
  readonly issues: readonly FileIssue[];

  constructor(issues: readonly FileIssue[]) {
    const lines = issues.map(({ path, message }) => `  ${path || 'The file'} ${message}`);
    super(`Nothing was changed, because the file has errors:\n${lines.join('\n')}`);
    this.name = 'InvalidProjectFile';
    this.issues = issues;
  }
}

/** The project was changed by someone else in the meantime. */
export class ProjectHasChanged extends OperatorError {
  constructor() {
    super('The project was changed in the meantime. Nothing was changed now. Try again.');
    this.name = 'ProjectHasChanged';
  }
}

/**
 * Changes a project to what a file says, in one transaction, and records each change in the audit log. Applying a file
 * again changes nothing. A new webhook endpoint gets a secret that is not returned, because output of this command and
 * responses are often logged: rotate it to read one.
 *
 * @throws OperatorError if the project does not exist; InvalidProjectFile with all problems; ProjectHasChanged
 */
export async function applyProjectFile(service: Service, toApply: ProjectFileToApply): Promise<AppliedProject> {
  const read = readFile(toApply.file);
  const receivers = await checkReceivers(service, toApply.project, read);
  const applied = await service.db.transaction().execute(async (trx) => {
    await lockProjects(trx);
    const current = await readProject({ db: trx, now: () => service.now() }, toApply.project);
    const before = asFile(service, current.state);
    if (toApply.isBasedOn?.(before.version) === false) throw new ProjectHasChanged();
    const plan = planChanges(current, read, { receivers, now: service.now() });
    const isStored = plan.changes.length > 0 && !toApply.isDryRun;
    if (isStored) await store(trx, service, { current, plan, origin: toApply });
    const after = asFile(service, stateAfter(current, plan));
    return { changes: plan.changes, after, version: isStored ? after.version : before.version };
  });
  forgetCallers(service);
  return applied;
}

interface Plan {
  /** Undefined if the file has no settings. */
  readonly settings: SettingsPlan | undefined;
  /** Undefined if the file has no lists. */
  readonly lists: ListsPlan | undefined;
  readonly worlds: readonly WorldPlan<EndpointRow>[];
  readonly changes: readonly ProjectChange[];
}

/** @throws InvalidProjectFile; ProjectHasChanged */
function planChanges(
  { row, worlds, entries, state }: CurrentProject,
  read: ReadFile,
  { receivers, now }: { readonly receivers: Receivers; readonly now: Date },
): Plan {
  const settings = read.settings && planSettings(row.settings, read.settings);
  const lists = read.lists && planLists(entries, read.lists, now);
  const planned = worlds.map((world) => planEndpoints(world, read.webhooks?.[world.mode], receivers));
  if (planned.some(({ hasUnchecked }) => hasUnchecked)) throw new ProjectHasChanged();
  const issues = [read, settings, lists, ...planned].flatMap((part) => part?.issues ?? []);
  if (issues.length > 0) throw new InvalidProjectFile(bounded(issues));
  return {
    settings,
    lists,
    worlds: planned,
    changes: [
      ...(settings ? settingChanges(state.settings, settings.complete) : []),
      ...(lists?.changes ?? []),
      ...planned.flatMap(({ mode, removed, added }) =>
        webhookChanges(
          mode,
          removed.map(({ url }) => url),
          added,
        ),
      ),
    ],
  };
}

const maxIssues = 100;
const maxPathLength = 200;

/** Limits the number of problems and the length of their paths, which come from the file. */
function bounded(issues: readonly FileIssue[]): FileIssue[] {
  const shorten = (path: string) => (path.length > maxPathLength ? `${path.slice(0, maxPathLength - 1)}…` : path);
  const shown = issues.slice(0, maxIssues).map(({ path, message }) => ({ path: shorten(path), message }));
  const excess = issues.length - shown.length;
  return excess > 0 ? [...shown, { path: '', message: `has ${excess} more errors` }] : shown;
}

interface ToStore {
  readonly current: CurrentProject;
  readonly plan: Plan;
  readonly origin: Pick<ProjectFileToApply, 'changedBy' | 'network'>;
}

async function store(trx: Transaction, service: Service, { current, plan, origin }: ToStore): Promise<void> {
  const { changedBy, network } = origin;
  const { id: projectId } = current.row;
  const { settings, lists } = plan;
  if (settings) await storeSettings(trx, service, { project: current.row, ...settings, changedBy, network });
  for (const { mode, worldId, removed, added } of plan.worlds) {
    for (const row of removed) await eraseEndpoint(trx, service, { row, projectId, mode, changedBy, network });
    for (const url of added) {
      const endpoint = { id: service.newId(), url, secret: createWebhookSecret() };
      await writeEndpoint(trx, service, { ...endpoint, projectId, worldId, mode, changedBy, network });
    }
  }
  if (!lists) return;
  const change = { projectId, origin: { by: changedBy, network } };
  await endEntries(trx, service, { ...change, ids: lists.ended });
  await storeEntries(trx, service, { ...change, entries: lists.wanted });
}

function stateAfter({ state }: CurrentProject, { settings, lists, worlds }: Plan): CurrentProject['state'] {
  const urlsOf = (mode: Mode) =>
    worlds
      .filter((world) => world.mode === mode)
      .flatMap(({ kept, added }) => [...kept.map(({ url }) => url), ...added]);
  return {
    settings: settings?.complete ?? state.settings,
    lists: lists?.after ?? state.lists,
    webhooks: { live: urlsOf('live'), test: urlsOf('test') },
  };
}
