import { randomBytes } from 'node:crypto';
import type { Address } from '../../domain/addresses.js';
import { hashSecret } from '../../secrets/index.js';
import { hashPassword } from '../../secrets/passwords.js';
import type { Service } from '../../service.js';
import {
  findAdminLink,
  hasAdmins,
  insertAdmin,
  insertAdminLink,
  lockAdmins,
  removeAdminLink,
  updateAdmin,
} from '../../store/queries/admins.js';
import { findAdminByEmail, sealAdminEmail } from './admins.js';
import { forgetTries, tryingOf } from './lock-out.js';
import { beginSession, endSessionsOf } from './session.js';

const tokenBytes = 32;
const linkLifetimeMs = 3_600_000;

/**
 * The address of a page on which somebody becomes an administrator, or an administrator sets a new password: good once,
 * for an hour.
 *
 * @param options.forFirst Whether it is good only while there is no administrator.
 */
export async function makeAdminLink(service: Service, { forFirst }: { forFirst: boolean }): Promise<string> {
  const token = randomBytes(tokenBytes).toString('base64url');
  await insertAdminLink(service.db, {
    hash: hashSecret(token),
    for_first: forFirst,
    expires_at: new Date(service.now().getTime() + linkLifetimeMs),
  });
  return `${service.publicUrl}/dashboard/set-up?token=${token}`;
}

/** The same, where there is no administrator yet. */
export async function makeFirstAdminLink(service: Service): Promise<string | undefined> {
  return (await hasAdmins(service.db)) ? undefined : makeAdminLink(service, { forFirst: true });
}

/** Whether a link's token is still good. */
export async function isAdminLink({ db, now }: Service, token: string | undefined): Promise<boolean> {
  const link = token ? await findAdminLink(db, hashSecret(token), now()) : undefined;
  return link !== undefined && !(link.for_first && (await hasAdmins(db)));
}

interface SetUp {
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
  if (!(await isAdminLink(service, token))) return undefined;
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
      await endSessionsOf(trx, id);
      await forgetTries(trx, tryingOf(service, email, address));
    } else {
      await insertAdmin(trx, { id, ...admin, created_at: now });
    }
    return beginSession(trx, service, id);
  });
}
