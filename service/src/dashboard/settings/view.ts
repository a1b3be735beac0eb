import { isDeepStrictEqual } from 'node:util';
import { html } from 'hono/html';
import { withCode } from '../../http/pages/page-response.js';
import { auditKinds } from '../../resources/audit/rules/audit.js';
import { settingField as fieldOf, type SettingName } from '../../resources/projects/rules/project-settings/fields.js';
import { labelOf } from '../../resources/projects/rules/project-settings/labels.js';
import {
  differencesOf,
  type LoggedDifference,
  presentEnds,
  show,
} from '../../resources/projects/rules/project-settings/log.js';
import { type SettingSection, settingSections } from '../../resources/projects/rules/project-settings/sections.js';
import { defaultSettings, type Settings } from '../../resources/projects/rules/settings.js';
import type { LogPage } from '../../resources/projects/setting-log.js';
import type { DashboardPage, WorldFrame } from '../view/layout.js';
import { type Cell, emptyState, folded, form, type Html, section, table, time } from '../view/parts.js';
import { loggedValue, wordOf } from '../view/words.js';
import { type FormValues, settingField } from './fields-view.js';

/** Renders the settings: first those that the project changed, then all of them, folded, and the change log. */
export function settingsPage(frame: WorldFrame, settings: Settings, log: LogPage): DashboardPage {
  const { base } = frame;
  return {
    section: 'settings',
    title: 'Settings',
    body: html`<p class="quiet">Settings apply to the whole project, in live and test mode. Changes take effect within one second.</p>
${section('Changed in this project', changedTable(frame, settings))}
${settingSections.map((each) => sectionPart(frame, each, settings))}
<div id="changes">${changeLog(log, (before) => `${base}/settings?before=${before}#changes`)}</div>`,
  };
}

const isChanged = (name: SettingName, settings: Settings) => !isDeepStrictEqual(settings[name], defaultSettings[name]);

function changedTable(frame: WorldFrame, settings: Settings): Html {
  const rows = settingSections.flatMap((each) =>
    each.settings
      .filter((name) => isChanged(name, settings))
      .map((name) => [nameOf(name), ...changedValue(each, name, settings), changeLink(frame, each, name)]),
  );
  if (rows.length === 0) return emptyState('Nothing. Each setting has its default value.');
  return table(['Setting', 'Value', 'Default', 'Edit'], rows, 'Settings that the project changed');
}

function changedValue({ hasPage }: SettingSection, name: SettingName, settings: Settings): readonly Cell[] {
  if (hasPage) return ['changed', undefined];
  const [value, byDefault] = [settings[name], defaultSettings[name]];
  return [shownValue(value, byDefault), shownValue(byDefault, value)];
}

function changeLink({ base, can }: WorldFrame, { hasPage, id, title }: SettingSection, name: SettingName): Cell {
  if (hasPage) return html`<a href="${base}/${id}">${title}</a>`;
  if (!can('change_settings')) return undefined;
  return html`<a href="${base}/settings/${name}" aria-label="Change: ${labelOf(name)}">Change</a>`;
}

function sectionPart(frame: WorldFrame, each: SettingSection, settings: Settings): Html {
  const { id, title, about, settings: names, hasPage } = each;
  const count = names.filter((name) => isChanged(name, settings)).length;
  const state = count === 0 ? 'default' : hasPage ? 'changed' : `${count} of ${names.length} changed`;
  const whole =
    frame.can('change_settings') &&
    names.length > 1 &&
    html`<p><a class="button" href="${frame.base}/settings/${id}" aria-label="Change all of these: ${title}">Change all of these</a></p>`;
  const list = hasPage
    ? html`<p><a class="button" href="${frame.base}/${id}">${title}</a></p>`
    : html`<div class="settings">${table(['Setting', 'Value', 'Description', 'Edit'], rowsOf(frame, each, settings), title)}</div>${whole}`;
  const more = each.more && html`<p><a href="${frame.base}/${each.more.page}">${each.more.title}</a></p>`;
  return folded(title, state, html`<p class="quiet">${withCode(about)}</p>${list}${more}`);
}

function rowsOf(frame: WorldFrame, each: SettingSection, settings: Settings): (readonly Cell[])[] {
  return each.settings.map((name) => [
    nameOf(name),
    shownValue(settings[name]),
    html`<div>${withCode(fieldOf(name).description)}</div>`,
    changeLink(frame, each, name),
  ]);
}

