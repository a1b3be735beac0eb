import { hashSecret } from '../../ground/crypto/index.js';
import { hashPassword, isPassword } from '../../ground/crypto/passwords.js';
import type { Address } from '../../resources/addresses/addresses.js';
import { confirmAdminSession } from '../../resources/admins/admin-sessions-queries.js';
import { findAdminByEmail, readAdminEmail, sealAdminEmail } from '../../resources/admins/admins.js';
import {
  type AdminRow,
  findAdminById,
  insertAdmin,
  lockAdmins,
  removeAdminLink,
  removeResetLinksOf,
  updateAdmin,
} from '../../resources/admins/admins-queries.js';
import { hasSecondFactor, readFactors } from '../../resources/admins/factors.js';
import { findLinkUse, type LinkUse } from '../../resources/admins/links.js';
import { saveMembership } from '../../resources/admins/members-queries.js';
import { usesPassword } from '../../resources/admins/sign-in-options.js';
import { usablePasswordHash } from '../../resources/admins/usable-password.js';
import { type AuditEntry, administrator, recordAudit, recordFailedSignIn } from '../../resources/audit/audit.js';
import type { Service, Transaction } from '../../resources/service.js';
import {
  type AttemptResult,
  type AttemptSubjects,
  attemptSubjectsOf,
  countAttempt,
  resetAttempts,
  resetAttemptsOfAccount,
} from './lock-out.js';
import { beginSession, endSession, removeSessionsExcept, sessionsEnded } from './session.js';

export interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly address: Address | undefined;
  /** Browser and system, in words. */
  readonly device?: string | undefined;
  /** Token of the previous session, which ends. */
  readonly previousToken: string | undefined;
}

/**
 * Signs a member in with a new session, which waits for the second factor if the account has one. Neither the result
 * nor its timing reveals whether the account exists.
 */
export async function signIn(
  service: Service,
  { email, password, address, device, previousToken }: Credentials,
): Promise<AttemptResult<{ readonly outcome: 'right'; readonly token: string }>> {
  const { db } = service;
  const network = address?.network;
  const known = readAdminEmail(email);
  const subjects = await attemptSubjectsOf(db, service, known ?? email, address);
  const seconds = await countAttempt(service, subjects);
  if (seconds > 0) return { outcome: 'locked', seconds };
  const admin = await findAdminByEmail(db, service, known ?? '');
  const isRight = await isPassword(password, await usablePasswordHash(service, known, admin));
  if (!admin || known === undefined || !isRight) {
    await recordFailedSignIn(db, service, { adminId: admin?.id, network });
    return { outcome: 'wrong' };
  }
  const token = await db.transaction().execute(async (trx) => {
    // Seals the email address again, in case the master secret has changed. The password may have been changed, or the
    // account removed, while the password was checked.
    const isUnchanged = await updateAdmin(trx, admin.id, sealAdminEmail(service, known), admin.password_hash);
    if (!isUnchanged) return undefined;
    await resetAttempts(trx, subjects);
    const isWaiting = hasSecondFactor(await readFactors(trx, admin.id));
    const begun = await beginSession(trx, service, admin.id, { device, network, isWaiting });
    if (!isWaiting) await recordAudit(trx, service, { kind: 'signed_in', by: administrator(admin), network });
    return begun;
  });
  if (token === undefined) return { outcome: 'wrong' };
  if (previousToken !== undefined) await endSession(service, previousToken);
  return { outcome: 'right', token };
}

interface Change {
  readonly adminId: string;
  readonly email: string;
  readonly current: string;
  /** Already checked for strength. */
  readonly next: string;
  readonly address: Address | undefined;
  /** Token of the session to keep. All others end. */
  readonly sessionToken: string;
}

/** Changes a member's own password. Wrong passwords count as they do at sign-in. */
export async function changePassword(
  service: Service,
  { adminId, email, current, next, address, sessionToken }: Change,
): Promise<AttemptResult<{ readonly outcome: 'right' }>> {
  const result = await checkOwnPassword(service, {
    adminId,
    email,
    password: current,
    address,
    at: 'change of password',
  });
  if (result.outcome !== 'right') return result;
  const password_hash = await hashPassword(next);
  return service.db.transaction().execute(async (trx) => {
    // The password may have been changed in the meantime.
    if (!(await updateAdmin(trx, adminId, { password_hash }, result.admin.password_hash))) return { outcome: 'wrong' };
    await resetAttempts(trx, result.subjects);
    const [by, network] = [administrator({ id: adminId }), address?.network];
    const ended = await removeSessionsExcept(trx, adminId, sessionToken);
    const entry = { kind: 'password_changed', by, network };
    await recordAudit(trx, service, entry, ...(ended > 0 ? [sessionsEnded({ adminId, by, network }, ended)] : []));
    return { outcome: 'right' };
  });
}

export interface OwnPassword {
  readonly adminId: string;
  readonly email: string;
  readonly password: string;
  readonly address: Address | undefined;
  /** Where the password was entered, for the audit log. */
  readonly at: string;
}

interface RightPassword {
  readonly outcome: 'right';
  readonly admin: AdminRow;
  readonly subjects: AttemptSubjects;
}

