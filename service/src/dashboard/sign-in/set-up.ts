import type { Address } from '../../addresses/addresses.js';
import { administrator, recordAudit } from '../../audit/audit.js';
import { hashSecret } from '../../crypto/index.js';
import { hashPassword } from '../../crypto/passwords.js';
import type { Service, Transaction } from '../../service.js';
import { findLinkUse, type LinkUse } from './admin-links.js';
import { sealAdminEmail } from './admins.js';
import { insertAdmin, lockAdmins, removeAdminLink, removeResetLinksOf, updateAdmin } from './admins-queries.js';
import { forgetTriesOfAccount, tryingOf } from './lock-out.js';
import { beginSession, endSessionsOf } from './session.js';

interface SetUp {
  /** As `findLinkUse` found it valid, so that no password is hashed for nothing. */
  readonly token: string;
  /** What the first administrator entered, as `readAdminEmail` has it. Other links have an address of their own. */
  readonly email: string | undefined;
  /** It has been found strong enough. */
  readonly password: string;
  readonly address: Address | undefined;
}

/**
 * Uses a link up: makes an administrator, or gives the one it is for a new password and ends the sessions of that account.
 *
 * @returns What the browser keeps of the new session; undefined where the link is not valid.
 */
export async function setUpAdmin(service: Service, setUp: SetUp): Promise<string | undefined> {
  const { token, address } = setUp;
  // Outside of the transaction, which holds others off.
  const password_hash = await hashPassword(setUp.password);
  return service.db.transaction().execute(async (trx) => {
    await lockAdmins(trx);
    const use = await findLinkUse(trx, service, token);
    const email = use?.purpose === 'first' ? setUp.email : use?.email;
    if (!use || email === undefined) return undefined;
    await removeAdminLink(trx, hashSecret(token));
    const id = use.purpose === 'reset' ? use.adminId : service.newId();
    const parts = { id, email, password_hash, address };
    await (use.purpose === 'reset' ? resetPassword(trx, service, parts) : addAdmin(trx, service, use, parts));
    await recordAudit(trx, service, entryOf('signed_in', parts, { by: 'link' }));
    return beginSession(trx, service, id);
  });
}

interface Parts {
  readonly id: string;
  readonly email: string;
  readonly password_hash: string;
  readonly address: Address | undefined;
}

async function addAdmin(trx: Transaction, service: Service, { purpose }: LinkUse, parts: Parts): Promise<void> {
  const { id, email, password_hash } = parts;
  await insertAdmin(trx, { id, ...sealAdminEmail(service, email), password_hash, created_at: service.now() });
  await recordAudit(trx, service, entryOf('link_used', parts, { purpose }));
  await recordAudit(trx, service, entryOf('administrator_added', parts));
}

async function resetPassword(trx: Transaction, service: Service, parts: Parts): Promise<void> {
  const { id, email, password_hash, address } = parts;
  await updateAdmin(trx, id, { ...sealAdminEmail(service, email), password_hash });
  await removeResetLinksOf(trx, id);
  await recordAudit(trx, service, entryOf('link_used', parts, { purpose: 'reset' }));
  await recordAudit(trx, service, entryOf('password_reset', parts));
  await endSessionsOf(trx, service, { adminId: id, by: administrator({ id }), network: address?.network });
  await forgetTriesOfAccount(trx, await tryingOf(trx, service, email, address));
}

function entryOf(
  kind: 'signed_in' | 'link_used' | 'administrator_added' | 'password_reset',
  { id, address }: Parts,
  details: Readonly<Record<string, string>> = {},
) {
  return { kind, by: administrator({ id }), network: address?.network, details };
}
