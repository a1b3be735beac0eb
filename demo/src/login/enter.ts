import { collect, evaluate } from 'whorl';
import type { ChallengePage, LogIn, SessionAnswer } from '../../server/api.js';
import { post, readNonce } from './api.js';
import { goToChallengePage, reloadWhenRestored, returnUrl } from './service-page.js';
import type { Step } from './use-log-in.js';

/** Who evaluates the login: the demo's server or the page. */
export type Flow = 'server' | 'browser';

export interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly challenge_page: ChallengePage;
}

/** Runs the server flow: sends the result of `collect` with the login, and the server asks the service. */
export function enterByServer(path: 'log-in' | 'sign-up', fields: Credentials & { readonly phone?: string }): Step {
  return async (say) => {
    say('Reading this browser…');
    const browser = await collect({ nonce: await readNonce() });
    say('Asking the server…');
    const logIn = await post(path, { ...fields, ...browser });
    return logIn.step === 'challenge' && logIn.pageUrl ? goToChallengePage(logIn.pageUrl, say) : logIn;
  };
}

/**
 * Runs the browser flow: the page asks the service, and the server consumes the token. Without `onChallenge`, a
 * challenge leads to the service's page.
 */
export function enterByBrowser(whorl: SessionAnswer['whorl'], credentials: Credentials): Step {
  return async (say) => {
    const asked = await post('password', credentials);
    return asked.step === 'evaluate' ? evaluateFor(whorl, asked.user, credentials, say) : asked;
  };
}

/** Continues a login in the browser flow after the service's page, with a new verdict. */
export function goOnByBrowser(whorl: SessionAnswer['whorl'], user: string): Step {
  return (say) => evaluateFor(whorl, user, { challenge_page: 'own' }, say);
}

async function evaluateFor(
  { clientId, baseUrl }: SessionAnswer['whorl'],
  user: string,
  { email, challenge_page }: Pick<Credentials, 'challenge_page'> & { readonly email?: string },
  say: (doing: string) => void,
): Promise<LogIn | undefined> {
  say('Reading this browser and asking the service…');
  const isElsewhere = challenge_page === 'service';
  if (isElsewhere) reloadWhenRestored();
  const { token } = await evaluate({
    ...{ clientId, baseUrl, action: 'login', user, email },
    // Without onChallenge, a challenge leads to the service's page, and this call never settles.
    ...(isElsewhere ? { returnUrl: returnUrl() } : { onChallenge: () => say('Loading the challenge…') }),
  });
  return post('token', { token });
}
