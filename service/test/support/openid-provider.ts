import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import Provider, { type Configuration, type KoaContextWithOIDC } from 'oidc-provider';
import type { SignInOptions } from '../../src/testing.js';
import { formsOf } from './forms.js';
import type { SeenPage, Visitor } from './visitor.js';

export interface Person {
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly groups?: readonly string[];
}

/** Real OpenID Connect provider on a port. */
export interface OpenIdProvider {
  readonly issuer: string;
  /** Claims of the people, by their subject. */
  readonly people: Map<string, Person>;
  /** Subject that signs in at the next form. Undefined: the person cancels. */
  person: string | undefined;
  /** How long ago people entered their password at the provider. */
  signedInSecondsAgo: number;
  /** Whether people see a page with a button. Default: they are signed in at once. */
  asks: boolean;
  /** Returns how members sign in to a service that uses this provider. */
  options(changes?: Partial<NonNullable<SignInOptions['provider']>>): SignInOptions & {
    readonly provider: NonNullable<SignInOptions['provider']>;
  };
  /** Stops answering. */
  close(): Promise<void>;
}

const client = { id: 'whorl', secret: 'a secret of the client, for tests only' };
const scopes = 'openid email groups';

const signInPage =
  '<!doctype html><title>Acme</title><link rel="icon" href="data:,"><form method="post"><button>Sign in to Acme</button></form>';

/** Starts a provider whose only client is a service with this public URL. */
export async function startOpenIdProvider(publicUrl = 'https://fraud.example', port = 0): Promise<OpenIdProvider> {
  const people = new Map<string, Person>();
  let provider: Provider | undefined;
  const own: Pick<OpenIdProvider, 'person' | 'signedInSecondsAgo' | 'asks'> = {
    person: undefined,
    signedInSecondsAgo: 0,
    asks: false,
  };
  const server = createServer((request, response) => {
    if (!provider) return response.end();
    if (!request.url?.startsWith('/interaction/')) return provider.callback()(request, response);
    if (own.asks && request.method === 'GET') return response.setHeader('Content-Type', 'text/html').end(signInPage);
    const result =
      own.person === undefined
        ? { error: 'access_denied', error_description: 'The person cancelled' }
        : { login: { accountId: own.person, ts: Math.floor(Date.now() / 1000) - own.signedInSecondsAgo } };
    return provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const { port: opened } = server.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${opened}`;
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const jwks = { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig' }] };
  provider = new Provider(issuer, { ...configurationFor(publicUrl, people), jwks });
  return Object.assign(own, {
    issuer,
    people,
    options: (changes = {}) => ({
      localPasswords: true,
      provider: {
        issuer,
        clientId: client.id,
        clientSecret: client.secret,
        name: 'Acme SSO',
        scope: scopes,
        rolesClaim: 'groups',
        roles: [],
        trustsEmail: false,
        ...changes,
      },
    }),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}

function configurationFor(publicUrl: string, people: ReadonlyMap<string, Person>): Configuration {
  return {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [`${publicUrl}/dashboard/sign-in/callback`],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], groups: ['groups'] },
    cookies: { keys: ['key of the cookies, for tests only'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub, ...people.get(sub) }) }),
    loadExistingGrant: consent,
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
  };
}

/** Nobody is asked for consent. */
async function consent({ oidc }: KoaContextWithOIDC) {
  const grant = new oidc.provider.Grant({ clientId: client.id, accountId: oidc.session?.accountId ?? '' });
  grant.addOIDCScope(scopes);
  await grant.save();
  return grant;
}

/** Browser with the cookies of the service and of the provider. */
export interface SignedInVisitor {
  readonly visitor: Visitor;
  readonly cookies: Map<string, string>;
}

/** Follows the redirects of the provider until it sends the browser back. Returns the address of that. */
export async function passProvider({ cookies }: SignedInVisitor, begun: SeenPage): Promise<string> {
  let location = new URL(begun.headers.get('Location') ?? '');
  const { origin } = location;
  const go = async (url: URL, form?: URLSearchParams): Promise<Response> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const init = { redirect: 'manual', headers: { Cookie: cookie } } as const;
    const response = await fetch(url, form ? { ...init, method: 'POST', body: form } : init);
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    return response;
  };
  while (location.origin === origin) {
    let response = await go(location);
    // The page that signs out the person who was signed in before submits its form by itself.
    const [form] = response.headers.has('Location') ? [] : formsOf(await response.text());
    if (form) response = await go(new URL(form.action, location), form.fields);
    const next = response.headers.get('Location');
    if (next === null) throw new Error(`The provider did not redirect: ${response.status}`);
    location = new URL(next, location);
  }
  return location.href;
}

/** Signs in with the provider as its `person`. Returns the page of the service after it. */
export async function signInWith(browser: SignedInVisitor, start = '/dashboard/sign-in/provider'): Promise<SeenPage> {
  const begun = await browser.visitor.get(start);
  return browser.visitor.get(await passProvider(browser, begun));
}