const nameOf = (name: SettingName) => html`<div>${labelOf(name)}<br/><code>${name}</code></div>`;

/** Renders the parts of a value, one per line: of a group, those that differ from another value. Default: all parts. */
function shownValue(value: unknown, other?: unknown): Html {
  const others = new Map(isGroup(other) ? Object.entries(other) : []);
  const lines = isGroup(value)
    ? Object.entries(value)
        .filter(([name, part]) => !others.has(name) || !isDeepStrictEqual(part, others.get(name)))
        .map(([name, part]) => `${labelOf(name)}: ${show(part)}`)
    : [show(value)];
  const [first = 'none', ...rest] = lines;
  return html`<div>${first}${rest.map((line) => html`<br/>${line}`)}</div>`;
}

function isGroup(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Form of a section. */
export interface SectionForm extends FormValues {
  readonly section: SettingSection;
  /** Version of the values that the form was filled with. */
  readonly version: string;
  /** Why nothing was saved: `invalid` values, or the section was `changed` by somebody else. */
  readonly refused?: 'invalid' | 'changed';
  /** Differences between the entered and the current values. Shown if the section has changed. */
  readonly differences?: readonly LoggedDifference[];
}

/** Says that somebody else changed something since the form was shown. */
export function changedText(what: string): string {
  return `Nothing was saved because somebody else changed ${what}. Review the differences below and save again.`;
}

const refusals = {
  invalid: {
    status: 422,
    text: 'Nothing was saved because some values are invalid. Correct the marked fields and save again.',
  },
  changed: {
    status: 409,
    text: changedText('this section'),
  },
} as const;

/** Renders the form of one section, with the entered values if they were refused. */
export function sectionPage(frame: WorldFrame, shown: SectionForm): DashboardPage {
  const { section: current, version, refused, differences } = shown;
  const refusal = refused && refusals[refused];
  const fields = current.settings.map((name) => settingField(fieldOf(name), shown));
  return {
    section: 'settings',
    title: `Settings: ${current.title}`,
    ...(refusal && { status: refusal.status, notice: { kind: 'bad', text: refusal.text } }),
    body: html`<p><a href="${frame.base}/settings">All settings</a></p>
${differences && differencesSection(differences)}
<section class="panel">
<p class="quiet">${withCode(current.about)}</p>
${form(frame, {
  action: `${frame.base}/settings/${current.id}`,
  submit: 'Save',
  content: html`<input type="hidden" name="version" value="${version}"/>${fields}`,
})}
</section>`,
  };
}

export function differencesSection(differences: readonly LoggedDifference[]): Html {
  const hint = 'The form contains your values. Saving again replaces the current values:';
  return section(
    'Changes on saving',
    html`<p>${hint}</p>
<ul>${differences.map((each) => html`<li>${difference(each)}</li>`)}</ul>
${differences.length === 0 && html`<p>No differences. The current values are the same as yours.</p>`}`,
  );
}

/** Labels of log entries that are not settings. */
const otherLabels: Readonly<Record<string, string>> = { ...auditKinds, old_key_until: 'Old key valid until' };

const emptyLog = section('Changes', emptyState('No changes yet.'));

/** Renders the change log, newest first. `href` returns the URL of the page after an entry. */
function changeLog({ entries, next }: LogPage, href: (before: string) => string): Html {
  if (entries.length === 0) return emptyLog;
  const rows = entries.map(({ at, changedBy, changes }) => [
    time(at),
    changedBy,
    html`<ul class="plain">${differencesOf(changes).map((change) => html`<li>${difference(change)}</li>`)}</ul>`,
  ]);
  return section('Changes', [
    table(['Time', 'Changed by', 'Change'], rows, 'Changes of settings, keys and webhooks'),
    next === undefined
      ? undefined
      : html`<nav class="pager" aria-label="Pagination"><a href="${href(next)}" rel="next">Older changes</a></nav>`,
  ]);
}

export function difference(change: LoggedDifference): Html {
  const { what, isList, from, to } = change;
  const label = wordOf(otherLabels, what);
  if (label !== undefined) return html`${label}: ${presentEnds(change)}`;
  if (!isList) return html`<code>${what}</code>: ${loggedValue(from)} → ${loggedValue(to)}`;
  const parts = [to !== 'none' && `added ${loggedValue(to)}`, from !== 'none' && `removed ${loggedValue(from)}`];
  return html`<code>${what}</code>: ${parts.filter(Boolean).join('; ')}`;
}
