import { noPassword } from '../../ground/crypto/passwords.js';
import { type AuditEntry, administrator, emailContext, recordAudit, recordFailedSignIn } from '../audit/audit.js';
import type { Service, Transaction } from '../service.js';
import { removeSessionsOf } from './admin-sessions-queries.js';
import { findAdminByEmail, sealAdminEmail } from './admins.js';
import {
  type AdminRow,
  findAdminById,
  hasAdmins,
  insertAdmin,
  lockAdmins,
  removeResetLinksOf,
  updateAdmin,
} from './admins-queries.js';
import {
  type ClaimedAccess,
  isNothing,
  openIdConnect,
  removeAccess,
  resolveRoles,
  setAccess,
} from './claimed-access.js';
import { removeFactors } from './factors-queries.js';
import { findLinkedAdmin, insertIdentity, isLinked } from './identities-queries.js';
import { listInvitations } from './invitations.js';
import { removeInvitation } from './members-queries.js';
import { type ProviderOptions, rolesGiven } from './sign-in-options.js';

const identityContext = 'admin.identity';

/** Identity that the provider has proven. */
export interface ProvenIdentity {
  readonly issuer: string;
  readonly subject: string;
  /** As returned by `readAdminEmail`. */
  readonly email: string | undefined;
  readonly isEmailVerified: boolean;
  /** Value of the claim with roles. */
  readonly claim: unknown;
}

/** Why somebody with an account of the provider may not sign in. */
export type Refusal =
  | 'not_set_up'
  | 'no_role'
  | 'no_email'
  | 'unverified_email'
  | 'emergency_owner'
  | 'other_account'
  | 'not_invited'
  | 'another_person';

export type Admission<Result> =
  | { readonly outcome: 'admitted'; readonly result: Result }
  | { readonly outcome: 'refused'; readonly reason: Refusal };

interface AdmitOptions<Result> {
  readonly network: string | undefined;
  /** Account that must be the one of the identity. Default: any, also a new one. */
  readonly onlyAdminId?: string | undefined;
  /** Kind of the entry in the audit log. */
  readonly kind: 'signed_in' | 'sign_in_confirmed';
  /** Begins or confirms a session, after the roles were set. */
  readonly act: (trx: Transaction, adminId: string) => Promise<Result>;
}

interface Admitted {
  readonly id: string;
  readonly entries: readonly AuditEntry[];
}

interface Refused {
  readonly reason: Refusal;
  /** Account that the attempt is about. */
  readonly adminId?: string | undefined;
  readonly entries?: readonly AuditEntry[];
}

/**
 * Admits somebody by the issuer and the subject of the identity, never by the email address alone. The first sign-in
 * creates the account, or links the one with the same address, which the provider must have verified. If the provider
 * gives roles, each sign-in sets them; without any, the account is deleted.
 */
export function admit<Result>(
  service: Service,
  provider: ProviderOptions,
  identity: ProvenIdentity,
  { network, onlyAdminId, kind, act }: AdmitOptions<Result>,
): Promise<Admission<Result>> {
  return service.db.transaction().execute(async (trx): Promise<Admission<Result>> => {
    await lockAdmins(trx);
    const found = await accountOf(trx, service, { provider, identity, onlyAdminId });
    const entries = (found.entries ?? []).map((entry) => ({ ...entry, network }));
    if ('reason' in found) {
      const { reason, adminId } = found;
      if (entries.length > 0) await recordAudit(trx, service, ...entries);
      await recordFailedSignIn(trx, service, { adminId, network, with: openIdConnect, reason });
      return { outcome: 'refused', reason };
    }
    const result = await act(trx, found.id);
    const done: AuditEntry = { kind, by: administrator(found), network, details: { by: openIdConnect } };
    await recordAudit(trx, service, ...entries, done);
    return { outcome: 'admitted', result };
  });
}

interface Attempt {
  readonly provider: ProviderOptions;
  readonly identity: ProvenIdentity;
  readonly onlyAdminId: string | undefined;
}

