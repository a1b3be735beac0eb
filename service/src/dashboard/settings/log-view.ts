import { html } from 'hono/html';
import { auditKinds } from '../../audit/rules/audit.js';
import { differencesOf, type LoggedDifference } from '../../projects/rules/project-settings/log.js';
import type { LogPage } from '../../projects/setting-log.js';
import { emptyState, type Html, section, table, time } from '../view/parts.js';

/** What was done that is no setting. */
const deeds: Readonly<Record<string, string>> = { ...auditKinds, old_key_until: 'Old key valid until' };

const emptyLog = section('Changes', emptyState('Nothing was changed yet.'));

/** Who changed what, the newest first. `href`: of the page after an entry. */
export function changeLog({ entries, next }: LogPage, href: (before: string) => string): Html {
  if (entries.length === 0) return emptyLog;
  const rows = entries.map(({ at, changedBy, changes }) => [
    time(at),
    changedBy,
    html`<ul class="plain">${differencesOf(changes).map((change) => html`<li>${difference(change)}</li>`)}</ul>`,
  ]);
  return section('Changes', [
    table(['When', 'Who', 'What'], rows, 'Changes of settings, keys and webhooks'),
    next === undefined
      ? undefined
      : html`<nav class="pager" aria-label="Pages"><a href="${href(next)}" rel="next">Older changes</a></nav>`,
  ]);
}

export function difference({ what, isList, from, to }: LoggedDifference): Html {
  const deed = Object.hasOwn(deeds, what) ? deeds[what] : undefined;
  if (deed !== undefined) return html`${deed}: ${[from, to].filter((end) => end !== 'none').join(' → ')}`;
  if (!isList) return html`<code>${what}</code>: ${from} → ${to}`;
  const parts = [to !== 'none' && `added ${to}`, from !== 'none' && `removed ${from}`];
  return html`<code>${what}</code>: ${parts.filter(Boolean).join('; ')}`;
}
