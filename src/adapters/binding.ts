import { cookieOf, readHeader } from '../server/headers.js';
import type { RequestHeaders, WhenUnavailable, Whorl } from '../server/index.js';
import type { Reply } from './action-response.js';
import { isDevelopment } from './development.js';
import type { VisitorRequest } from './visitor-request.js';

/** Attributes of a cookie, with `maxAge` in seconds. */
export interface CookieOptions {
  readonly httpOnly: true;
  readonly secure: boolean;
  readonly sameSite: 'lax';
  readonly path: '/';
  readonly maxAge: number;
}

/**
 * What sets the cookie of a challenge where the adapter does not write the response: Next's `await cookies()`, an Express
 * `response`, or `Headers`, which the application adds to its response.
 */
export type CookieTarget =
  | { append(name: string, value: string): unknown }
  | { set(name: string, value: string, options: CookieOptions): unknown };

/** A challenge that this browser began. */
interface Entry {
  readonly id: string;
  readonly state: 'open' | 'completed';
  readonly expiresAtSeconds: number;
  /** What the application's own factor compares the page's response with. */
  readonly factor?: { readonly state: string; readonly expiresAtSeconds: number } | undefined;
}

/** The challenges that this browser began, the newest first. Those that expired are left out. */
export type BoundChallenges = readonly Entry[];

type Client = Pick<Whorl<WhenUnavailable>, 'sign' | 'readSigned'>;

const purpose = 'whorl adapter: challenges of this browser, v1';
const lifetimeSeconds = { open: 60 * 60, completed: 10 * 60, factor: 5 * 60 };
/** Four of them fit into a cookie. */
export const maxStateLength = 256;
/** More than a few tabs at once need no code. */
const maxEntries = 4;
const localHost = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

/** Reads the challenges from the cookie. Without a cookie, or with one that was not signed here, there are none. */
export async function readBinding(whorl: Client, { headers }: VisitorRequest): Promise<BoundChallenges> {
  const signed = cookieOf(headers, nameFor(headers));
  // Longer ones are not ours, and would only cost time.
  if (!signed || signed.length > 2_500) return [];
  const text = await whorl.readSigned(purpose, signed);
  const now = nowSeconds();
  return (text ? text.split('.').map(parseEntry) : []).filter(({ expiresAtSeconds }) => expiresAtSeconds > now);
}

/**
 * Returns the challenge that a page means: the one that it names, or else the newest open one. A page can name only
 * challenges that its browser began.
 */
export function chosenFrom(bound: BoundChallenges, named: string | undefined): string | undefined {
  const found =
    named === undefined
      ? (bound.find(({ state }) => state === 'open') ?? bound[0])
      : bound.find(({ id }) => id === named);
  return found?.id;
}

/** Returns the challenge that this browser completed in the last minutes, if there is one. */
export function completedIn(bound: BoundChallenges): string | undefined {
  return bound.find(({ state }) => state === 'completed')?.id;
}

/** Returns what `begin` of the application's own factor kept for a challenge, for 5 minutes. */
export function factorStateOf(bound: BoundChallenges, id: string): string | undefined {
  const { factor, state } = bound.find((each) => each.id === id) ?? {};
  return factor && state === 'open' && factor.expiresAtSeconds > nowSeconds() ? factor.state : undefined;
}

/** Returns the headers that bind a challenge to the browser: a cookie with it and with the earlier open challenges. */
export async function bind(
  whorl: Client,
  { headers }: VisitorRequest,
  { id, state, factor }: Pick<Entry, 'id' | 'state'> & { readonly factor?: string },
  earlier: BoundChallenges,
): Promise<NonNullable<Reply['headers']>> {
  const entry: Entry = {
    id,
    state,
    expiresAtSeconds: nowSeconds() + lifetimeSeconds[state],
    factor:
      factor === undefined ? undefined : { state: factor, expiresAtSeconds: nowSeconds() + lifetimeSeconds.factor },
  };
  // A completed challenge is used once, and the request that follows it has done so.
  const others = earlier.filter((each) => each.id !== id && each.state === 'open');
  const entries = [entry, ...others].slice(0, maxEntries);
  const text = entries.map(printEntry).join('.');
  const name = nameFor(headers);
  const { maxAge, secure } = optionsFor(name);
  const attributes = `Max-Age=${maxAge}; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  return { 'set-cookie': `${name}=${await whorl.sign(purpose, text)}; ${attributes}` };
}

/** Sets the cookie that a reply has, if it has one. */
export function setCookie(target: CookieTarget, reply: Reply | undefined): void {
  const cookie = reply?.headers?.['set-cookie'];
  if (cookie === undefined) return;
  if ('append' in target) {
    target.append('set-cookie', cookie);
    return;
  }
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
  target.set(name, value, optionsFor(name));
}

function optionsFor(name: string): CookieOptions {
  const secure = name.startsWith('__Host-');
  return { httpOnly: true, secure, sameSite: 'lax', path: '/', maxAge: lifetimeSeconds.open };
}

/**
 * Returns the cookie's name for a request. WebKit keeps no `Secure` cookie of http://localhost, so a development server
 * gets one without.
 *
 * The host alone shows no development server: a proxy may pass its own on. What else a request shows, such as `Origin`,
 * is not the same at a sign-in and at the routes that follow, and they have to agree on one name. They must not read the
 * other name either: a subdomain or plain http can set that one, with a challenge that another browser began.
 */
function nameFor(headers: RequestHeaders): string {
  const host = readHeader(headers, 'x-forwarded-host') ?? readHeader(headers, 'host') ?? '';
  const isHttps = readHeader(headers, 'x-forwarded-proto')?.startsWith('https') ?? false;
  const isLocal = isDevelopment() && !isHttps && localHost.test(host);
  return isLocal ? 'whorl-challenge' : '__Host-whorl-challenge';
}

/** The text was signed here, so it has this form. */
function parseEntry(text: string): Entry {
  const [id = '', state, expiresAt, factor, factorExpiresAt] = text.split('~');
  return {
    id,
    state: state === 'completed' ? 'completed' : 'open',
    expiresAtSeconds: Number(expiresAt),
    factor:
      factor === undefined ? undefined : { state: unescapeState(factor), expiresAtSeconds: Number(factorExpiresAt) },
  };
}

function printEntry({ id, state, expiresAtSeconds, factor }: Entry): string {
  const parts = [id, state, expiresAtSeconds];
  return [...parts, ...(factor ? [escapeState(factor.state), factor.expiresAtSeconds] : [])].join('~');
}

/** Escapes what separates parts and entries, and what a cookie cannot contain. */
function escapeState(state: string): string {
  return encodeURIComponent(state).replace(/[.~!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16)}`);
}

function unescapeState(text: string): string {
  return decodeURIComponent(text);
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
