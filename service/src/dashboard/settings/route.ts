import { ApiError } from '../../ground/errors.js';
import type { PageRoute } from '../../http/pages/page-route.js';
import { readSettingsForm, versionOf, writeSettings } from '../../resources/projects/rules/project-settings/form.js';
import { labelOf } from '../../resources/projects/rules/project-settings/labels.js';
import { differencesOf } from '../../resources/projects/rules/project-settings/log.js';
import { messagesOf } from '../../resources/projects/rules/project-settings/messages.js';
import { type SettingSection, settingSections } from '../../resources/projects/rules/project-settings/sections.js';
import { defaultSettings, type Settings } from '../../resources/projects/rules/settings.js';
import { listLog } from '../../resources/projects/setting-log.js';
import {
  changeSettings,
  InvalidSettings,
  readSettings,
  SettingsHaveChanged,
} from '../../resources/projects/settings.js';
import { changeOf } from '../dashboard-request.js';
import { type DashboardPage, type DashboardRequest, dashboardRoute, redirectWithNotice } from '../dashboard-route.js';
import { idIn } from '../request.js';
import { type SectionForm, sectionPage, settingsPage } from './view.js';

const pageSize = 20;
const path = '/dashboard/{project}/{mode}/settings';

const overview = dashboardRoute({
  method: 'get',
  path,
  permission: 'view_settings',
  handle: async (request) => {
    const before = idIn(request.query.get('before'));
    const log = await listLog(request.service, { projectId: request.world.projectId, before, limit: pageSize });
    return settingsPage(request, request.caller.settings, log);
  },
});

const show = dashboardRoute({
  method: 'get',
  path: `${path}/{section}`,
  permission: 'change_settings',
  handle: async (request) => {
    const section = sectionOf(request);
    const { settings } = request.caller;
    return sectionPage(request, formOf(section, settings, { fields: fieldsOf(section, settings) }));
  },
});

const save = dashboardRoute({
  method: 'post',
  path: `${path}/{section}`,
  permission: 'change_settings',
  handle: async (request) => {
    const section = sectionOf(request);
    const { settings: names } = section;
    try {
      await changeSettings(request.service, {
        project: request.world.projectId,
        changes: readSettingsForm(names, request.fields),
        ...changeOf(request),
        startingFrom: { names, version: request.fields.get('version') ?? '' },
      });
    } catch (error) {
      return refuse(request, section, error);
    }
    return redirectWithNotice(request, '/settings', { kind: 'good', text: `Settings saved: ${section.title}.` });
  },
});

/** Returns the form with the entered values and their errors. */
async function refuse(request: DashboardRequest, section: SettingSection, error: unknown): Promise<DashboardPage> {
  const { fields, service, world } = request;
  // Read again: the settings may have changed since the request began.
  const settings = await readSettings(service, { project: world.projectId });
  if (error instanceof InvalidSettings) {
    const errors = messagesOf(section.settings, error.issues);
    // The entered values are based on this version, and are checked against it when the form is sent again.
    return sectionPage(request, {
      ...formOf(section, settings, { fields, errors }),
      version: fields.get('version') ?? '',
      refused: 'invalid',
    });
  }
  if (!(error instanceof SettingsHaveChanged)) throw error;
  const entered = readSettingsForm(section.settings, fields);
  const changes = section.settings.map((name) => [name, { from: settings[name], to: entered[name] }]);
  const differences = differencesOf(Object.fromEntries(changes));
  return sectionPage(request, { ...formOf(section, settings, { fields }), refused: 'changed', differences });
}

/** Returns a section, or a single setting as one. */
function sectionOf({ params: { section: name } }: DashboardRequest): SettingSection {
  const sections = settingSections.filter(({ hasPage }) => !hasPage);
  const section = sections.find(({ id }) => id === name);
  if (section) return section;
  const setting = sections.flatMap(({ settings }) => settings).find((one) => one === name);
  if (!setting) throw new ApiError('not_found', { detail: 'There is no section or setting with this name.' });
  return { id: setting, title: labelOf(setting), about: '', settings: [setting] };
}

function fieldsOf({ settings: names }: SettingSection, settings: Settings): URLSearchParams {
  return new URLSearchParams(writeSettings(names, settings));
}

function formOf(
  section: SettingSection,
  settings: Settings,
  { fields, errors = new Map() }: { fields: URLSearchParams; errors?: ReadonlyMap<string, string> },
): SectionForm {
  const defaults = fieldsOf(section, defaultSettings);
  return { section, version: versionOf(section.settings, settings), fields, defaults, errors };
}

/** Pages that show and change a project's settings, and the change log. */
export const settings: readonly PageRoute[] = [overview, show, save];
