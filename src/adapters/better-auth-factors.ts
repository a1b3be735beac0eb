import type { GenericEndpointContext, User } from 'better-auth';

/** The routes of better-auth's own plugins that start a session after a factor other than the password. */
const methodsByPath: Readonly<Record<string, string>> = {
  '/passkey/verify-authentication': 'passkey',
  '/two-factor/verify-totp': 'totp',
  '/two-factor/verify-otp': 'otp',
  '/two-factor/verify-backup-code': 'backup_code',
};

/** Returns the factor that a request to better-auth has just verified, if it has verified one. */
export function verifiedBy({ path, context }: GenericEndpointContext): string | undefined {
  // With a session, somebody who is signed in already tries a new factor.
  return context.session ? undefined : methodsByPath[path];
}

/**
 * Returns whether better-auth's plugin for a second factor ends the session that starts now, and asks for the factor. The
 * session that starts after it is the one to evaluate: a user should not have to enter two codes.
 */
export function isBeforeSecondFactor(user: User, context: GenericEndpointContext): boolean {
  const plugin = pluginOf(context, 'two-factor');
  const interrupts =
    plugin?.hooks?.after?.some(({ matcher }) => matcher({ ...context, params: context.params ?? {} })) ?? false;
  if (!interrupts || Reflect.get(user, 'twoFactorEnabled') !== true) return false;
  // A browser with this cookie may be spared the factor.
  const trustsDevice = context.context.createAuthCookie('trust_device');
  return !context.getCookie(trustsDevice.name);
}

/** Returns the names of the factors that a user has with better-auth's own plugins. */
export async function methodsOf(user: User, context: GenericEndpointContext): Promise<string[]> {
  const { adapter } = context.context;
  const where = [{ field: 'userId', value: user.id }];
  const hasPasskey = pluginOf(context, 'passkey') && (await adapter.findOne({ model: 'passkey', where }));
  const hasTotp = pluginOf(context, 'two-factor') && Reflect.get(user, 'twoFactorEnabled') === true;
  return [...(hasPasskey ? ['passkey'] : []), ...(hasTotp ? ['totp'] : [])];
}

function pluginOf({ context }: GenericEndpointContext, name: string) {
  return context.options.plugins?.find(({ id }) => id === name);
}
