import type { Address } from '../../addresses/addresses.js';
import { administrator, recordAudit, recordFailedSignIn } from '../../audit/audit.js';
import { hashSecret } from '../../crypto/index.js';
import { isPassword } from '../../crypto/passwords.js';
import type { Service } from '../../service.js';
import { confirmAdminSession } from './admin-sessions-queries.js';
import { type AdminRow, findAdminById } from './admins-queries.js';
import { forgetTries, type Tried, type Trying, takeTry, tryingOf } from './lock-out.js';

export interface OwnPassword {
  readonly adminId: string;
  readonly email: string;
  readonly password: string;
  readonly address: Address | undefined;
  /** Where it was entered, for the audit log. */
  readonly at: string;
}

interface RightPassword {
  readonly outcome: 'right';
  readonly admin: AdminRow;
  readonly trying: Trying;
}

/** Tries the password of an administrator who is signed in. Wrong ones count as they do when signing in. */
export async function tryOwnPassword(service: Service, own: OwnPassword): Promise<Tried<RightPassword>> {
  const { adminId, email, password, address, at } = own;
  const { db } = service;
  const trying = await tryingOf(db, service, email, address);
  const seconds = await takeTry(service, trying);
  if (seconds > 0) return { outcome: 'locked', seconds };
  const admin = await findAdminById(db, adminId);
  if (admin && (await isPassword(password, admin.password_hash))) return { outcome: 'right', admin, trying };
  await recordFailedSignIn(db, service, { adminId, network: address?.network, at });
  return { outcome: 'wrong' };
}

/** Takes the password once more, for what needs that; it then counts for a few minutes in this session. */
export async function confirmPassword(
  service: Service,
  { sessionToken, ...own }: Omit<OwnPassword, 'at'> & { readonly sessionToken: string },
): Promise<Tried<{ readonly outcome: 'right' }>> {
  const tried = await tryOwnPassword(service, { ...own, at: 'confirmation' });
  if (tried.outcome !== 'right') return tried;
  const { adminId, address } = own;
  await service.db.transaction().execute(async (trx) => {
    await confirmAdminSession(trx, hashSecret(sessionToken), service.now());
    await forgetTries(trx, tried.trying);
    const by = administrator({ id: adminId });
    await recordAudit(trx, service, { kind: 'password_confirmed', by, network: address?.network });
  });
  return { outcome: 'right' };
}
