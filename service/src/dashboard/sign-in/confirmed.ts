import type { AdminPage } from '../view/layout.js';
import type { AdminVisit } from '../visit.js';
import { tooMany } from './rules.js';
import { confirmPassword } from './sign-in.js';

interface Steps<Visit extends AdminVisit, Page extends AdminPage> {
  /** Shows the form again, with the error of the password. */
  readonly ask: (visit: Visit) => Promise<Page>;
  /** Does what the form is for. */
  readonly act: (visit: Visit) => Promise<Page | Response>;
}

const nothingDone = { kind: 'bad', text: 'Nothing was changed. Confirm your password below.' } as const;

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
    notice: nothingDone,
  });
  if (password === '') return again('Enter your password to continue.', 422);
  const { service, admin, address, sessionToken } = visit;
  const own = { adminId: admin.id, email: admin.email, password, address, sessionToken };
  const tried = await confirmPassword(service, own);
  if (tried.outcome === 'wrong') return again('This password is wrong. Enter your current password.', 422);
  if (tried.outcome === 'locked') return again(tooMany(tried.seconds), 429);
  return act({ ...visit, isConfirmed: true });
}
