import { listOpenAlerts } from '../../effects/alerts/queries.js';
import { alertWordsIn } from '../../effects/alerts/rules/words/languages.js';
import { readSlackHost } from '../../effects/alerts/slack.js';
import { findProject } from '../../resources/projects/find-project.js';
import { worldOf } from '../../resources/projects/queries/projects.js';
import type { Service } from '../../resources/service.js';

export interface AlertsShown {
  /** Host of the Slack channel; undefined if there is none. */
  readonly slackHost: string | undefined;
  /** What alerts were raised for and still lasts. */
  readonly open: readonly { readonly text: string; readonly since: Date }[];
}

/** Reads where a project's alerts go, and which last. */
export async function readAlerts(service: Service, project: string): Promise<AlertsShown> {
  const { id } = await findProject(service.db, project);
  const [slackHost, open] = await Promise.all([
    readSlackHost(service, { project: id }),
    listOpenAlerts(service.db, await worldOf(service.db, id, 'live')),
  ]);
  // The dashboard is in English.
  const words = alertWordsIn('en');
  return { slackHost, open: open.map(({ content, at }) => ({ text: words.describe(content), since: at })) };
}