async function accountOf(
  trx: Transaction,
  service: Service,
  { provider, identity, onlyAdminId }: Attempt,
): Promise<Admitted | Refused> {
  if (!(await hasAdmins(trx))) return { reason: 'not_set_up' };
  const text = JSON.stringify([identity.issuer, identity.subject]);
  const knownId = await findLinkedAdmin(trx, service.vault.blindIndexes(text, identityContext));
  if (onlyAdminId !== undefined && knownId !== onlyAdminId) return { reason: 'another_person', adminId: onlyAdminId };
  const access =
    provider.roles.length > 0
      ? await resolveRoles(trx, service, rolesGiven(provider.roles, identity.claim))
      : undefined;
  const known = knownId === undefined ? undefined : await findAdminById(trx, knownId);
  if (known) return knownAccount(trx, service, known, { identity, access });
  const found = await firstAccount(trx, service, { identity, access });
  if ('reason' in found) return found;
  const mark = service.vault.blindIndex(text, identityContext);
  await insertIdentity(trx, { mark, adminId: found.id, now: service.now() });
  return found;
}

interface Claimed {
  readonly identity: ProvenIdentity;
  /** Undefined if roles are given on the dashboard. */
  readonly access: ClaimedAccess | undefined;
}

async function knownAccount(
  trx: Transaction,
  service: Service,
  known: AdminRow,
  { identity, access }: Claimed,
): Promise<Admitted | Refused> {
  const { id } = known;
  const email = service.vault.open(known.email, emailContext);
  if (email === service.signIn.emergencyOwner) return { reason: 'emergency_owner', adminId: id };
  if (access && isNothing(access)) {
    return { reason: 'no_role', adminId: id, entries: await removeAccess(trx, service, known) };
  }
  const isNewEmail = identity.isEmailVerified && identity.email !== undefined && identity.email !== email;
  if (isNewEmail && identity.email !== undefined && (await isFree(trx, service, identity.email))) {
    await updateAdmin(trx, id, sealAdminEmail(service, identity.email));
  }
  return { id, entries: access ? await setAccess(trx, service, known, access) : [] };
}

async function isFree(trx: Transaction, service: Service, email: string): Promise<boolean> {
  return email !== service.signIn.emergencyOwner && (await findAdminByEmail(trx, service, email)) === undefined;
}

/** Finds or creates the account for the first sign-in of an identity. */
async function firstAccount(
  trx: Transaction,
  service: Service,
  { identity: { email, isEmailVerified }, access }: Claimed,
): Promise<Admitted | Refused> {
  if (email === undefined) return { reason: 'no_email' };
  // Addresses of others must be of no use here, so that nobody takes over an account or looks like somebody else.
  if (!isEmailVerified) return { reason: 'unverified_email' };
  const existing = await findAdminByEmail(trx, service, email);
  const adminId = existing?.id;
  if (email === service.signIn.emergencyOwner) return { reason: 'emergency_owner', adminId };
  if (existing && (await isLinked(trx, existing.id))) return { reason: 'other_account', adminId };
  if (access && isNothing(access)) return { reason: 'no_role', adminId };
  if (existing) return linkAccount(trx, service, existing, access);
  const invitations = (await listInvitations({ ...service, db: trx }, undefined)).filter(
    (each) => each.email === email,
  );
  if (!access && invitations.length === 0) return { reason: 'not_invited' };
  const wanted = access ?? {
    isOwner: invitations.some(({ role }) => role === 'owner'),
    roles: new Map(
      invitations.flatMap(({ role, projectId }) =>
        role === 'owner' || projectId === undefined ? [] : [[projectId, role] as const],
      ),
    ),
  };
  const admin = { id: service.newId(), is_owner: false, ...sealAdminEmail(service, email) };
  await insertAdmin(trx, { ...admin, password_hash: noPassword, created_at: service.now() });
  for (const { id } of invitations) await removeInvitation(trx, { id, projectId: undefined });
  return { id: admin.id, entries: [...(await setAccess(trx, service, admin, wanted)), linked(admin)] };
}

/** Links an account that had a password, which stops working, as do its second factors and sessions. */
async function linkAccount(
  trx: Transaction,
  service: Service,
  admin: AdminRow,
  access: ClaimedAccess | undefined,
): Promise<Admitted> {
  const { id } = admin;
  await updateAdmin(trx, id, { password_hash: noPassword });
  await removeFactors(trx, id);
  await removeSessionsOf(trx, id);
  await removeResetLinksOf(trx, id);
  return { id, entries: [...(access ? await setAccess(trx, service, admin, access) : []), linked(admin)] };
}

function linked(admin: { readonly id: string }): AuditEntry {
  return { kind: 'identity_linked', by: administrator(admin), details: { by: openIdConnect } };
}
