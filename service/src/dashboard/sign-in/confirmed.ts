import type { AdminPage } from '../view/layout.js';
import type { AdminVisit } from '../visit.js';
import { tooMany } from './route.js';
import { confirmPassword } from './sign-in.js';

interface Steps<Visit extends AdminVisit, Page extends AdminPage> {
  /** Shows the form again, with what is wrong with the password. */
  readonly ask: (visit: Visit) => Promise<Page>;
  /** Does what the form is for. */
  readonly act: (visit: Visit) => Promise<Page | Response>;
}

const nothingDone = { kind: 'bad', text: 'Nothing was done: see the password below.' } as const;

/**
 * Does what makes keys, secrets or administrators: only in a session whose administrator entered the password within the
 * last minutes, or with this form. A session that somebody else got hold of is not enough.
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
  if (password === '') return again('Enter your password to go on.', 422);
  const { service, admin, address, sessionToken } = visit;
  const own = { adminId: admin.id, email: admin.email, password, address, sessionToken };
  const tried = await confirmPassword(service, own);
  if (tried.outcome === 'wrong') return again('This is not your password.', 422);
  if (tried.outcome === 'locked') return again(tooMany(tried.seconds), 429);
  return act({ ...visit, isConfirmed: true });
}
