import type { WorldMode } from '../db/schema/index.js';
import type { LoggedChanges } from '../projects/rules/project-settings/log.js';
import type { Database, Service } from '../service.js';
import { dayMs } from '../time.js';
import { type AuditFilter, type AuditRow, insertAudit, insertAuditWithin, listAuditRows } from './queries.js';
import type { AuditKind } from './rules/audit.js';

/** Who acts where the command line does. */
export const commandLine = 'command line';
/** Who acts where nobody is signed in. */
export const nobody = 'nobody';
/** What administrators' addresses are sealed and marked for. */
export const emailContext = 'admin.email';
const administratorPrefix = 'administrator ';

/** Who acts where an administrator does: by id, since the log keeps no addresses. */
export const administrator = ({ id }: { readonly id: string }) => `${administratorPrefix}${id}`;

/** Tries at accounts that do not exist: so many a day are recorded, and the others are not. */
const mostStrangersADay = 1000;

export interface AuditEntry {
  /** One of `auditKinds`, or another name that says what was done. */
  readonly kind: AuditKind | (string & {});
  /** Who did it: an administrator as `administrator` names it, or anything else. Default: the command line. */
  readonly by?: string | undefined;
  /** Whose account it is about, where somebody else acted. */
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

/** Writes down what was done. Call it in the transaction that does it. */
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

/** A password that was wrong. */
export interface FailedSignIn {
  /** Whose account it is about; undefined where there is none of that address. What was typed is not kept. */
  readonly adminId: string | undefined;
  readonly network: string | undefined;
  /** Where in a session it was entered; undefined for a sign-in. */
  readonly at?: string;
}

/** Writes down a wrong password. */
export async function recordFailedSignIn(db: Database, service: Parts, failed: FailedSignIn): Promise<void> {
  const { adminId, network, at } = failed;
  const now = service.now();
  const entry = {
    ...{ id: service.newId(), kind: 'sign_in_failed', admin_id: adminId, network, created_at: now },
    actor: at === undefined ? nobody : 'administrator',
    details: JSON.stringify({ ...(adminId === undefined && { account: 'unknown' }), ...(at !== undefined && { at }) }),
  };
  await insertAuditWithin(db, entry, { since: new Date(now.getTime() - dayMs), most: mostStrangersADay });
}

/** An entry of the log, for people. */
export interface ShownAuditEntry extends Omit<AuditRow, 'email' | 'admin_id'> {
  /** The address of the administrator who acted, or whose account it is about; the id of one who was removed. */
  readonly admin: string | undefined;
}

export interface AuditPage {
  readonly entries: readonly ShownAuditEntry[];
  /** What `before` is for the page after this one; undefined on the last. */
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

/** Returns who acted, for people. */
export function actorOf({ actor, admin }: Pick<ShownAuditEntry, 'actor' | 'admin'>): string {
  return actor === 'administrator' ? (admin ?? actor) : actor;
}
