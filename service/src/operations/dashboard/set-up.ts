import type { Address } from '../../domain/addresses.js';
import { hashSecret } from '../../secrets/index.js';
import { hashPassword } from '../../secrets/passwords.js';
import type { Service } from '../../service.js';
import {
  findAdminLink,
  hasAdmins,
  insertAdmin,
  lockAdmins,
  removeAdminLink,
  updateAdmin,
} from '../../store/queries/admins.js';
import { administrator } from '../audit.js';
import { findAdminByEmail, sealAdminEmail } from './admins.js';
import { forgetTries, tryingOf } from './lock-out.js';
import { beginSession, endSessionsOf } from './session.js';

interface SetUp {
  /** As `isAdminLink` found it good, so that no password is hashed for nothing. */
  readonly token: string;
  /** As `readAdminEmail` has it. */
  readonly email: string;
  /** It has been found good enough. */
  readonly password: string;
  readonly address: Address | undefined;
}

/**
 * Uses a link up: makes an administrator, or gives the one of this address a new password and ends its sessions.
 *
 * @returns What the browser keeps of the new session; undefined where the link is no good.
 */
export async function setUpAdmin(
  service: Service,
  { token, email, password, address }: SetUp,
): Promise<string | undefined> {
  // Outside of the transaction, which holds others off.
  const password_hash = await hashPassword(password);
  return service.db.transaction().execute(async (trx) => {
    await lockAdmins(trx);
    const now = service.now();
    const hash = hashSecret(token);
    const link = await findAdminLink(trx, hash, now);
    if (!link || (link.for_first && (await hasAdmins(trx)))) return undefined;
    await removeAdminLink(trx, hash);
    const known = await findAdminByEmail(trx, service, email);
    const id = known?.id ?? service.newId();
    const admin = { ...sealAdminEmail(service, email), password_hash };
    if (known) {
      await updateAdmin(trx, id, admin);
      await endSessionsOf(trx, service, { adminId: id, by: administrator({ id }), network: address?.network });
      await forgetTries(trx, tryingOf(service, email, address));
    } else {
      await insertAdmin(trx, { id, ...admin, created_at: now });
    }
    return beginSession(trx, service, id);
  });
}
