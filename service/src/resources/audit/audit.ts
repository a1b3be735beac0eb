import type { WorldMode } from '../../ground/db/schema/index.js';
import { dayMs } from '../../ground/time.js';
import type { LoggedChanges } from '../projects/rules/project-settings/log.js';
import type { Database, Service } from '../service.js';
import { type AuditFilter, type AuditRow, insertAudit, insertAuditWithin, listAuditRows } from './queries.js';
import type { AuditKind } from './rules/audit.js';

/** Actor of changes made on the command line. */
export const commandLine = 'command line';
/** Actor if nobody is signed in. */
export const nobody = 'nobody';
/** Context for sealing and indexing administrators' email addresses. */
export const emailContext = 'admin.email';
const administratorPrefix = 'administrator ';

/** Returns the actor name of an administrator, by ID, because the log stores no email addresses. */
export const administrator = ({ id }: { readonly id: string }) => `${administratorPrefix}${id}`;

/** Maximum number of recorded sign-in attempts per day for accounts that do not exist. */
const maxUnknownAccountsPerDay = 1000;

export interface AuditEntry {
  /** One of `auditKinds`, or another name for the action. */
  readonly kind: AuditKind | (string & {});
  /** Actor: an administrator, as returned by `administrator`, or any other text. Default: the command line. */
  readonly by?: string | undefined;
  /** Account that the entry is about, if someone else acted. */
  readonly adminId?: string | undefined;
  readonly projectId?: string | undefined;
  readonly mode?: WorldMode | undefined;
  readonly userId?: string | null | undefined;
  readonly subject?: string | undefined;
  readonly network?: string | undefined;
  readonly changes?: LoggedChanges | undefined;
  readonly details?: Readonly<Record<string, string | number>> | undefined;
}

type Parts = Pick<Service, 'newId' | 'now'>;

/** Records an action. Call it in the transaction of the action. */
export async function recordAudit(db: Database, service: Parts, entry: AuditEntry): Promise<void> {
  const { by = commandLine, changes, details = {} } = entry;
  const isAdministrator = by.startsWith(administratorPrefix);
  await insertAudit(db, {
    id: service.newId(),
    kind: entry.kind,
    actor: isAdministrator ? 'administrator' : by,
    admin_id: isAdministrator ? by.slice(administratorPrefix.length) : entry.adminId,
    project_id: entry.projectId,
    mode: entry.mode,
    user_id: entry.userId,
    subject: entry.subject,
    network: entry.network,
    ...(changes && { changes: JSON.stringify(changes) }),
    details: JSON.stringify(details),
    created_at: service.now(),
  });
}

/** Failed attempt to enter a password. */
export interface FailedSignIn {
  /** Account; undefined if there is none with this address. The address that was entered is not stored. */
  readonly adminId: string | undefined;
  readonly network: string | undefined;
  /** Page in a session where the password was entered; undefined for a sign-in. */
  readonly at?: string;
}

/** Records a wrong password. */
export async function recordFailedSignIn(db: Database, service: Parts, failed: FailedSignIn): Promise<void> {
  const { adminId, network, at } = failed;
  const now = service.now();
  const entry = {
    id: service.newId(),
    kind: 'sign_in_failed',
    admin_id: adminId,
    network,
    created_at: now,
    actor: at === undefined ? nobody : 'administrator',
    details: JSON.stringify({ ...(adminId === undefined && { account: 'unknown' }), ...(at !== undefined && { at }) }),
  };
  await insertAuditWithin(db, entry, { since: new Date(now.getTime() - dayMs), limit: maxUnknownAccountsPerDay });
}

/** Entry of the log in readable form. */
export interface ShownAuditEntry extends Omit<AuditRow, 'email' | 'admin_id'> {
  /** Email address of the administrator who acted or whose account it is about; the ID if that account was deleted. */
  readonly admin: string | undefined;
}

export interface AuditPage {
  readonly entries: readonly ShownAuditEntry[];
  /** Value of `before` for the next page; undefined on the last page. */
  readonly next?: string;
}

/** Returns entries, the newest first. */
export async function listAudit({ db, vault }: Pick<Service, 'db' | 'vault'>, filter: AuditFilter): Promise<AuditPage> {
  const rows = await listAuditRows(db, { ...filter, limit: filter.limit + 1 });
  const entries = rows.slice(0, filter.limit).map(({ email, admin_id, ...row }) => ({
    ...row,
    admin: email ? vault.open(email, emailContext) : (admin_id ?? undefined),
  }));
  const last = entries.at(-1);
  return { entries, ...(rows.length > filter.limit && last && { next: last.id }) };
}

/** Returns the actor in readable form. */
export function actorOf({ actor, admin }: Pick<ShownAuditEntry, 'actor' | 'admin'>): string {
  return actor === 'administrator' ? (admin ?? actor) : actor;
}
