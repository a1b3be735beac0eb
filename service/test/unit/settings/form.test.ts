import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sectionPage } from '../../../src/dashboard/settings/view.js';
import { renderDashboardPage, type WorldFrame } from '../../../src/dashboard/view/layout.js';
import { checkSettings } from '../../../src/resources/projects/rules/project-settings/checks.js';
import {
  readSettingsForm,
  versionOf,
  writeSettings,
} from '../../../src/resources/projects/rules/project-settings/form.js';
import { messagesOf } from '../../../src/resources/projects/rules/project-settings/messages.js';
import {
  type SettingSection,
  settingSections,
} from '../../../src/resources/projects/rules/project-settings/sections.js';
import { defaultSettings, type Settings, settingsSchema } from '../../../src/resources/projects/rules/settings.js';
import { formsOf } from '../../support/forms.js';
import { anySettings } from './any-settings.js';

const frame: WorldFrame = {
  basePath: '',
  base: '/dashboard/shop/live',
  isConfirmed: true,
  conditions: { hasMail: true, forwarders: [] },
  admin: { email: 'ada@shop.example' },
  formToken: 'token',
  can: () => true,
  notice: undefined,
  world: { projectId: 'shop', projectName: 'Shop', mode: 'live' },
};

/** Returns the fields that a browser posts for an unchanged form of a section. */
function posted(section: SettingSection, settings: Settings): URLSearchParams {
  const fields = new URLSearchParams(writeSettings(section.settings, settings));
  const defaults = new URLSearchParams(writeSettings(section.settings, defaultSettings));
  const shown = { section, version: 'version', fields, defaults, errors: new Map() };
  const html = renderDashboardPage(frame, sectionPage(frame, shown));
  const form = formsOf(html).find(({ action }) => action.endsWith(`/settings/${section.id}`));
  if (!form) throw new Error('There is no form.');
  return form.fields;
}

/** Sections with a form. The others have a page of their own. */
const withForm = settingSections.filter(({ hasPage }) => !hasPage);

const withoutUndefined = (values: object) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

describe('the form of a section', () => {
  test('does not set unchanged defaults', () => {
    for (const section of withForm) {
      const read = readSettingsForm(section.settings, posted(section, defaultSettings));
      expect(Object.keys(read)).toEqual(section.settings);
      expect(withoutUndefined(read), section.id).toEqual({});
    }
  });

  const roundTrip = (sections: readonly SettingSection[], fieldsOf: typeof posted) =>
    fc.property(anySettings, (settings) => {
      expect(checkSettings(settings, Object.keys(settings))).toEqual([]);
      for (const section of sections) {
        const read = readSettingsForm(section.settings, fieldsOf(section, settings));
        expect(settingsSchema.parse(withoutUndefined({ ...settings, ...read }))).toEqual(settings);
      }
    });

  test('keeps all valid settings', () => {
    fc.assert(roundTrip(withForm, posted), { numRuns: 10 });
    // The same without rendering a page, which takes most of the time.
    const written = ({ settings: names }: SettingSection, settings: Settings) =>
      new URLSearchParams(writeSettings(names, settings));
    fc.assert(roundTrip(settingSections, written), { numRuns: 100 });
  });

  test('has a new version after each change, and the same without one', () => {
    const property = fc.property(anySettings, anySettings, (one, other) => {
      for (const { settings: names } of settingSections) {
        const same = JSON.stringify(writeSettings(names, one)) === JSON.stringify(writeSettings(names, other));
        expect(versionOf(names, one) === versionOf(names, other)).toBe(same);
        expect(versionOf(names, one)).toBe(versionOf(names, structuredClone(one)));
      }
    });
    fc.assert(property, { numRuns: 30 });
  });
});

describe('an invalid value', () => {
  const all = settingSections.flatMap(({ settings }) => settings);
  const wrong = (entered: Record<string, string>) => {
    const names = all.filter((name) => Object.keys(entered).some((field) => field.split('.')[0] === name));
    const read = withoutUndefined(readSettingsForm(names, new URLSearchParams(entered)));
    const { error, data } = settingsSchema.safeParse(read);
    return Object.fromEntries(messagesOf(names, error?.issues ?? checkSettings(data ?? defaultSettings, names)));
  };

  test.each([
    [{ learning_days: '-1' }, { learning_days: 'A whole number from 0 to 1,000,000.' }],
    [{ learning_days: '1.5' }, { learning_days: 'A whole number from 0 to 1,000,000.' }],
    [{ learning_days: '' }, { learning_days: 'A whole number from 0 to 1,000,000.' }],
    [{ learning_days: '0x10' }, { learning_days: 'A whole number from 0 to 1,000,000.' }],
    [{ rare_fingerprint_share: '2' }, { rare_fingerprint_share: 'A number from 0 to 1.' }],
    [
      { 'device_limit.overall': '1001' },
      { 'device_limit.overall': 'A whole number from 0 to 1,000, or empty for none.' },
    ],
    [{ 'device_limit.mobile': 'two' }, { 'device_limit.mobile': 'A whole number from 0 to 1,000, or empty for none.' }],
    [{ mode: 'sometimes' }, { mode: 'Choose one of these.' }],
    [{ 'policy.login.tampering': 'explode' }, { 'policy.login.tampering': 'Choose one of these.' }],
    [
      { allowed_origins: 'https://shop.example\r\nhttps://shop.example/' },
      { allowed_origins: 'Entry 2 must be an origin such as https://shop.example, without a path.' },
    ],
    [
      { allowed_origins: 'null' },
      { allowed_origins: 'Entry 1 must be an origin such as https://shop.example, without a path.' },
    ],
    [{ admin_email: 'ada' }, { admin_email: 'It must be an email address.' }],
    [{ default_country: 'Germany' }, { default_country: 'It must be a country code such as DE (ISO 3166-1 alpha-2).' }],
  ])('with %j is shown next to the field', (entered, messages) => {
    // A group is read as a whole, so omitted fields are reported as missing.
    expect(wrong(entered)).toMatchObject(messages);
  });

  test('of the challenge page is shown next to the fields', () => {
    const fields = new URLSearchParams(writeSettings(['challenge_page'], defaultSettings));
    fields.set('challenge_page.logo_url', 'javascript:alert(1)');
    fields.set('challenge_page.colour', 'red');
    fields.set('challenge_page.return_addresses', 'https://*.example');
    expect(wrong(Object.fromEntries(fields))).toEqual({
      'challenge_page.logo_url': 'It must be an address that begins with https:// or http://.',
      'challenge_page.colour': 'It must be a colour such as #2457c5.',
      'challenge_page.return_addresses': 'Entry 1 must be an origin, or an address without a query.',
    });
  });

  test.each(['https://shop.example', 'http://localhost:5173', 'capacitor://localhost', 'https://[::1]:8443'])(
    '%s is an origin',
    (origin) => expect(wrong({ allowed_origins: origin })).toEqual({}),
  );

  test('is not reported for unchanged settings', () => {
    const settings = { ...defaultSettings, allowed_origins: ['shop.example'], admin_email: 'ada' };
    expect(checkSettings(settings, ['learning_days'])).toEqual([]);
    expect(checkSettings(settings, ['admin_email'])).toHaveLength(1);
  });
});
