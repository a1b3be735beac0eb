import { noPassword } from '../../ground/crypto/passwords.js';
import { OperatorError } from '../../ground/operator-error.js';
import type { Service } from '../service.js';
import { findAdminByEmail } from './admins.js';
import { hasAdmins } from './admins-queries.js';

/**
 * Checks that somebody can sign in if passwords are switched off and the provider fails. Before the first account
 * exists, the link for it is valid for the emergency owner only.
 *
 * @throws OperatorError if the emergency owner does not exist, is no owner, or has no password.
 */
export async function requireEmergencyOwner(service: Service): Promise<void> {
  const { localPasswords, emergencyOwner } = service.signIn;
  if (localPasswords || emergencyOwner === undefined || !(await hasAdmins(service.db))) return;
  const admin = await findAdminByEmail(service.db, service, emergencyOwner);
  const missing = 'LOCAL_PASSWORDS=false needs an owner with the email address in EMERGENCY_OWNER.';
  if (!admin) {
    throw new OperatorError(`${missing} Create one: "whorl-service member invite --role owner --email …".`);
  }
  if (!admin.is_owner) {
    throw new OperatorError(`${missing} Make the member one: "whorl-service member change --role owner --email …".`);
  }
  if (admin.password_hash === noPassword) {
    throw new OperatorError(
      'The emergency owner in EMERGENCY_OWNER has no password. Set one: "whorl-service member reset --email …".',
    );
  }
}
