import { emailContext, recordAudit } from '../../audit/audit.js';
import { OperatorError } from '../../operator-error.js';
import type { Service, Transaction } from '../../service.js';
import { parseEmail } from '../../users/rules/contacts.js';
import { maskEmail } from '../../users/rules/mask.js';
import { type AdminRow, findAdmin, hasAdmins, listAdminRows, lockAdmins, removeAdmin } from './admins-queries.js';

export interface Admin {
  readonly id: string;
  readonly email: string;
  readonly createdAt: Date;
}

/** The spelling by which an administrator is known, and that the dashboard shows; undefined where it is no address. */
export function readAdminEmail(text: string): string | undefined {
  return parseEmail(text)?.display.toLowerCase();
}

/** Sealed and marked with the master secret of today. */
export function sealAdminEmail({ vault }: Service, email: string): Pick<AdminRow, 'email' | 'email_mark'> {
  return { email: vault.seal(email, emailContext), email_mark: vault.mark(email, emailContext) };
}

export function findAdminByEmail(db: Service['db'] | Transaction, { vault }: Service, email: string) {
  return findAdmin(db, vault.marks(email, emailContext));
}

/** Whether there is anybody who could sign in. */
export function isSetUp({ db }: Service): Promise<boolean> {
  return hasAdmins(db);
}

/** All administrators, the oldest first. */
export async function listAdmins({ db, vault }: Service): Promise<Admin[]> {
  const rows = await listAdminRows(db);
  return rows.map(({ id, email, created_at }) => ({
    id,
    email: vault.open(email, emailContext),
    createdAt: created_at,
  }));
}

/**
 * Takes an administrator's access, at once and wherever it is signed in.
 *
 * @throws OperatorError if there is no such administrator.
 */
export async function dismissAdmin(service: Service, email: string): Promise<void> {
  const { vault } = service;
  await service.db.transaction().execute(async (trx) => {
    await lockAdmins(trx);
    const known = readAdminEmail(email);
    const admin = known === undefined ? undefined : await findAdminByEmail(trx, service, known);
    if (!admin) throw new OperatorError('There is no administrator of this address.');
    await removeAdmin(trx, admin.id);
    const details = { email: maskEmail(vault.open(admin.email, emailContext)) };
    await recordAudit(trx, service, { kind: 'administrator_removed', adminId: admin.id, details });
  });
}
