import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { TestPage } from '../harness/types';

/** What an attacker's page tries with the login that its server has begun at the shop. */
export const relayVariants = [
  'the options as they are',
  'the options for its own domain',
  'another port of the same host',
  'a signature of its own',
  'the code in place of the passkey',
] as const;
type Variant = (typeof relayVariants)[number];

interface Account {
  readonly email: string;
  readonly password: string;
}

/** A login at the shop whose challenge waits, in the browser of the attacker's server. */
interface BegunLogin {
  /** Calls a route about the challenge, and returns the body. */
  call(route: string, fields: object): Promise<ReturnType<typeof JSON.parse>>;
  isIn(): Promise<boolean>;
}

/** A page on other origins than the shop's, whose server passes on what the victim enters and signs. */
export interface Relay {
  /** Relays one login of a victim. Returns `in`, or what refused it. */
  attack(victim: TestPage, variant: Variant, account: Account): Promise<string>;
  signUp(account: Account): Promise<number>;
  logIn(account: Account): Promise<BegunLogin>;
  close(): Promise<void>;
}

export async function startRelay(shop: string): Promise<Relay> {
  const html = '<!doctype html><title>Shop</title><link rel="icon" href="data:,"><p>Log in';
  const server = createServer((_request, response) => response.setHeader('Content-Type', 'text/html').end(html));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const post = async (path: string, fields: object, cookies: Map<string, string>) => {
    const response = await fetch(shop + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: [...cookies].map((each) => each.join('=')).join('; ') },
      body: JSON.stringify(fields),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    return { status: response.status, body: await response.json() };
  };
  const logIn = async (account: Account): Promise<BegunLogin> => {
    const cookies = new Map<string, string>();
    const { body } = await post('/login', account, cookies);
    if (body.code !== 'challenge_required') throw new Error(`Not challenged: ${JSON.stringify(body)}`);
    await post('/whorl/open', {}, cookies);
    return {
      call: async (route, fields) => (await post(`/whorl/${route}`, fields, cookies)).body,
      isIn: async () => (await post('/login', account, cookies)).status === 200,
    };
  };

  return {
    logIn,
    signUp: async (account) => (await post('/sign-up', account, new Map())).status,
    async attack(victim, variant, account) {
      const begun = await logIn(account);
      const outcome = await relayTo(victim, variant, begun);
      return (await begun.isIn()) ? 'in' : outcome;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        // The victim's browser keeps its connections open.
        server.closeAllConnections();
      }),
  };

  async function relayTo(victim: TestPage, variant: Variant, { call }: BegunLogin): Promise<string> {
    if (variant === 'the code in place of the passkey') return (await call('send', {})).code;
    const { options } = await call('begin', {});
    const prove = async (response: unknown): Promise<string> => {
      const { success, code } = await call('verify', { response });
      return success ? 'accepted' : code;
    };
    if (variant === 'a signature of its own') return prove(forge(options, shop));
    const host = variant === 'another port of the same host' ? 'localhost' : 'evil.localhost';
    await victim.goto(`http://${host}:${port}/`);
    const { rpId: _rpId, ...forOwnDomain } = options;
    const given = variant === 'the options for its own domain' ? forOwnDomain : options;
    const signed = await victim.evaluate(signInPage, given);
    return 'error' in signed ? 'refused by the browser' : prove(signed.response);
  }
}

/** Runs in the attacker's page: asks the victim's passkeys. */
async function signInPage(options: object): Promise<{ response: unknown } | { error: string }> {
  try {
    const json = { challenge: '', ...options };
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(json);
    // An authenticator without a passkey for the domain may never answer.
    const credential = await navigator.credentials.get({ publicKey, signal: AbortSignal.timeout(2000) });
    if (!(credential instanceof PublicKeyCredential)) return { error: 'none' };
    return { response: credential.toJSON() };
  } catch (error) {
    return { error: String(error) };
  }
}

interface Options {
  readonly challenge: string;
  readonly allowCredentials: readonly { readonly id: string }[];
}

/** Returns a response for the victim's passkey that looks right, except for its signature. */
function forge({ challenge, allowCredentials: [credential] }: Options, origin: string): object {
  const id = credential?.id ?? '';
  const clientData = { type: 'webauthn.get', challenge, origin, crossOrigin: false };
  return {
    id,
    rawId: id,
    type: 'public-key',
    clientExtensionResults: {},
    response: {
      clientDataJSON: Buffer.from(JSON.stringify(clientData)).toString('base64url'),
      // The hash of the domain, the flags "present" and "verified", and a counter.
      authenticatorData: Buffer.concat([randomBytes(32), Buffer.from([5, 0, 0, 0, 9])]).toString('base64url'),
      signature: randomBytes(70).toString('base64url'),
    },
  };
}
