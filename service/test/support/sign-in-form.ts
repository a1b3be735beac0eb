import { password } from './admin.js';
import type { SeenPage, Visitor } from './visitor.js';

/** Name of the cookie of a session over https. */
export const sessionName = '__Host-whorl_dashboard';

/** The URL to which a response redirects. */
export const locationOf = ({ headers }: SeenPage) => headers.get('Location');

/** Whether a browser is signed in. */
export const isIn = async (who: Visitor) => (await who.get('/dashboard/projects')).status === 200;

/** Returns what submits the form of the account and from the address that the test has now. */
export function signInFormOf(now: () => { readonly email: string; readonly address: string }) {
  return async (who: Visitor, fields: Record<string, string> = {}, from = now().address): Promise<SeenPage> => {
    await who.get('/dashboard/sign-in');
    return who.submit('sign-in', { email: now().email, password, ...fields }, { 'X-Forwarded-For': from });
  };
}
