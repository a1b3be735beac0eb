import { collect, evaluate } from 'whorl';
import type { ChallengePage, LogIn, SessionResponse } from '../../server/api.js';
import { post, readNonce } from './api.js';
import { goToChallengePage, reloadWhenRestored, returnUrl } from './service-page.js';
import type { Step } from './use-log-in.js';

/** Whether the demo's server or the page requests the evaluation. */
export type Flow = 'server' | 'browser';

export interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly challenge_page: ChallengePage;
}

/** Runs the server flow: sends the result of `collect` with the login, and the server asks the service. */
export function enterByServer(path: 'log-in' | 'sign-up', fields: Credentials & { readonly phone?: string }): Step {
  return async (setActivity) => {
    setActivity('Reading this browser…');
    const browser = await collect({ nonce: await readNonce() });
    setActivity('Contacting the server…');
    const logIn = await post(path, { ...fields, ...browser });
    return logIn.step === 'challenge' && logIn.pageUrl ? goToChallengePage(logIn.pageUrl, setActivity) : logIn;
  };
}

/**
 * Runs the browser flow: the page asks the service, and the server consumes the token. Without `onChallenge`, a
 * challenge leads to the service's page.
 */
export function enterByBrowser(whorl: SessionResponse['whorl'], credentials: Credentials): Step {
  return async (setActivity) => {
    setActivity('Reading this browser…');
    // The server reports a wrong password with what `collect` returned.
    const logIn = await post('password', { ...credentials, ...(await collect()) });
    return logIn.step === 'evaluate' ? evaluateFor(whorl, logIn.user, credentials, setActivity) : logIn;
  };
}

/** Continues a login in the browser flow after the service's page, with a new verdict. */
export function continueByBrowser(whorl: SessionResponse['whorl'], user: string): Step {
  return (setActivity) => evaluateFor(whorl, user, { challenge_page: 'own' }, setActivity);
}

async function evaluateFor(
  { clientId, baseUrl }: SessionResponse['whorl'],
  user: string,
  { email, challenge_page }: Pick<Credentials, 'challenge_page'> & { readonly email?: string },
  setActivity: (doing: string) => void,
): Promise<LogIn | undefined> {
  setActivity('Reading this browser and contacting the service…');
  const usesServicePage = challenge_page === 'service';
  if (usesServicePage) reloadWhenRestored();
  const { token } = await evaluate({
    clientId,
    baseUrl,
    action: 'login',
    user,
    email,
    // Without onChallenge, a challenge leads to the service's page, and this call never settles.
    ...(usesServicePage ? { returnUrl: returnUrl() } : { onChallenge: () => setActivity('Loading the challenge…') }),
  });
  return post('token', { token });
}
