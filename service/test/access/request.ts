import { endpoints } from '../../src/testing.js';
import { bodyFor } from '../support/operations.js';
import type { Caller } from './callers.js';
import type { WorldRecords } from './records.js';
import type { Outcome } from './table.js';

export interface RouteResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface RouteRequest {
  /** Route as written in the table: `GET /v2/challenges/{id}`. */
  readonly route: string;
  /** Method to use instead of the route's. */
  readonly method?: string;
  /** IP address of the caller, for rate limits by address. */
  readonly address: string;
}

/** Requests a route as a caller, with IDs from its records. */
export async function requestRoute(base: string, request: RouteRequest, caller: Caller): Promise<RouteResponse> {
  const { headers, records } = caller;
  const [ownMethod = '', path = ''] = request.route.split(' ');
  const method = request.method ?? ownMethod;
  const sent = new Headers({ Accept: 'application/json', 'X-Forwarded-For': request.address, ...headers });
  const hasBody = ownMethod === method && ['POST', 'PUT'].includes(method);
  const body = hasBody ? bodyOf(request.route, caller) : undefined;
  // Otherwise, a PUT is refused because it might overwrite a change.
  if (method === 'PUT') sent.set('If-Match', '*');
  if (body) sent.set('Content-Type', body.type);
  const init = { method, headers: sent, redirect: 'manual' as const, ...(body && { body: body.text }) };
  const response = await fetch(base + fill(path, records), init);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Returns a valid body for the route. */
function bodyOf(route: string, { records, csrf, fields: more }: Caller): { type: string; text: string } {
  const endpoint = endpoints.find(({ method, path }) => route === `${method.toUpperCase()} ${path}`);
  if (!endpoint) {
    const known = fieldsByPath[route.slice(route.lastIndexOf('/') + 1)];
    const text = new URLSearchParams({ ...(csrf !== undefined && { csrf }), ...known, ...more }).toString();
    return { type: 'application/x-www-form-urlencoded', text };
  }
  const example = bodyFor(endpoint, records) ?? {};
  const own = 'user' in example ? { ...example, user: records.user } : example;
  return { type: 'application/json', text: JSON.stringify(own) };
}

/** Fields of dashboard forms, by the end of their path. */
const fieldsByPath: Readonly<Record<string, Readonly<Record<string, string>>>> = {
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

function fill(path: string, records: WorldRecords): string {
  const { project, mode, user, userId, device, challenge, evaluation, key, endpoint, member, invitation } = records;
  const { entry, view, replay, search, bulkAction } = records;
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
export function outcomeOf({ status, headers }: RouteResponse): Outcome | string {
  if (/\/dashboard\/sign-in(\?|$)/.test(headers.get('Location') ?? '')) return 'sign-in';
  const refusal = refusals.find((each) => each === status);
  if (refusal) return refusal;
  // Only permitted callers learn what is wrong with their request.
  return status < 400 || [400, 409, 410, 422].includes(status) ? 'yes' : `status ${status}`;
}
