import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'whorl/wire';
import { z } from 'zod';
import { hashSecret } from '../../ground/crypto/index.js';
import { dayMs, daySeconds, hourMs, minuteMs } from '../../ground/time.js';
import {
  confirmAdminSession,
  findAdminSession,
  findWaitingAdminSession,
  insertAdminSession,
  listAdminSessions,
  removeAdminSession,
  removeSessionOf,
  removeSessionsOf,
  setSessionNotice,
  touchAdminSession,
} from '../../resources/admins/admin-sessions-queries.js';
import { confirmationMinutes } from '../../resources/admins/rules.js';
import { usesPassword } from '../../resources/admins/sign-in-options.js';
import { type AuditEntry, emailContext, recordAudit } from '../../resources/audit/audit.js';
import type { Database, Service } from '../../resources/service.js';
import type { Notice } from '../notice.js';

const sessionBytes = 32;
const idleMs = dayMs / 2;
/** Maximum lifetime of a session: 7 days. An unused session ends after 12 hours. */
export const maxSessionSeconds = 7 * daySeconds;
/** Maximum lifetime of a session that the provider began. Roles that it takes away are lost by then. */
export const providerSessionMs = 12 * hourMs;
/** Precision of the last use of a session. */
const touchMs = minuteMs;
/** How long a password confirmation is valid. */
const confirmationMs = confirmationMinutes * minuteMs;
/** How long a session waits for the second factor. */
const waitingMs = 10 * minuteMs;
const noticeContext = 'admin_session.notice';

const noticeSchema = z.object({ kind: z.enum(['good', 'bad']), text: z.string() });

/** Account of a session. */
export interface SignedInAdmin {
  readonly id: string;
  readonly email: string;
  readonly isOwner: boolean;
  /** Whether it signs in with a password. If not, with the provider. */
  readonly usesPassword: boolean;
}

/** Session of a signed-in member. */
export interface DashboardSession {
  /** Token in the browser's cookie. */
  readonly token: string;
  readonly admin: SignedInAdmin;
  readonly notice: Notice | undefined;
  /** Whether the password was confirmed within the last minutes. */
  readonly isConfirmed: boolean;
  /** Whether a second factor has to be set up before anything else. */
  readonly mustEnrol: boolean;
}

/** Confirms a session for sensitive actions: its member has signed in again. */
export async function confirmSession(db: Database, { now }: Service, hash: Uint8Array): Promise<void> {
  await confirmAdminSession(db, hash, now());
}

/** Where a session begins, as the account's page shows it. */
export interface SessionPlace {
  readonly device?: string | undefined;
  readonly network?: string | undefined;
  /** Whether the second factor is still to come. Default: false. */
  readonly isWaiting?: boolean;
  /** Default: 7 days. */
  readonly lifetimeMs?: number;
}

/** Creates a session for an account. Returns its token. */
export async function beginSession(
  db: Database,
  service: Service,
  adminId: string,
  { device, network, isWaiting = false, lifetimeMs = maxSessionSeconds * 1000 }: SessionPlace = {},
): Promise<string> {
  const token = randomBytes(sessionBytes).toString('base64url');
  const now = service.now();
  await insertAdminSession(db, {
    id: service.newId(),
    hash: hashSecret(token),
    admin_id: adminId,
    device,
    network,
    is_waiting: isWaiting,
    notice: null,
    created_at: now,
    last_seen_at: now,
    expires_at: new Date(now.getTime() + lifetimeMs),
  });
  return token;
}

/**
 * Returns the session of a token. Returns undefined if it has expired or does not exist.
 *
 * @param network Network of the request, which is recorded with the last use.
 */
export async function findSession(
  service: Service,
  token: string | undefined,
  network?: string,
): Promise<DashboardSession | undefined> {
  if (!token) return undefined;
  const { db, vault, signIn } = service;
  const now = service.now();
  const hash = hashSecret(token);
  const row = await findAdminSession(db, { hash, now, seenAfter: new Date(now.getTime() - idleMs) });
  if (!row) return undefined;
  const email = vault.open(row.email, emailContext);
  const hasPassword = usesPassword(signIn, { email, isLinked: row.is_linked });
  // The way to sign in was switched off.
  if (!hasPassword && !(signIn.provider && row.is_linked)) return undefined;
  if (now.getTime() - row.last_seen_at.getTime() > touchMs) await touchAdminSession(db, hash, { now, network });
  const notice = row.notice ? noticeSchema.parse(JSON.parse(vault.open(row.notice, noticeContext))) : undefined;
  const isConfirmed = row.confirmed_at !== null && now.getTime() - row.confirmed_at.getTime() < confirmationMs;
  const admin = { id: row.admin_id, email, isOwner: row.is_owner, usesPassword: hasPassword };
  return { token, admin, notice, isConfirmed, mustEnrol: row.must_enrol && hasPassword };
}

