import { findProject } from '../../resources/projects/find-project.js';
import { lockProjects, worldOf } from '../../resources/projects/queries/projects.js';
import { type Change, logChanges } from '../../resources/projects/setting-log.js';
import type { Database, Service, Transaction } from '../../resources/service.js';
import { refuseReceiver } from '../webhooks/endpoints.js';
import { deleteSlackUrl, findSlackUrl, saveSlackUrl, slackContext } from './slack-queries.js';

export interface ProjectChoice {
  /** Name or ID. */
  readonly project: string;
}

/**
 * Sends a project's alerts to an incoming webhook of Slack, in place of any earlier one. The URL is a secret: it is stored
 * sealed, and only its host is shown and recorded.
 *
 * @throws OperatorError if webhooks may not be sent to this address.
 */
export async function setSlack(service: Service, choice: ProjectChoice & Change & { url: string }): Promise<void> {
  await refuseReceiver(service, choice.url);
  await change(service, choice, async (trx, worldId) => {
    const url = service.vault.seal(choice.url, slackContext);
    await saveSlackUrl(trx, worldId, { url, now: service.now() });
    return { kind: 'slack_set', to: new URL(choice.url).host };
  });
}

/** Stops sending a project's alerts to Slack. */
export async function removeSlack(service: Service, choice: ProjectChoice & Change): Promise<void> {
  await change(service, choice, async (trx, worldId) => {
    await deleteSlackUrl(trx, worldId);
    return { kind: 'slack_removed', to: null };
  });
}

/** Returns the host to which a project's alerts are sent; undefined if they are not sent to Slack. */
export async function readSlackHost(service: Service, { project }: ProjectChoice): Promise<string | undefined> {
  const { id } = await findProject(service.db, project);
  return hostOf(service, service.db, await worldOf(service.db, id, 'live'));
}

async function hostOf({ vault }: Service, db: Database, worldId: string): Promise<string | undefined> {
  const sealed = await findSlackUrl(db, worldId);
  return sealed && new URL(vault.open(sealed, slackContext)).host;
}

/** Makes a change and records it in the audit log, unless there is nothing to change. */
async function change(
  service: Service,
  { project, changedBy, network }: ProjectChoice & Change,
  act: (trx: Transaction, worldId: string) => Promise<{ kind: string; to: string | null }>,
): Promise<void> {
  await service.db.transaction().execute(async (trx) => {
    await lockProjects(trx);
    const { id: projectId } = await findProject(trx, project);
    const worldId = await worldOf(trx, projectId, 'live');
    const from = (await hostOf(service, trx, worldId)) ?? null;
    const { kind, to } = await act(trx, worldId);
    if (from === null && to === null) return;
    await logChanges(trx, service, { projectId, changedBy, network, changes: { [kind]: { from, to } } });
  });
}
