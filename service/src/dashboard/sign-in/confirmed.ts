import { tooManyAttempts } from '../../resources/admins/rules.js';
import type { AdminRequest } from '../dashboard-request.js';
import type { AdminPage } from '../view/layout.js';
import { confirmPassword } from './sign-in.js';

interface Steps<Given extends AdminRequest, Page extends AdminPage> {
  /** Renders the form again, with the error of the password. */
  readonly ask: (request: Given) => Promise<Page>;
  /** Runs the action. */
  readonly act: (request: Given) => Promise<Page | Response>;
}

const notConfirmed = { kind: 'bad', text: 'Nothing was changed. Confirm your password below.' } as const;
const notSignedInAgain = { kind: 'bad', text: 'Nothing was changed. Confirm below that it is you.' } as const;

/**
 * Runs an action that creates keys, secrets or administrators, if the password was confirmed within the last minutes or
 * with this form. A stolen session alone is not enough.
 */
export async function whenConfirmed<Given extends AdminRequest, Page extends AdminPage>(
  request: Given,
  { ask, act }: Steps<Given, Page>,
): Promise<Page | Response> {
  if (request.isConfirmed) return act(request);
  const { confirmAt } = request.admin;
  const password = request.fields.get('password') ?? '';
  const again = async (confirmationError: string, status: 422 | 429) => ({
    ...(await ask({ ...request, confirmationError })),
    status,
    notice: confirmAt ? notSignedInAgain : notConfirmed,
  });
  if (confirmAt) return again(`Confirm with ${confirmAt.name} first. Then fill in the form again.`, 422);
  if (password === '') return again('Enter your password to continue.', 422);
  const { service, admin, address, sessionToken } = request;
  const credentials = { adminId: admin.id, email: admin.email, password, address, sessionToken };
  const result = await confirmPassword(service, credentials);
  if (result.outcome === 'wrong') return again('This password is wrong. Enter your current password.', 422);
  if (result.outcome === 'locked') return again(tooManyAttempts(result.seconds), 429);
  return act({ ...request, isConfirmed: true });
}