/** Session of an account, for its page. */
export interface ListedSession {
  readonly id: string;
  readonly device: string;
  readonly network: string | undefined;
  /** What is known about the network. */
  readonly info: AddressInfo | undefined;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  /** Whether it is the session of `token`. */
  readonly isThis: boolean;
}

/** Returns the sessions of an account, the most recently used first. */
export async function listSessions(service: Service, adminId: string, token: string): Promise<ListedSession[]> {
  const now = service.now();
  const own = hashSecret(token);
  const rows = await listAdminSessions(service.db, { adminId, now, seenAfter: new Date(now.getTime() - idleMs) });
  return rows.map(({ id, hash, device, network, created_at, last_seen_at }) => ({
    id,
    device: device ?? 'Unknown device',
    network: network ?? undefined,
    info: network === null ? undefined : service.addresses.lookUp(network.split('/')[0] ?? ''),
    createdAt: created_at,
    lastSeenAt: last_seen_at,
    isThis: own.equals(hash),
  }));
}

/** Ends one session of an account, and records it. Returns whether it existed. */
export async function endSessionById(
  service: Service,
  id: string,
  { adminId, by, network }: Omit<SessionsEnd, 'exceptToken'>,
): Promise<boolean> {
  return service.db.transaction().execute(async (trx) => {
    const isEnded = await removeSessionOf(trx, adminId, id);
    if (isEnded) await recordAudit(trx, service, sessionsEnded({ adminId, by, network }, 1));
    return isEnded;
  });
}

/** Session of somebody who has entered the password, and not the second factor. */
export interface WaitingSession {
  readonly token: string;
  readonly admin: { readonly id: string; readonly email: string };
  readonly device: string | undefined;
}

/** Returns the session of a token that waits for the second factor. It ends after 10 minutes. */
export async function findWaitingSession(
  { db, vault, now }: Service,
  token: string | undefined,
): Promise<WaitingSession | undefined> {
  if (!token) return undefined;
  const since = new Date(now().getTime() - waitingMs);
  const row = await findWaitingAdminSession(db, { hash: hashSecret(token), since });
  if (!row) return undefined;
  const admin = { id: row.admin_id, email: vault.open(row.email, emailContext) };
  return { token, admin, device: row.device ?? undefined };
}

export async function endSession({ db }: Service, token: string): Promise<void> {
  await removeAdminSession(db, hashSecret(token));
}

/** Sessions to end, and who ends them. */
export interface SessionsEnd {
  readonly adminId: string;
  /** Token of the session to keep. Default: none. */
  readonly exceptToken?: string | undefined;
  /** Who ends them, for the audit log. */
  readonly by: string;
  readonly network?: string | undefined;
}

/** Ends all sessions of an account except the session of `exceptToken`. Returns the number of ended sessions. */
export function removeSessionsExcept(db: Database, adminId: string, exceptToken?: string): Promise<number> {
  return removeSessionsOf(db, adminId, exceptToken === undefined ? undefined : hashSecret(exceptToken));
}

/** Returns the entry of the audit log about ended sessions. */
export function sessionsEnded({ adminId, by, network }: Omit<SessionsEnd, 'exceptToken'>, count: number): AuditEntry {
  return { kind: 'sessions_ended', by, adminId, network, details: { count } };
}

/** Ends and records all sessions of an account except the session of `exceptToken`. Returns the number of ended sessions. */
export async function endSessionsOf(
  db: Database,
  service: Service,
  { adminId, exceptToken, by, network }: SessionsEnd,
): Promise<number> {
  const count = await removeSessionsExcept(db, adminId, exceptToken);
  if (count > 0) await recordAudit(db, service, sessionsEnded({ adminId, by, network }, count));
  return count;
}

/** Saves a notice for the next page of the session. */
export async function saveNotice({ db, vault }: Service, token: string, notice: Notice): Promise<void> {
  await setSessionNotice(db, hashSecret(token), vault.seal(JSON.stringify(notice), noticeContext));
}

export async function dropNotice({ db }: Service, token: string): Promise<void> {
  await setSessionNotice(db, hashSecret(token), null);
}
