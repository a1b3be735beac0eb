// Not by its index, which loads what reads addresses and phone numbers into each command.
import { maskEmail } from '../domain/contacts/mask.js';
import type { LoggedChanges } from '../domain/project-settings/log.js';
import type { Database, Service } from '../service.js';
import { administratorPrefix, insertSettingChange, listSettingChanges } from '../store/queries/setting-changes.js';
import { emailContext } from './dashboard/session.js';

/** Who changes what the command line changes. */
export const commandLine = 'command line';

/** Who changes what an administrator changes on the dashboard: by id, for the log is not to keep addresses. */
export const administrator = ({ id }: { readonly id: string }) => `${administratorPrefix}${id}`;

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

/** Writes down who changed what in a project. Call it in the transaction that changes it. */
export async function logChanges(
  db: Database,
  service: Pick<Service, 'newId' | 'now'>,
  entry: Change & { projectId: string; changes: Readonly<Record<string, LoggedChange>> },
): Promise<void> {
  const { projectId, changedBy = commandLine } = entry;
  const changes = Object.fromEntries(
    Object.entries(entry.changes).map(([name, { from, to }]) => [
      name,
      { from: shown(name, from), to: shown(name, to) },
    ]),
  );
  await insertSettingChange(db, { id: service.newId(), projectId, changedBy, changes, now: service.now() });
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

/** The changes of a project's settings and keys, the newest first. `before`: the id of an entry. */
export async function listLog(
  { db, vault }: Pick<Service, 'db' | 'vault'>,
  { projectId, before, limit }: { projectId: string; before?: string | undefined; limit: number },
): Promise<LogPage> {
  const rows = await listSettingChanges(db, projectId, { before, limit: limit + 1 });
  const entries = rows.slice(0, limit).map(({ id, created_at, changed_by, email, changes }) => {
    const changedBy = email ? vault.open(email, emailContext) : changed_by;
    return { id, at: created_at, changedBy, changes };
  });
  const last = entries.at(-1);
  return { entries, ...(rows.length > limit && last && { next: last.id }) };
}
