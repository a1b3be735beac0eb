import { evaluate, getHash, getProof, version } from 'whorl';
import type { SessionAnswer } from '../../server/api.js';
import { post, readNonce } from './api.js';
import type { Step } from './use-log-in.js';

/** Who has to evaluate the login: the demo's server, or the page. */
export type Flow = 'server' | 'browser';

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** The server flow: fingerprint and proof go along with the login, and the server asks the service. */
export function enterByServer(path: 'log-in' | 'sign-up', fields: Credentials & { readonly phone?: string }): Step {
  return async (say) => {
    say('Reading this browser…');
    const nonce = await readNonce();
    const [[fingerprint, last_fingerprint], proof] = await Promise.all([getHash(), getProof(nonce)]);
    say('Asking the server…');
    return post(path, { ...fields, fingerprint, last_fingerprint, version, proof });
  };
}

/** The browser flow: the page asks the service, and the server consumes the token that it brings. */
export function enterByBrowser({ clientId, baseUrl }: SessionAnswer['whorl'], credentials: Credentials): Step {
  return async (say) => {
    const asked = await post('password', credentials);
    if (asked.step !== 'evaluate') return asked;
    say('Reading this browser and asking the service…');
    const { token } = await evaluate({
      ...{ clientId, baseUrl, action: 'login', user: asked.user, email: credentials.email },
      onChallenge: () => say('A code will be needed…'),
    });
    return post('token', { token });
  };
}
