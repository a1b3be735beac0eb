import { html } from 'hono/html';
import { type AuditPage, actorOf, type ShownAuditEntry } from '../../resources/audit/audit.js';
import {
  type AuditKind,
  auditKinds,
  auditRetentionDays,
  describeAuditKind,
  isAuditKind,
} from '../../resources/audit/rules/audit.js';
import { settingNames } from '../../resources/projects/rules/project-settings/fields.js';
import {
  differencesOf,
  type LoggedDifference,
  presentEnds,
  show,
} from '../../resources/projects/rules/project-settings/log.js';
import type { ListedProject } from '../projects/view.js';
import { difference } from '../settings/view.js';
import { unbroken } from '../view/cells.js';
import { foldable } from '../view/forms.js';
import type { AdminPage } from '../view/layout.js';
import { emptyState, field, form, type Html, section, table, time } from '../view/parts.js';
import { auditValue, loggedValue, spaced } from '../view/words.js';

interface AuditView {
  readonly basePath: string;
  readonly formToken: string;
  /** Path of the page. */
  readonly path: string;
  readonly page: AuditPage;
  /** Kind to show. Default: all kinds. */
  readonly kind: string | undefined;
  readonly projects: readonly ListedProject[];
  /** Whether the page shows the entries of one project only. */
  readonly isOfProject: boolean;
}

/** Renders the audit log with a filter by action. */
export function auditPage(view: AuditView): AdminPage {
  const { basePath, path, page, kind, projects, isOfProject } = view;
  const names = new Map(projects.map(({ id, name }) => [id, name]));
  const rows = page.entries.map((entry) => [
    time(entry.created_at),
    describeAuditKind(entry.kind),
    actorOf(entry),
    entry.network === null ? undefined : unbroken(entry.network),
    details(entry, basePath, names),
  ]);
  const list =
    rows.length > 0
      ? html`${table(['Time', 'Action', 'Actor', 'IP address', 'Details'], rows, 'Audit log')}${older(path, kind, page.next)}`
      : emptyState('No entries found.');
  return {
    title: isOfProject ? 'Audit log' : 'Full audit log',
    body: html`<p class="quiet">Entries are kept for ${auditRetentionDays} days. To print the log in a terminal, run <code>whorl-service audit</code>.</p>
${filter(path, kind)}
${section('Entries', list)}
${section('Download', [
  html`<p>${isOfProject ? 'All entries of this project' : 'All entries'}, the oldest first, one JSON object per line.</p>`,
  form(view, { action: `${path}/export`, submit: 'Download' }),
])}`,
  };
}

function filter(path: string, kind: string | undefined): Html {
  const kinds = Object.entries(auditKinds).map(([value, label]) => ({ value, label }));
  return foldable(html`<form class="panel row" method="get" action="${path}" role="search">
${field({ type: 'choice', name: 'kind', label: 'Action', value: kind ?? '', options: [{ value: '', label: 'All actions' }, ...kinds] })}
<button type="submit" class="primary">Filter</button>
</form>`);
}

function older(path: string, kind: string | undefined, next: string | undefined): Html | undefined {
  if (next === undefined) return undefined;
  const query = new URLSearchParams({ ...(kind !== undefined && { kind }), before: next });
  return html`<nav class="pager" aria-label="Pagination"><a href="${path}?${query}" rel="next">Older entries</a></nav>`;
}

function details(entry: ShownAuditEntry, basePath: string, names: ReadonlyMap<string, string>): Html | undefined {
  const { actor, admin, project_id } = entry;
  const project = project_id === null ? undefined : `project: ${names.get(project_id) ?? project_id}`;
  const account = actor !== 'administrator' && admin !== undefined ? `account: ${admin}` : undefined;
  const all = [account, project, ...changeLines(entry), ...detailLines(entry), subject(entry, basePath)].filter(
    (line) => line !== undefined,
  );
  return all.length > 0 ? html`<ul class="plain">${all.map((line) => html`<li>${line}</li>`)}</ul>` : undefined;
}

function changeLines({ changes }: ShownAuditEntry): (Html | string)[] {
  return changes ? differencesOf(changes).map(changeLine) : [];
}

/** Renders a change of a setting or of a field of a member, a user or a device. */
function changeLine(change: LoggedDifference): Html | string {
  const { what, from, to } = change;
  if (isAuditKind(what)) return presentEnds(change);
  if (what === 'old_key_until') return `old key valid until ${to}`;
  return isSettingPath(what) ? difference(change) : `${spaced(what)}: ${loggedValue(from)} → ${loggedValue(to)}`;
}

function isSettingPath(what: string): boolean {
  return settingNames.some((name) => what === name || what.startsWith(`${name}.`));
}

function detailLines({ details: all }: ShownAuditEntry): string[] {
  return Object.entries(all).map(([name, value]) => `${spaced(name)}: ${auditValue(name, show(value))}`);
}

/** Pages of what entries are about, by the kind of entry. Others are about a project, an account or something deleted. */
const pages: Readonly<Partial<Record<AuditKind, 'users' | 'devices' | 'evaluations' | 'actions'>>> = {
  suspend: 'users',
  activate: 'users',
  user_updated: 'users',
  user_exported: 'users',
  detach: 'devices',
  block: 'devices',
  unblock: 'devices',
  trust: 'devices',
  distrust: 'devices',
  device_updated: 'devices',
  device_metadata_changed: 'devices',
  label_fraud: 'evaluations',
  label_legitimate: 'evaluations',
  review_taken: 'evaluations',
  review_set_aside: 'evaluations',
  bulk_action: 'actions',
  bulk_action_undone: 'actions',
};

/** Renders a link to what an entry is about. */
function subject(
  { kind, project_id, mode, subject: id, changes }: ShownAuditEntry,
  basePath: string,
): Html | undefined {
  if (id === null || project_id === null || mode === null || !isAuditKind(kind)) return undefined;
  // A user disowns a device, or a change of the account.
  const page = kind === 'disown' ? (changes ? 'devices' : 'users') : pages[kind];
  if (page === undefined) return undefined;
  return html`<a href="${basePath}/dashboard/${project_id}/${mode}/${page}/${id}">${page.slice(0, -1)}</a>`;
}
