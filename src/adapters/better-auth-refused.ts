import type { GenericEndpointContext, User } from 'better-auth';

/** As long as a challenge can be open. */
const maxAge = 60 * 60;

/**
 * Keeps the ID of a refused sign-up in a cookie. After the code, the sign-up has to be one of the same user, and another
 * process may receive it.
 */
export async function keepRefusedId({ id, email }: User, endpoint: GenericEndpointContext): Promise<void> {
  const { name, attributes } = cookieOf(endpoint);
  await endpoint.setSignedCookie(name, id, secretFor(email, endpoint), attributes);
}

/** Returns the ID of this browser's last sign-up with this email address, if it was refused and nobody has the ID. */
export async function refusedId({ email }: User, endpoint: GenericEndpointContext): Promise<string | undefined> {
  const id = await endpoint.getSignedCookie(cookieOf(endpoint).name, secretFor(email, endpoint));
  return id && !(await endpoint.context.internalAdapter.findUserById(id)) ? id : undefined;
}

function cookieOf({ context }: GenericEndpointContext) {
  return context.createAuthCookie('whorl_sign_up', { maxAge });
}

/** The cookie of another email address is not signed with it. */
function secretFor(email: string, { context }: GenericEndpointContext): string {
  return `whorl sign-up: ${email} ${context.secret}`;
}
