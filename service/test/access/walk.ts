import { endpoints } from '../../src/testing.js';
import { bodyFor } from '../support/operations.js';
import type { Belongings } from './belongings.js';
import type { Walker } from './callers.js';
import type { Outcome } from './table.js';

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface Asked {
  /** Route as written in the table: `GET /v2/challenges/{id}`. */
  readonly route: string;
  /** Method to use instead of the route's. */
  readonly method?: string;
  /** IP address of the caller, for rate limits by address. */
  readonly address: string;
}

/** Requests a route as a caller, with IDs from its inventory. */
export async function ask(base: string, asked: Asked, walker: Walker): Promise<Answered> {
  const { headers, inventory } = walker;
  const [ownMethod = '', path = ''] = asked.route.split(' ');
  const method = asked.method ?? ownMethod;
  const sent = new Headers({ Accept: 'application/json', 'X-Forwarded-For': asked.address, ...headers });
  const hasBody = ownMethod === method && ['POST', 'PUT'].includes(method);
  const body = hasBody ? bodyOf(asked.route, walker) : undefined;
  // Otherwise, a PUT is refused because it might overwrite a change.
  if (method === 'PUT') sent.set('If-Match', '*');
  if (body) sent.set('Content-Type', body.type);
  const init = { method, headers: sent, redirect: 'manual' as const, ...(body && { body: body.text }) };
  const answer = await fetch(base + fill(path, inventory), init);
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

/** Returns a valid body for the route. */
function bodyOf(route: string, { inventory, mark, said: more }: Walker): { type: string; text: string } {
  const endpoint = endpoints.find(({ method, path }) => route === `${method.toUpperCase()} ${path}`);
  if (!endpoint) {
    const said = fields[route.slice(route.lastIndexOf('/') + 1)];
    const text = new URLSearchParams({ ...(mark !== undefined && { csrf: mark }), ...said, ...more }).toString();
    return { type: 'application/x-www-form-urlencoded', text };
  }
  const example = bodyFor(endpoint, inventory) ?? {};
  const own = 'user' in example ? { ...example, user: inventory.user } : example;
  return { type: 'application/json', text: JSON.stringify(own) };
}

/** Fields of dashboard forms, by the end of their path. */
const fields: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  export: { format: 'csv' },
  feedback: { label: 'fraud' },
  actions: { source: 'users', action: 'activate' },
  finder: { caught: '80', honest: '1' },
  decide: { decision: 'fraud' },
  keys: { kind: 'secret' },
  lists: { kind: 'user', effect: 'review', value: 'somebody else' },
  projects: { name: 'A new project' },
  members: { email: 'joan@shop.example', role: 'viewer' },
  role: { role: 'analyst' },
  views: { list: 'users', filter: 'status=active', name: 'Active users' },
  rename: { list: 'users', name: 'Renamed' },
  rotate: { keep_hours: '24' },
};

function fill(path: string, inventory: Belongings): string {
  const { project, mode, user, userId, device, challenge, evaluation, key, endpoint, member, invitation } = inventory;
  const { entry, view, replay, search, bulkAction } = inventory;
  const ids: Readonly<Record<string, string>> = {
    user: userId,
    users: userId,
    device,
    devices: device,
    evaluations: evaluation,
    review: evaluation,
    challenges: challenge,
    lists: entry,
    views: view,
    actions: bulkAction,
    challenge,
    identification: challenge,
  };
  const others: Readonly<Record<string, string>> = {
    project,
    mode,
    device,
    key,
    endpoint,
    member,
    invitation,
    replay,
    search,
    passkey: 'unknown',
    session: '0190c0de-0000-7000-8000-000000000000',
    section: 'sharing',
    reason: 'new_device',
    subject: 'country?value=DE',
    position: '1',
    page: 'index.html',
    folder: 'uses',
    file: 'account-takeover.html',
    // An invented one: only the message has the real one.
    token: 'x'.repeat(59),
  };
  // This route creates the user that it names. The external ID is used, so that the service's ID stays unknown in other
  // worlds.
  if (path === '/v2/user/{id}/update') return path.replace('{id}', encodeURIComponent(user));
  return path
    .replace(/(\w+)\/\{id\}/, (_, kind: string) => `${kind}/${ids[kind]}`)
    .replace(/\{(\w+)\}/g, (_, name: string) => others[name] ?? '');
}

const refusals = [401, 403, 404] as const;

/** Classifies a response as the table does. */
export function outcomeOf({ status, headers }: Answered): Outcome | string {
  if (/\/dashboard\/sign-in(\?|$)/.test(headers.get('Location') ?? '')) return 'sign-in';
  const refusal = refusals.find((each) => each === status);
  if (refusal) return refusal;
  // Only permitted callers learn what is wrong with their request.
  return status < 400 || [400, 409, 410, 422].includes(status) ? 'yes' : `status ${status}`;
}
