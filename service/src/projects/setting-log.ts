import { actorOf, listAudit, recordAudit } from '../audit/audit.js';
import type { Database, Service } from '../service.js';
import { maskEmail } from '../users/rules/mask.js';
import { settingNames } from './rules/project-settings/fields.js';
import type { LoggedChanges } from './rules/project-settings/log.js';

export { administrator, commandLine } from '../audit/audit.js';

/** What an entry of the log has of one thing: what it was, and what it became; null for none. */
export interface LoggedChange {
  readonly from: unknown;
  readonly to: unknown;
}

/** What everything that is logged is told. */
export interface Change {
  /** Who does it, for the log. Default: the command line. */
  readonly changedBy?: string | undefined;
}

/**
 * Writes down who changed what in a project. Call it in the transaction that changes it. What is no setting, such as
 * `key_created`, names the kind of the entry.
 */
export async function logChanges(
  db: Database,
  service: Pick<Service, 'newId' | 'now'>,
  entry: Change & { projectId: string; changes: Readonly<Record<string, LoggedChange>> },
): Promise<void> {
  const { projectId, changedBy } = entry;
  const changes = Object.fromEntries(
    Object.entries(entry.changes).map(([name, { from, to }]) => [
      name,
      { from: shown(name, from), to: shown(name, to) },
    ]),
  );
  const isSetting = (name: string) => settingNames.some((known) => known === name);
  const kind = Object.keys(changes).find((name) => !isSetting(name)) ?? 'settings_changed';
  await recordAudit(db, service, { kind, by: changedBy, projectId, changes });
}

/** The log outlives the setting, so that it does not keep somebody's address. */
function shown(name: string, value: unknown): unknown {
  return name === 'admin_email' && typeof value === 'string' ? maskEmail(value) : (value ?? null);
}

export interface LogEntry {
  readonly id: string;
  readonly at: Date;
  /** The administrator's address, where there still is such an administrator. */
  readonly changedBy: string;
  readonly changes: LoggedChanges;
}

export interface LogPage {
  readonly entries: readonly LogEntry[];
  /** What `before` is for the page after this one; undefined on the last. */
  readonly next?: string;
}

/** Returns the changes of a project's settings and keys, the newest first. `before`: the id of an entry. */
export async function listLog(
  service: Pick<Service, 'db' | 'vault'>,
  { projectId, before, limit }: { projectId: string; before?: string | undefined; limit: number },
): Promise<LogPage> {
  const { entries, ...more } = await listAudit(service, { projectId, changesOnly: true, before, limit });
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
