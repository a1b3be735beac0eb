import { tooManyAttempts } from '../../resources/admins/rules.js';
import type { AdminPage } from '../view/layout.js';
import type { AdminVisit } from '../visit.js';
import { confirmPassword } from './sign-in.js';

interface Steps<Visit extends AdminVisit, Page extends AdminPage> {
  /** Renders the form again, with the error of the password. */
  readonly ask: (visit: Visit) => Promise<Page>;
  /** Runs the action. */
  readonly act: (visit: Visit) => Promise<Page | Response>;
}

const notConfirmed = { kind: 'bad', text: 'Nothing was changed. Confirm your password below.' } as const;

/**
 * Runs an action that creates keys, secrets or administrators, if the password was confirmed within the last minutes or
 * with this form. A stolen session alone is not enough.
 */
export async function whenConfirmed<Visit extends AdminVisit, Page extends AdminPage>(
  visit: Visit,
  { ask, act }: Steps<Visit, Page>,
): Promise<Page | Response> {
  if (visit.isConfirmed) return act(visit);
  const password = visit.fields.get('password') ?? '';
  const again = async (confirmationError: string, status: 422 | 429) => ({
    ...(await ask({ ...visit, confirmationError })),
    status,
    notice: notConfirmed,
  });
  if (password === '') return again('Enter your password to continue.', 422);
  const { service, admin, address, sessionToken } = visit;
  const credentials = { adminId: admin.id, email: admin.email, password, address, sessionToken };
  const result = await confirmPassword(service, credentials);
  if (result.outcome === 'wrong') return again('This password is wrong. Enter your current password.', 422);
  if (result.outcome === 'locked') return again(tooManyAttempts(result.seconds), 429);
  return act({ ...visit, isConfirmed: true });
}
