import type { WorldMode } from '../../ground/db/schema/index.js';
import { dayMs } from '../../ground/time.js';
import type { Address } from '../addresses/addresses.js';
import type { LoggedChanges } from '../projects/rules/project-settings/log.js';
import type { Caller, Database, Service, Transaction, UnitOfWork } from '../service.js';
import { appendToChain, saltFor, withHead, withTransaction } from './chain.js';
import { forgetUserInEntries, insertAuditRow, removeOldest } from './chain-queries.js';
import { type AuditFilter, type AuditRow, findKeyHints, hasEntriesOfNobody, listAuditRows } from './queries.js';
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

const keyPrefix = 'key ';

/** Returns the actor name of an API key, by ID. */
export const apiKey = (keyId: string) => `${keyPrefix}${keyId}`;

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

/** Who acts, from where, and as part of what. Default: the command line. */
export type Origin = Pick<AuditEntry, 'by' | 'network' | 'details'>;

/** Origin whose actor is known. */
export type NamedOrigin = Origin & { readonly by: string };

type Parts = Pick<Service, 'newId' | 'now' | 'vault'>;

/**
 * Records actions, in their order. Call it last in the transaction of the actions: others that record something wait
 * until the transaction ends.
 */
export async function recordAudit(db: Database, service: Parts, ...entries: readonly AuditEntry[]): Promise<void> {
  await appendToChain(
    db,
    service,
    entries.map((entry) => toRow(service, entry)),
  );
}

function toRow(service: Parts, entry: AuditEntry) {
  const { by = commandLine, changes, details = {} } = entry;
  const isAdministrator = by.startsWith(administratorPrefix);
  return {
    id: service.newId(),
    kind: entry.kind,
    actor: isAdministrator ? 'administrator' : by,
    admin_id: (isAdministrator ? by.slice(administratorPrefix.length) : entry.adminId) ?? null,
    project_id: entry.projectId ?? null,
    mode: entry.mode ?? null,
    user_id: entry.userId ?? null,
    subject: entry.subject ?? null,
    network: entry.network ?? null,
    changes: changes ? JSON.stringify(changes) : null,
    details: JSON.stringify(details),
    created_at: service.now(),
  };
}

/**
 * Removes an erased user from the entries about it, and records the erasure with the numbers of these entries. The
 * entries themselves are kept.
 */
export async function recordErasure(
  trx: Transaction,
  service: Parts,
  { userId, ...entry }: Omit<AuditEntry, 'kind' | 'details'> & { readonly userId: string | undefined },
): Promise<void> {
  await withHead(trx, service, async ({ last, base }) => {
    const entries = userId === undefined ? [] : await forgetUserInEntries(trx, userId);
    const row = { ...toRow(service, { ...entry, kind: 'user_erased' }), details: JSON.stringify({ entries }) };
    return { head: { base, last: await insertAuditRow(trx, { ...row, salt: saltFor(row) }, last) }, result: undefined };
  });
}

/** Deletes entries from before a time, at most `limit`. Returns their number. */
export function removeOldAudit(
  service: Service,
  { before, limit }: { readonly before: Date; readonly limit: number },
): Promise<number> {
  return withTransaction(service.db, (trx) =>
    withHead(trx, service, async ({ last, base }) => {
      const removed = await removeOldest(trx, { before, limit });
      return { head: { last, base: removed.last ?? base }, result: removed.count };
    }),
  );
}

/** Returns the origin of a request with a key. */
export function originOfKey({ keyId }: Pick<Caller, 'keyId'>, address: Address | undefined): NamedOrigin {
  return { by: apiKey(keyId), network: address?.network };
}

/** Records an action on the data of a caller's world. Call it last in the transaction of the action. */
export async function recordInWorld(work: UnitOfWork, entry: Omit<AuditEntry, 'projectId' | 'mode'>): Promise<void> {
  const { project, mode } = work.caller;
  await recordAudit(work.db, work, { ...entry, projectId: project.id, mode });
}

/** Failed attempt to sign in. */
export interface FailedSignIn {
  /** Account; undefined if there is none with this address. The address that was entered is not stored. */
  readonly adminId: string | undefined;
  readonly network: string | undefined;
  /** Page in a session where the password was entered; undefined for a sign-in. */
  readonly at?: string;
  /** How somebody tried to sign in. Default: with a password. */
  readonly with?: string;
  /** Why it failed. Default: the password, or the code, was wrong. */
  readonly reason?: string;
}

/**
 * Records a wrong password, or another failed attempt. One for an account that does not exist is skipped if there were
 * already 1,000 within a day, because strangers cause such entries and must not fill the table.
 */
export async function recordFailedSignIn(db: Database, service: Parts, failed: FailedSignIn): Promise<void> {
  const { adminId, network, at, with: by, reason } = failed;
  const kind = 'sign_in_failed';
  const limit = { kind, since: new Date(service.now().getTime() - dayMs), limit: maxUnknownAccountsPerDay };
  if (adminId === undefined && (await hasEntriesOfNobody(db, limit))) return;
  const isSignedIn = adminId !== undefined && at !== undefined;
  await recordAudit(db, service, {
    kind,
    by: isSignedIn ? administrator({ id: adminId }) : nobody,
    adminId,
    network,
    details: {
      ...(adminId === undefined && { account: 'unknown' }),
      ...(at !== undefined && { at }),
      ...(by && { by }),
      ...(reason && { reason }),
    },
  });
}

/** Entry of the log in readable form. */
export interface ShownAuditEntry extends Omit<AuditRow, 'email' | 'admin_id'> {
  /** Email address of the administrator who acted or whose account it is about; the ID if that account was deleted. */
  readonly admin: string | undefined;
  /** Beginning and end of the key that acted, such as `sk_live_…wxyz`. */
  readonly key: string | undefined;
}

export interface AuditPage {
  readonly entries: readonly ShownAuditEntry[];
  /** Value of `before` for the next page; undefined on the last page. */
  readonly next?: string;
}

/** Returns entries, the newest first. */
export async function listAudit({ db, vault }: Pick<Service, 'db' | 'vault'>, filter: AuditFilter): Promise<AuditPage> {
  const rows = await listAuditRows(db, { ...filter, limit: filter.limit + 1 });
  const hints = await keyNames(
    db,
    rows.map(({ actor }) => actor),
  );
  const entries = rows.slice(0, filter.limit).map(({ email, admin_id, ...row }) => ({
    ...row,
    admin: email ? vault.open(email, emailContext) : (admin_id ?? undefined),
    key: hints.get(row.actor),
  }));
  const last = entries.at(-1);
  return { entries, ...(rows.length > filter.limit && last && { next: last.id }) };
}

/** Returns the shown form of the keys among some actors, by actor. */
export async function keyNames(db: Database, actors: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const ids = actors.filter((actor) => actor.startsWith(keyPrefix)).map((actor) => actor.slice(keyPrefix.length));
  const keys = await findKeyHints(db, [...new Set(ids)]);
  return new Map(
    keys.map(({ id, kind, mode, hint }) => [apiKey(id), `${kind === 'secret' ? 'sk' : 'pk'}_${mode}_…${hint}`]),
  );
}

/** Returns the actor in readable form. */
export function actorOf({ actor, admin, key }: Pick<ShownAuditEntry, 'actor' | 'admin' | 'key'>): string {
  if (key !== undefined) return key;
  return actor === 'administrator' ? (admin ?? actor) : actor;
}