/** Checks the password of a signed-in member. Wrong passwords count as they do at sign-in. */
async function checkOwnPassword(service: Service, own: OwnPassword): Promise<AttemptResult<RightPassword>> {
  const { adminId, email, password, address, at } = own;
  const { db } = service;
  const subjects = await attemptSubjectsOf(db, service, email, address);
  const seconds = await countAttempt(service, subjects);
  if (seconds > 0) return { outcome: 'locked', seconds };
  const admin = await findAdminById(db, adminId);
  if (admin && (await isPassword(password, await usablePasswordHash(service, email, admin))))
    return { outcome: 'right', admin, subjects };
  await recordFailedSignIn(db, service, { adminId, network: address?.network, at });
  return { outcome: 'wrong' };
}

/** Confirms the password for sensitive actions. The confirmation is valid for a few minutes in this session. */
export async function confirmPassword(
  service: Service,
  { sessionToken, ...own }: Omit<OwnPassword, 'at'> & { readonly sessionToken: string },
): Promise<AttemptResult<{ readonly outcome: 'right' }>> {
  const result = await checkOwnPassword(service, { ...own, at: 'confirmation' });
  if (result.outcome !== 'right') return result;
  const { adminId, address } = own;
  await service.db.transaction().execute(async (trx) => {
    await confirmAdminSession(trx, hashSecret(sessionToken), service.now());
    await resetAttempts(trx, result.subjects);
    const by = administrator({ id: adminId });
    await recordAudit(trx, service, { kind: 'password_confirmed', by, network: address?.network });
  });
  return { outcome: 'right' };
}

interface SetUp {
  /** Already checked with `findLinkUse`, so that no password is hashed for an invalid link. */
  readonly token: string;
  /**
   * Email address that the first owner entered, normalised by `readAdminEmail`. Other links have their own.
   */
  readonly email: string | undefined;
  /** Already checked for strength. */
  readonly password: string;
  readonly address: Address | undefined;
  /** Browser and system, in words. */
  readonly device?: string | undefined;
}

/**
 * Uses a link: creates an account, or resets the password of an account and ends its sessions.
 *
 * @returns Token of the new session. Undefined if the link is not valid.
 */
export async function setUpAdmin(service: Service, setUp: SetUp): Promise<string | undefined> {
  const { token, address } = setUp;
  // Hashed outside the transaction, which blocks others.
  const password_hash = await hashPassword(setUp.password);
  return service.db.transaction().execute(async (trx) => {
    await lockAdmins(trx);
    const use = await findLinkUse(trx, service, token);
    const email = use?.purpose === 'first' ? setUp.email : use?.email;
    if (!use || email === undefined || !usesPassword(service.signIn, { email, isLinked: false })) return undefined;
    await removeAdminLink(trx, hashSecret(token));
    const id = use.purpose === 'reset' ? use.adminId : service.newId();
    const parts = { id, email, password_hash, address };
    const entries =
      use.purpose === 'reset' ? await resetPassword(trx, service, parts) : await addAdmin(trx, service, use, parts);
    const isWaiting = hasSecondFactor(await readFactors(trx, id));
    const place = { device: setUp.device, network: address?.network, isWaiting };
    const session = await beginSession(trx, service, id, place);
    const signedIn = isWaiting ? [] : [entryOf('signed_in', parts, { by: 'link' })];
    await recordAudit(trx, service, ...entries, ...signedIn);
    return session;
  });
}

interface Parts {
  readonly id: string;
  readonly email: string;
  readonly password_hash: string;
  readonly address: Address | undefined;
}

/** Creates an account. Returns what to record. */
async function addAdmin(
  trx: Transaction,
  service: Service,
  use: Exclude<LinkUse, { purpose: 'reset' }>,
  parts: Parts,
): Promise<AuditEntry[]> {
  const { id, email, password_hash } = parts;
  const access = use.purpose === 'first' ? ({ role: 'owner' } as const) : use.access;
  const now = service.now();
  const is_owner = access.role === 'owner';
  await insertAdmin(trx, { id, is_owner, ...sealAdminEmail(service, email), password_hash, created_at: now });
  const projectId = access.role === 'owner' ? undefined : access.project.id;
  if (access.role !== 'owner') {
    await saveMembership(trx, { project_id: access.project.id, admin_id: id, role: access.role }, now);
  }
  const changes = { role: { from: null, to: access.role } };
  return [
    entryOf('link_used', parts, { purpose: use.purpose }),
    { ...entryOf('member_added', parts), projectId, changes },
  ];
}

/** Changes the password of an account and ends its sessions. Returns what to record. */
async function resetPassword(trx: Transaction, service: Service, parts: Parts): Promise<AuditEntry[]> {
  const { id, email, password_hash, address } = parts;
  await updateAdmin(trx, id, { ...sealAdminEmail(service, email), password_hash });
  await removeResetLinksOf(trx, id);
  const ended = await removeSessionsExcept(trx, id);
  await resetAttemptsOfAccount(trx, await attemptSubjectsOf(trx, service, email, address));
  const end = { adminId: id, by: administrator({ id }), network: address?.network };
  return [
    entryOf('link_used', parts, { purpose: 'reset' }),
    entryOf('password_reset', parts),
    ...(ended > 0 ? [sessionsEnded(end, ended)] : []),
  ];
}

function entryOf(
  kind: 'signed_in' | 'link_used' | 'member_added' | 'password_reset',
  { id, address }: Parts,
  details: Readonly<Record<string, string>> = {},
): AuditEntry {
  return { kind, by: administrator({ id }), network: address?.network, details };
}
