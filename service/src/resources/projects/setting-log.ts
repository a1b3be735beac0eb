// Imported from the file, because the index loads the parsers of addresses and phone numbers into every command.

import { actorOf, listAudit, recordAudit } from '../audit/audit.js';
import { kindsAboutPeople } from '../audit/rules/audit.js';
import type { Database, Service } from '../service.js';
import { maskEmail } from '../users/rules/mask.js';
import { type SettingName, settingNames } from './rules/project-settings/fields.js';
import type { LoggedChanges } from './rules/project-settings/log.js';

export { administrator, commandLine } from '../audit/audit.js';

/** Value before and after a change; null for none. */
export interface LoggedChange {
  readonly from: unknown;
  readonly to: unknown;
}

/** Input of every logged change. */
export interface Change {
  /** Who makes the change, for the log. Default: the command line. */
  readonly changedBy?: string | undefined;
  /** Network from where it is made. Default: none. */
  readonly network?: string | undefined;
}

/**
 * Records in the audit log who changed what in a project. Call it in the transaction of the change. A name that is not
 * a setting, such as `key_created`, becomes the kind of the entry.
 */
export async function logChanges(
  db: Database,
  service: Pick<Service, 'newId' | 'now' | 'vault'>,
  entry: Change & { projectId: string; changes: Readonly<Record<string, LoggedChange>> },
): Promise<void> {
  const { projectId, changedBy, network } = entry;
  const changes = Object.fromEntries(
    Object.entries(entry.changes).map(([name, { from, to }]) => [
      name,
      { from: shown(name, from), to: shown(name, to) },
    ]),
  );
  const isSetting = (name: string) => settingNames.some((known) => known === name);
  const kind = Object.keys(changes).find((name) => !isSetting(name)) ?? 'settings_changed';
  await recordAudit(db, service, { kind, by: changedBy, network, projectId, changes });
}

const listsOfEmails: ReadonlySet<string> = new Set<SettingName>(['alert_emails']);

/** Masks email addresses, because the log is kept longer than the setting. */
function shown(name: string, value: unknown): unknown {
  if (name === 'admin_email' && typeof value === 'string') return maskEmail(value);
  if (listsOfEmails.has(name) && Array.isArray(value)) return value.map((each) => maskEmail(String(each)));
  return value ?? null;
}

export interface LogEntry {
  readonly id: string;
  readonly at: Date;
  /** Email address of the administrator, if the account still exists. */
  readonly changedBy: string;
  readonly changes: LoggedChanges;
}

export interface LogPage {
  readonly entries: readonly LogEntry[];
  /** Value of `before` for the next page; undefined on the last page. */
  readonly next?: string;
}

export interface LogFilter {
  readonly projectId: string;
  /** Only changes of this setting. Default: all settings and keys. */
  readonly setting?: SettingName | undefined;
  /** Only the entry with this ID. */
  readonly id?: string | undefined;
  /** Only entries older than the one with this ID. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** Returns the changes of a project's settings and keys, the newest first. */
export async function listLog(service: Pick<Service, 'db' | 'vault'>, filter: LogFilter): Promise<LogPage> {
  const { entries, ...more } = await listAudit(service, { ...filter, changesOnly: true, except: kindsAboutPeople });
  return {
    ...more,
    entries: entries.map((entry) => ({
      id: entry.id,
      at: entry.created_at,
      changedBy: actorOf(entry),
      changes: entry.changes ?? {},
    })),
  };
}
