import { randomBytes } from 'node:crypto';
import { hashSecret } from '../../ground/crypto/index.js';
import { OperatorError } from '../../ground/operator-error.js';
import { hourMs } from '../../ground/time.js';
import { type AuditEntry, emailContext, recordAudit } from '../audit/audit.js';
import type { Database, Service, Transaction } from '../service.js';
import { parseEmail } from '../users/rules/contacts.js';
import { maskEmail } from '../users/rules/mask.js';
import {
  type AdminRow,
  findAdmin,
  findAdminLink,
  hasAdmins,
  insertAdminLink,
  listAdminRows,
  lockAdmins,
  type NewAdminLink,
  removeAdmin,
  removeResetLinksOf,
} from './admins-queries.js';

export interface Admin {
  readonly id: string;
  readonly email: string;
  readonly createdAt: Date;
}

/**
 * Returns the normalised spelling of an email address, which identifies an administrator and is shown on the
 * dashboard. Returns undefined if the text is not an email address.
 */
export function readAdminEmail(text: string): string | undefined {
  return parseEmail(text)?.display.toLowerCase();
}

/** Returns the sealed email address and its blind index, both under the current master secret. */
export function sealAdminEmail({ vault }: Service, email: string): Pick<AdminRow, 'email' | 'email_mark'> {
  return { email: vault.seal(email, emailContext), email_mark: vault.blindIndex(email, emailContext) };
}

export function findAdminByEmail(db: Service['db'] | Transaction, { vault }: Service, email: string) {
  return findAdmin(db, vault.blindIndexes(email, emailContext));
}

/** Returns whether an administrator exists. */
export function isSetUp({ db }: Service): Promise<boolean> {
  return hasAdmins(db);
}

/** Returns all administrators, the oldest first. */
export async function listAdmins({ db, vault }: Service): Promise<Admin[]> {
  const rows = await listAdminRows(db);
  return rows.map(({ id, email, created_at }) => ({
    id,
    email: vault.open(email, emailContext),
    createdAt: created_at,
  }));
}

/**
 * Removes an administrator and ends all of their sessions immediately.
 *
 * @throws OperatorError if there is no such administrator.
 */
export async function dismissAdmin(service: Service, email: string): Promise<void> {
  const { vault } = service;
  await service.db.transaction().execute(async (trx) => {
    await lockAdmins(trx);
    const normalised = readAdminEmail(email);
    const admin = normalised === undefined ? undefined : await findAdminByEmail(trx, service, normalised);
    if (!admin) throw new OperatorError('There is no administrator with this email address.');
    await removeAdmin(trx, admin.id);
    const details = { email: maskEmail(vault.open(admin.email, emailContext)) };
    await recordAudit(trx, service, { kind: 'administrator_removed', adminId: admin.id, details });
  });
}

const tokenBytes = 32;
const linkLifetimeMs = hourMs;
/** Encryption context of email addresses in invitations. */
export const linkContext = 'admin_link.email';

/** Who creates a link, for the audit log. Default: the command line. */
type By = Pick<AuditEntry, 'by' | 'network'>;

/**
 * Purpose of a link, which allows nothing else. Only the first administrator chooses an email address, and only a
 * reset link changes an existing account.
 */
export type LinkUse =
  | { readonly purpose: 'first' }
  | { readonly purpose: 'invitation'; readonly email: string }
  | { readonly purpose: 'reset'; readonly email: string; readonly adminId: string };

/**
 * Creates an invitation link for an administrator with this email address. It can be used once, within an hour.
 *
 * @throws OperatorError if the email address is invalid or belongs to an administrator.
 */
export async function makeInvitation(service: Service, typed: string, by: By = {}): Promise<string> {
  const email = readAdminEmail(typed);
  if (email === undefined)
    throw new OperatorError(`"${typed}" is not a valid email address. Enter an address such as ada@example.com.`);
  if (await findAdminByEmail(service.db, service, email)) {
    throw new OperatorError(
      'There is already an administrator with this email address. To set a new password, create a reset link.',
    );
  }
  const link = { purpose: 'invitation', email: service.vault.seal(email, linkContext) } as const;
  return makeLink(service, link, { ...by, details: { email: maskEmail(email) } });
}

/**
 * Creates a link for setting a new password, which can be used once, within an hour. Revokes earlier links.
 *
 * @throws OperatorError if there is no such administrator.
 */
export async function makeResetLink(service: Service, typed: string, by: By = {}): Promise<string> {
  const email = readAdminEmail(typed);
  const admin = email === undefined ? undefined : await findAdminByEmail(service.db, service, email);
  if (!admin) throw new OperatorError('There is no administrator with this email address.');
  await removeResetLinksOf(service.db, admin.id);
  return makeLink(service, { purpose: 'reset', admin_id: admin.id }, { ...by, adminId: admin.id });
}

/** Creates a setup link for the first administrator. Returns undefined if an administrator exists. */
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

/**
 * Returns the purpose of a link. Returns undefined if the link does not exist, was used, has expired or no longer
 * applies.
 */
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
