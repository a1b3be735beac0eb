import { type BetterAuthOptions, betterAuth } from 'better-auth';
import { memoryAdapter } from 'better-auth/adapters/memory';
import { admin, twoFactor } from 'better-auth/plugins';
import { Webhook } from 'standardwebhooks';
import { type WhorlPluginOptions, whorlBetterAuth } from '../../src/adapters/better-auth.js';
import { Whorl } from '../../src/server/index.js';
import { apiSecret, json, type Received, serve } from './server-harness.js';

const secrets = `whsec_${Buffer.from('a secret of thirty-two characters').toString('base64')}`;
const origin = 'http://127.0.0.1:3999';
export const password = 'the right password';

/** Stands in for the service. A device is a fingerprint of a user. */
export interface Service {
  readonly whorl: Whorl;
  verdict: 'allow' | 'challenge';
  /** Action and user of each evaluation. */
  readonly evaluated: string[];
  readonly detached: string[];
}

/** Hashing takes long. */
const plainPasswords = {
  hash: async (entered: string) => entered,
  verify: async ({ hash, password: entered }: { readonly hash: string; readonly password: string }) => hash === entered,
};

/** Starts a stand-in for the service for the running test. */
export async function startService(): Promise<Service> {
  const { baseUrl } = await serve((response, request) => json(answer(request))(response, request));
  const whorl = new Whorl({ apiSecret, baseUrl });
  const service: Service = { whorl, verdict: 'allow', evaluated: [], detached: [] };
  const devices = new Map<string, Set<string>>();
  function answer({ url, body }: Received): object {
    const [, owner] = /^\/v2\/user\/([^/]+)\/devices/.exec(url) ?? [];
    if (owner) {
      const data = [...(devices.get(decodeURIComponent(owner)) ?? [])].map((_id) => ({ _id, status: 'attached' }));
      return { data, total: data.length, page: 1, limit: 100 };
    }
    const [, detached] = /^\/v2\/device\/([^/]+)\/detach/.exec(url) ?? [];
    if (detached) {
      service.detached.push(detached);
      return { success: true, device: { _id: detached, status: 'detached' } };
    }
    const { action, user, fingerprint } = JSON.parse(body);
    service.evaluated.push(`${action} ${user}`);
    const device_id = `${fingerprint}-${user}`;
    devices.set(user, (devices.get(user) ?? new Set()).add(device_id));
    const isChallenge = service.verdict === 'challenge';
    const ids = { evaluation_id: 'e', fingerprint_id: 'f', device_id, ...(isChallenge && { challenge_id: 'c' }) };
    return { ...ids, verdict: service.verdict, reasons: [] };
  }
  return service;
}

/** Where an application keeps what it stores. Its processes share it. */
export interface Stores {
  readonly tables: Record<string, Record<string, unknown>[]>;
  /** The secondary storage. */
  readonly cached: Map<string, string>;
}

export const newStores = (): Stores => ({
  tables: { user: [], session: [], account: [], verification: [], twoFactor: [] },
  cached: new Map(),
});

/** Where sessions are kept. */
export const kinds = {
  'the database': (): BetterAuthOptions => ({}),
  'a secondary storage': (stores: Stores): BetterAuthOptions => ({ secondaryStorage: storageOf(stores) }),
  'a secondary storage whose client parses': (stores: Stores): BetterAuthOptions => {
    const storage = storageOf(stores);
    const get = async (key: string) => JSON.parse(String(await storage.get(key)));
    return { secondaryStorage: { ...storage, get } };
  },
  both: (stores: Stores): BetterAuthOptions => ({
    secondaryStorage: storageOf(stores),
    session: { storeSessionInDatabase: true },
  }),
  'both, with ended sessions': (stores: Stores): BetterAuthOptions => ({
    secondaryStorage: storageOf(stores),
    session: { storeSessionInDatabase: true, preserveSessionInDatabase: true },
  }),
};

function storageOf({ cached }: Stores): NonNullable<BetterAuthOptions['secondaryStorage']> {
  const take = (key: string) => {
    const value = cached.get(key) ?? null;
    cached.delete(key);
    return value;
  };
  return {
    get: (key) => cached.get(key) ?? null,
    set: (key, value) => void cached.set(key, value),
    delete: (key) => void cached.delete(key),
    getAndDelete: take,
    increment: (key) => {
      const count = Number(cached.get(key) ?? 0) + 1;
      cached.set(key, String(count));
      return count;
    },
  };
}

/** One process of an application. */
export class Application {
  private readonly auth: { handler(request: Request): Promise<Response> };

  constructor(
    { whorl }: Service,
    { tables }: Stores,
    settings: BetterAuthOptions = {},
    options: Partial<WhorlPluginOptions> = {},
  ) {
    const plugin = whorlBetterAuth({
      whorl,
      whenUnavailable: 'deny',
      webhook: { secrets },
      clientAddress: () => '198.51.100.7',
      ...options,
    });
    this.auth = betterAuth({
      baseURL: origin,
      secret: 'a secret of better-auth for tests',
      database: memoryAdapter(tables),
      rateLimit: { enabled: false },
      ...settings,
      emailAndPassword: { enabled: true, password: plainPasswords, ...settings.emailAndPassword },
      plugins: [twoFactor({ skipVerificationOnEnable: true }), admin(), plugin],
    });
  }

  /** Sends an event as the service does. Returns the status. */
  async receive(type: string, data: object): Promise<number> {
    const at = new Date();
    const body = JSON.stringify({ type, timestamp: at, data });
    const headers = {
      'webhook-id': 'm1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secrets).sign('m1', at, body),
    };
    return (await this.request('/whorl/webhook', { method: 'POST', body, headers })).status;
  }

  request(path: string, init: RequestInit): Promise<Response> {
    const headers = { 'content-type': 'application/json', origin, ...init.headers };
    return this.auth.handler(new Request(`${origin}/api/auth${path}`, { ...init, headers }));
  }
}

/** A browser, with its cookies. */
export class Browser {
  private readonly cookies = new Map<string, string>();
  private readonly fingerprint: string;

  constructor(fingerprint: string) {
    this.fingerprint = fingerprint;
  }

  async post(application: Application, path: string, fields: object = {}) {
    const body = JSON.stringify({ ...fields, fingerprint: this.fingerprint });
    const response = await this.send(application, path, { method: 'POST', body });
    return { status: response.status, body: JSON.parse((await response.text()) || '{}') };
  }

  signUp = (application: Application, email: string) =>
    this.post(application, '/sign-up/email', { name: 'Ann', email, password });

  signIn = (application: Application, email: string) => this.post(application, '/sign-in/email', { email, password });

  /** Returns the email address of the user who is signed in. */
  async user(application: Application): Promise<string | undefined> {
    return (await (await this.send(application, '/get-session', {})).json())?.user.email;
  }

  /** Returns the token of the session. */
  async token(application: Application): Promise<string> {
    return (await (await this.send(application, '/get-session', {})).json()).session.token;
  }

  private async send(application: Application, path: string, init: RequestInit): Promise<Response> {
    const cookie = [...this.cookies].map((pair) => pair.join('=')).join('; ');
    const response = await application.request(path, { ...init, headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /max-age=0/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  }
}
