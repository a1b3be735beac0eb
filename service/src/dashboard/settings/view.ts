import { isDeepStrictEqual } from 'node:util';
import { html } from 'hono/html';
import { withCode } from '../../http/pages/page-response.js';
import { auditKinds } from '../../resources/audit/rules/audit.js';
import { settingField as fieldOf, type SettingName } from '../../resources/projects/rules/project-settings/fields.js';
import { labelOf } from '../../resources/projects/rules/project-settings/labels.js';
import { differencesOf, type LoggedDifference, show } from '../../resources/projects/rules/project-settings/log.js';
import { type SettingSection, settingSections } from '../../resources/projects/rules/project-settings/sections.js';
import { defaultSettings, type Settings } from '../../resources/projects/rules/settings.js';
import type { LogPage } from '../../resources/projects/setting-log.js';
import type { DashboardPage, WorldFrame } from '../view/layout.js';
import { emptyState, form, type Html, section, table, time } from '../view/parts.js';
import { type FormValues, settingField } from './fields-view.js';

/** Links to the sections of the page. */
const contents = html`<nav aria-label="On this page"><ul class="plain row">
${[...settingSections, { id: 'changes', title: 'Changes' }].map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}
</ul></nav>`;

/** Renders all settings with their values and descriptions, and the change log. */
export function settingsPage({ base, can }: WorldFrame, settings: Settings, log: LogPage): DashboardPage {
  const change = ({ id, title, hasPage }: SettingSection) => {
    if (hasPage) return html`<a class="button" href="${base}/${id}">${title}</a>`;
    const href = `${base}/settings/${id}`;
    return can('change_settings') && html`<a class="button" href="${href}" aria-label="Change: ${title}">Change</a>`;
  };
  const part = (each: SettingSection) => html`<section class="panel" id="${each.id}">
<div class="row spread"><h2>${each.title}</h2>${change(each)}</div>
<p class="quiet">${withCode(each.about)}</p>
${!each.hasPage && html`<div class="settings">${overviewTable(each.title, each.settings, settings)}</div>`}
</section>`;
  return {
    section: 'settings',
    title: 'Settings',
    body: html`<p class="quiet">Settings apply to the whole project, in live and test mode. Changes take effect within one second.</p>
${contents}
${settingSections.map(part)}
<div id="changes">${changeLog(log, (before) => `${base}/settings?before=${before}#changes`)}</div>`,
  };
}

function overviewTable(title: string, names: readonly SettingName[], settings: Settings): Html {
  const rows = names.map((name) => overviewRow(name, settings));
  return table(['Setting', 'Value', 'Default', 'Description'], rows, title);
}

function overviewRow(name: SettingName, settings: Settings): Html[] {
  const [value, defaultValue] = [shownValue(settings[name]), shownValue(defaultSettings[name])];
  const isDefault = isDeepStrictEqual(settings[name], defaultSettings[name]);
  return [
    html`<div>${labelOf(name)}<br/><code>${name}</code></div>`,
    html`<div>${isDefault ? value : html`<strong>${value}</strong>`}</div>`,
    html`<div>${defaultValue}</div>`,
    html`<div>${withCode(fieldOf(name).description)}</div>`,
  ];
}

/** Renders the parts of a value, one per line. */
function shownValue(value: unknown): Html {
  const isGroup = typeof value === 'object' && value !== null && !Array.isArray(value);
  const lines = isGroup
    ? Object.entries(value).map(([name, part]) => `${labelOf(name)}: ${show(part)}`)
    : [show(value)];
  const [first = 'none', ...rest] = lines;
  return html`${first}${rest.map((line) => html`<br/>${line}`)}`;
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

const refusals = {
  invalid: {
    status: 422,
    text: 'Nothing was saved because some values are invalid. Correct the marked fields and save again.',
  },
  changed: {
    status: 409,
    text: 'Nothing was saved because somebody else changed this section. Review the differences below and save again.',
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

function differencesSection(differences: readonly LoggedDifference[]): Html {
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
export function changeLog({ entries, next }: LogPage, href: (before: string) => string): Html {
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

export function difference({ what, isList, from, to }: LoggedDifference): Html {
  const label = Object.hasOwn(otherLabels, what) ? otherLabels[what] : undefined;
  if (label !== undefined) return html`${label}: ${[from, to].filter((end) => end !== 'none').join(' → ')}`;
  if (!isList) return html`<code>${what}</code>: ${from} → ${to}`;
  const parts = [to !== 'none' && `added ${to}`, from !== 'none' && `removed ${from}`];
  return html`<code>${what}</code>: ${parts.filter(Boolean).join('; ')}`;
}
