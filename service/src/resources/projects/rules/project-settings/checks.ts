import validator from 'validator';
import { isStorable, storableMessage } from '../../../../ground/text-rules.js';
import { isPhoneCountry } from '../../../users/rules/contacts.js';
import { checkRules } from '../conditions/rule.js';
import type { Settings } from '../settings.js';

/** Problem with a new value of a setting. */
export interface SettingIssue {
  /** Path to the value: the setting, then names and list positions. */
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/**
 * Returns problems with settings that the schema does not check. Used only when settings are changed: an invalid stored
 * entry matches nothing and must not stop a project from working.
 */
export function checkSettings(settings: Settings, names: readonly string[]): SettingIssue[] {
  const issues: SettingIssue[] = [...checkOrigins(settings), ...checkTexts(settings)];
  for (const { path, message } of checkRules(settings.rules)) issues.push({ path: ['rules', ...path], message });
  if (settings.admin_email !== null && !validator.isEmail(settings.admin_email)) {
    issues.push({ path: ['admin_email'], message: 'must be an email address' });
  }
  issues.push(...checkAlerts(settings));
  if (settings.default_country !== null && !isPhoneCountry(settings.default_country)) {
    issues.push({ path: ['default_country'], message: 'must be a country code such as DE (ISO 3166-1 alpha-2)' });
  }
  return issues.filter(({ path: [setting] }) => names.some((name) => name === setting));
}

function checkOrigins({ allowed_origins }: Settings): SettingIssue[] {
  return allowed_origins.flatMap((entry, index) => {
    const message = checkOrigin(entry);
    return message === undefined ? [] : [{ path: ['allowed_origins', index], message }];
  });
}

function checkAlerts({ alert_emails, alert_quiet_hours: { from, until, time_zone } }: Settings): SettingIssue[] {
  const issues: SettingIssue[] = alert_emails.flatMap((address, index) =>
    validator.isEmail(address) ? [] : [{ path: ['alert_emails', index], message: 'must be an email address' }],
  );
  const at = (name: string, message: string) => issues.push({ path: ['alert_quiet_hours', name], message });
  if ((from === null) !== (until === null)) at(from === null ? 'from' : 'until', 'must be set too');
  if (from !== null && from === until) at('until', 'must be another hour than `from`');
  if (!isTimeZone(time_zone)) at('time_zone', 'must be a time zone such as Europe/Berlin');
  return issues;
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Refuses texts that the database cannot store. */
function checkTexts(value: unknown, path: readonly PropertyKey[] = []): SettingIssue[] {
  if (typeof value === 'string') return isStorable(value) ? [] : [{ path, message: storableMessage }];
  if (typeof value !== 'object' || value === null) return [];
  const parts: [PropertyKey, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return parts.flatMap(([key, part]) => checkTexts(part, [...path, key]));
}

function checkOrigin(entry: string): string | undefined {
  return isOrigin(entry) ? undefined : 'must be an origin such as https://shop.example, without a path';
}

/** Checks the form that browsers send in `Origin`. Apps use other schemes (`capacitor://localhost`). */
function isOrigin(entry: string): boolean {
  if (!URL.canParse(entry)) return false;
  const { protocol, origin } = new URL(entry);
  return protocol === 'https:' || protocol === 'http:'
    ? origin === entry
    : /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@\\]+$/.test(entry);
}
