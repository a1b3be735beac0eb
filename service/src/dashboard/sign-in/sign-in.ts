import type { Address } from '../../addresses/addresses.js';
import { administrator, recordAudit, recordFailedSignIn } from '../../audit/audit.js';
import { hashPassword, isPassword } from '../../crypto/passwords.js';
import type { Service } from '../../service.js';
import { findAdminByEmail, readAdminEmail, sealAdminEmail } from './admins.js';
import { updateAdmin } from './admins-queries.js';
import { tryOwnPassword } from './confirm.js';
import { forgetTries, type Tried, takeTry, tryingOf } from './lock-out.js';
import { beginSession, endSession, endSessionsOf } from './session.js';

interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly address: Address | undefined;
  /** What the browser has of a session before; it ends. */
  readonly previousToken: string | undefined;
}

/**
 * Signs an administrator in, with a new session. What it answers, and how long that takes, does not tell whether there is
 * such an account.
 */
export async function signIn(
  service: Service,
  { email, password, address, previousToken }: Credentials,
): Promise<Tried<{ readonly outcome: 'right'; readonly token: string }>> {
  const { db } = service;
  const network = address?.network;
  const known = readAdminEmail(email);
  const trying = await tryingOf(db, service, known ?? email, address);
  const seconds = await takeTry(service, trying);
  if (seconds > 0) return { outcome: 'locked', seconds };
  const admin = await findAdminByEmail(db, service, known ?? '');
  const isRight = await isPassword(password, admin?.password_hash);
  if (!admin || known === undefined || !isRight) {
    await recordFailedSignIn(db, service, { adminId: admin?.id, network });
    return { outcome: 'wrong' };
  }
  const token = await db.transaction().execute(async (trx) => {
    // After a change of the master secret, the address is found by the new one from here on. The password may have been
    // changed, or the administrator dismissed, while it was looked at.
    const isStill = await updateAdmin(trx, admin.id, sealAdminEmail(service, known), admin.password_hash);
    if (!isStill) return undefined;
    await forgetTries(trx, trying);
    await recordAudit(trx, service, { kind: 'signed_in', by: administrator(admin), network });
    return beginSession(trx, service, admin.id);
  });
  if (token === undefined) return { outcome: 'wrong' };
  if (previousToken !== undefined) await endSession(service, previousToken);
  return { outcome: 'right', token };
}

interface Change {
  readonly adminId: string;
  readonly email: string;
  readonly current: string;
  /** It has been found good enough. */
  readonly next: string;
  readonly address: Address | undefined;
  /** The session that goes on; all others end. */
  readonly sessionToken: string;
}

/** Changes an administrator's own password. Wrong ones count as they do when signing in. */
export async function changePassword(
  service: Service,
  { adminId, email, current, next, address, sessionToken }: Change,
): Promise<Tried<{ readonly outcome: 'right' }>> {
  const tried = await tryOwnPassword(service, { adminId, email, password: current, address, at: 'change of password' });
  if (tried.outcome !== 'right') return tried;
  const password_hash = await hashPassword(next);
  return service.db.transaction().execute(async (trx) => {
    // It may have been changed meanwhile, and this one with it.
    if (!(await updateAdmin(trx, adminId, { password_hash }, tried.admin.password_hash))) return { outcome: 'wrong' };
    await forgetTries(trx, tried.trying);
    const [by, network] = [administrator({ id: adminId }), address?.network];
    await recordAudit(trx, service, { kind: 'password_changed', by, network });
    await endSessionsOf(trx, service, { adminId, exceptToken: sessionToken, by, network });
    return { outcome: 'right' };
  });
}
