import { randomBytes } from 'node:crypto';
import { hashSecret } from '../../ground/crypto/index.js';
import { OperatorError } from '../../ground/operator-error.js';
import { dayMs, hourMs } from '../../ground/time.js';
import { type AuditEntry, emailContext, type Origin, recordAudit } from '../audit/audit.js';
import { findProjectRow } from '../projects/queries/projects.js';
import type { Database, Service } from '../service.js';
import { maskEmail } from '../users/rules/mask.js';
import { findAdminByEmail, readAdminEmail } from './admins.js';
import {
  type AdminLinkRow,
  findAdminLink,
  hasAdmins,
  insertAdminLink,
  type NewAdminLink,
  removeResetLinksOf,
} from './admins-queries.js';
import { isLinked } from './identities-queries.js';
import type { ProjectRole } from './permissions.js';
import { usesPassword } from './sign-in-options.js';

const tokenBytes = 32;
const linkLifetimeMs = hourMs;
/** People may read their mail only after a weekend. */
export const invitationDays = 3;
/** Encryption context of email addresses in invitations. */
export const linkContext = 'admin_link.email';

/** What a role applies to: an owner's to the installation, the others to one project. */
export type Access =
  | { readonly role: 'owner' }
  | { readonly role: ProjectRole; readonly project: { readonly id: string; readonly name: string } };

/**
 * Purpose of a link, which allows nothing else. Only the first owner chooses an email address, and only a reset link
 * changes an existing account.
 */
export type LinkUse =
  | { readonly purpose: 'first' }
  | { readonly purpose: 'invitation'; readonly email: string; readonly access: Access }
  | { readonly purpose: 'reset'; readonly email: string; readonly adminId: string };

export interface Invitation {
  readonly id: string;
  /** Link that creates the account. */
  readonly link: string;
}

export interface Invited {
  /** Address as returned by `readAdminEmail`. */
  readonly email: string;
  readonly access: Access;
  /** Account that invites; undefined for the command line. */
  readonly invitedBy?: string | undefined;
}

/** Creates an invitation for an email address without an account. Its link works once, within 3 days. */
export async function makeInvitation(service: Service, invited: Invited, origin: Origin = {}): Promise<Invitation> {
  const { email, access, invitedBy } = invited;
  const id = service.newId();
  const projectId = access.role === 'owner' ? undefined : access.project.id;
  const link = await makeLink(
    service,
    {
      id,
      purpose: 'invitation',
      email: service.vault.seal(email, linkContext),
      role: access.role,
      project_id: projectId,
      invited_by: invitedBy,
    },
    { ...origin, projectId, details: { email: maskEmail(email), role: access.role } },
  );
  return { id, link };
}

/**
 * Creates a link for setting a new password, which can be used once, within an hour. Revokes earlier links.
 *
 * @throws OperatorError if there is no such account, or if it signs in without a password.
 */
export async function makeResetLink(service: Service, typed: string, origin: Origin = {}): Promise<string> {
  const email = readAdminEmail(typed);
  const admin = email === undefined ? undefined : await findAdminByEmail(service.db, service, email);
  if (!admin) throw new OperatorError('There is no member with this email address.');
  if (email === undefined || !usesPassword(service.signIn, { email, isLinked: await isLinked(service.db, admin.id) })) {
    throw new OperatorError('This member signs in with the OpenID Connect provider, without a password.');
  }
  await removeResetLinksOf(service.db, admin.id);
  const link = { id: service.newId(), purpose: 'reset', admin_id: admin.id } as const;
  return makeLink(service, link, { ...origin, adminId: admin.id });
}

/** Creates a setup link for the first owner. Returns undefined if an account exists. */
export async function makeFirstAdminLink(service: Service): Promise<string | undefined> {
  if (await hasAdmins(service.db)) return undefined;
  return makeLink(service, { id: service.newId(), purpose: 'first' }, { by: 'first start' });
}

async function makeLink(
  service: Service,
  link: Omit<NewAdminLink, 'hash' | 'expires_at'>,
  entry: Omit<AuditEntry, 'kind'>,
): Promise<string> {
  const token = randomBytes(tokenBytes).toString('base64url');
  const lifetimeMs = link.purpose === 'invitation' ? invitationDays * dayMs : linkLifetimeMs;
  const expires_at = new Date(service.now().getTime() + lifetimeMs);
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
  if (link?.purpose === 'invitation') return invitationOf(db, service, link);
  if (!link?.admin_id || !link.admin_email) return undefined;
  const email = service.vault.open(link.admin_email, emailContext);
  if (!usesPassword(service.signIn, { email, isLinked: await isLinked(db, link.admin_id) })) return undefined;
  return { purpose: 'reset', email, adminId: link.admin_id };
}

async function invitationOf(
  db: Database,
  service: Service,
  { email: sealed, role, project_id }: AdminLinkRow,
): Promise<LinkUse | undefined> {
  if (!sealed || !role) return undefined;
  const email = service.vault.open(sealed, linkContext);
  if (await findAdminByEmail(db, service, email)) return undefined;
  if (role === 'owner') return { purpose: 'invitation', email, access: { role } };
  const project = project_id === null ? undefined : await findProjectRow(db, project_id);
  return project && { purpose: 'invitation', email, access: { role, project } };
}
