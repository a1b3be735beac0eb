import type { GenericEndpointContext } from 'better-auth';
import { isAPIError } from 'better-auth/api';
import type { Attempt } from './options.js';

/** The codes of better-auth and its plugins for a wrong password or code, at any route. */
const wrong = /^INVALID_(?:(?:\w+_OR_)?PASSWORD|OTP|CODE|BACKUP_CODE)$/;

/** What people sign in with: the field of a body, and the column that it is compared with. */
const names = { email: 'email', username: 'username', phoneNumber: 'phoneNumber' } as const;

/** Returns the attempt that better-auth has rejected, if it has rejected one. */
export async function failureOf(context: GenericEndpointContext): Promise<Attempt | undefined> {
  const returned: unknown = Reflect.get(context.context, 'returned');
  if (!isAPIError(returned)) return undefined;
  const isReset = /reset-password/.test(context.path);
  const code = String(returned.body?.code);
  if (!wrong.test(code) && !(isReset && code === 'INVALID_TOKEN')) return undefined;
  return { action: isReset ? 'password_reset' : 'login', user: await userOf(context) };
}

/** Returns the ID of the account or, if there is none, what was entered. */
async function userOf({ body, context }: GenericEndpointContext): Promise<string> {
  if (context.session) return context.session.user.id;
  for (const [field, column] of Object.entries(names)) {
    const entered: unknown = Reflect.get(Object(body), field);
    if (typeof entered !== 'string' || !entered) continue;
    const value = field === 'phoneNumber' ? entered : entered.toLowerCase();
    const where = [{ field: column, value }];
    const account = await context.adapter.findOne<{ id: string }>({ model: 'user', where });
    return account?.id ?? entered;
  }
  return 'unknown';
}
