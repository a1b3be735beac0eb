import { randomBytes } from 'node:crypto';
import { type AuditEntry, emailContext, recordAudit } from '../../audit/audit.js';
import { hashSecret } from '../../crypto/index.js';
import { OperatorError } from '../../operator-error.js';
import type { Database, Service } from '../../service.js';
import { maskEmail } from '../../users/rules/mask.js';
import { findAdminByEmail, readAdminEmail } from './admins.js';
import { findAdminLink, hasAdmins, insertAdminLink, type NewAdminLink, removeResetLinksOf } from './admins-queries.js';

const tokenBytes = 32;
const linkLifetimeMs = 3_600_000;
/** What addresses in invitations are sealed for. */
export const linkContext = 'admin_link.email';

/** Who makes a link, for the audit log. Default: the command line. */
type By = Pick<AuditEntry, 'by' | 'network'>;

/**
 * What a link is for. It does that and nothing else: only the first administrator chooses an address, and no link but one
 * for a reset touches an account that exists.
 */
export type LinkUse =
  | { readonly purpose: 'first' }
  | { readonly purpose: 'invitation'; readonly email: string }
  | { readonly purpose: 'reset'; readonly email: string; readonly adminId: string };

/**
 * Makes a link by which the person with this address becomes an administrator: once, within an hour.
 *
 * @throws OperatorError for what is no address, or that of an administrator.
 */
export async function makeInvitation(service: Service, typed: string, by: By = {}): Promise<string> {
  const email = readAdminEmail(typed);
  if (email === undefined) throw new OperatorError(`"${typed}" is not an e-mail address.`);
  if (await findAdminByEmail(service.db, service, email)) {
    throw new OperatorError(
      'There is already an administrator with this address. To set a new password, make a reset link.',
    );
  }
  const link = { purpose: 'invitation', email: service.vault.seal(email, linkContext) } as const;
  return makeLink(service, link, { ...by, details: { email: maskEmail(email) } });
}

/**
 * Makes a link by which an administrator sets a new password: once, within an hour. Earlier ones end.
 *
 * @throws OperatorError if there is no such administrator.
 */
export async function makeResetLink(service: Service, typed: string, by: By = {}): Promise<string> {
  const email = readAdminEmail(typed);
  const admin = email === undefined ? undefined : await findAdminByEmail(service.db, service, email);
  if (!admin) throw new OperatorError('There is no administrator with this address.');
  await removeResetLinksOf(service.db, admin.id);
  return makeLink(service, { purpose: 'reset', admin_id: admin.id }, { ...by, adminId: admin.id });
}

/** Makes a link for the first administrator, who chooses the address; undefined where there is one already. */
export async function makeFirstAdminLink(service: Service): Promise<string | undefined> {
  return (await hasAdmins(service.db)) ? undefined : makeLink(service, { purpose: 'first' }, { by: 'first start' });
}

async function makeLink(
  service: Service,
  link: Pick<NewAdminLink, 'purpose' | 'email' | 'admin_id'>,
  entry: Omit<AuditEntry, 'kind'>,
): Promise<string> {
  const token = randomBytes(tokenBytes).toString('base64url');
  const expires_at = new Date(service.now().getTime() + linkLifetimeMs);
  const details = { ...entry.details, purpose: link.purpose };
  await service.db.transaction().execute(async (trx) => {
    await insertAdminLink(trx, { hash: hashSecret(token), ...link, expires_at });
    await recordAudit(trx, service, { ...entry, kind: 'link_created', details });
  });
  return `${service.publicUrl}/dashboard/set-up?token=${token}`;
}

/** Returns what a link is for; undefined where it is used up, too old, none, or no longer of use. */
export async function findLinkUse(
  db: Database,
  service: Service,
  token: string | undefined,
): Promise<LinkUse | undefined> {
  const link = token ? await findAdminLink(db, hashSecret(token), service.now()) : undefined;
  if (link?.purpose === 'first') return (await hasAdmins(db)) ? undefined : { purpose: 'first' };
  if (link?.email) {
    const email = service.vault.open(link.email, linkContext);
    return (await findAdminByEmail(db, service, email)) ? undefined : { purpose: 'invitation', email };
  }
  if (!link?.admin_id || !link.admin_email) return undefined;
  const email = service.vault.open(link.admin_email, emailContext);
  return { purpose: 'reset', email, adminId: link.admin_id };
}
