import { expect } from 'vitest';
import { codesOf, type Endpoint, endpoints, exampleOf, problem } from '../../src/testing.js';
import { customerOf, home, laptop, phone } from './customer.js';
import type { ApiAnswer, TestProject, TestService } from './service.js';

/** Records of a project, used to fill in the paths of the API. */
export interface Inventory {
  readonly user: string;
  /** Open challenge of the user's phone. */
  readonly challenge: string;
  /** Evaluation that created the challenge. */
  readonly evaluation: string;
  /** The user's attached laptop. */
  readonly device: string;
}

/** Creates a user with a laptop and a phone that is challenged. */
export async function createInventory(service: TestService, project: TestProject): Promise<Inventory> {
  const customer = customerOf(service, project);
  const request = { user: 'ada', ip: home, email: 'ada@example.com' };
  const { device_id } = await customer.evaluate({ ...request, action: 'signup', fingerprint: laptop });
  const { challenge_id, evaluation_id } = await customer.challenge('ada', { fingerprint: phone });
  return { user: 'ada', challenge: challenge_id, evaluation: evaluation_id, device: device_id };
}

/** Returns the path of an endpoint with its parameters filled in. */
export function pathOf({ path }: Pick<Endpoint, 'path'>, inventory: Inventory): string {
  const id = /\/(user|device|evaluations)\//.exec(path)?.[1] ?? 'challenge';
  const ids: Record<string, string> = { ...inventory, evaluations: inventory.evaluation };
  return path
    .replace('{id}', encodeURIComponent(ids[path.includes('/challenges/') ? 'challenge' : id] ?? ''))
    .replace('{device}', inventory.device);
}

/** Returns the documented example of an endpoint's body. */
export function bodyFor({ method, body }: Endpoint, { device }: Inventory): object | undefined {
  if (method === 'get') return undefined;
  const example = Object(body && exampleOf(body));
  return 'device' in example ? { ...example, device } : example;
}

/** Returns the options of `api` that make it use the endpoint's method. */
export function asBody(endpoint: Endpoint, body: unknown): { body?: unknown } {
  return endpoint.method === 'post' ? { body } : {};
}

/** Checks that a response matches the endpoint's documentation. */
export function expectDocumented(endpoint: Endpoint, { status, body, headers }: ApiAnswer): void {
  if (status === 200) {
    expect(endpoint.response.safeParse(body).error?.issues, JSON.stringify(body)).toBeUndefined();
    return;
  }
  // Errors of the Model Context Protocol have its own form.
  if (endpoint.path === '/v2/mcp' && body.jsonrpc === '2.0') return;
  expect(headers.get('Content-Type')).toBe('application/problem+json');
  expect(problem.safeParse(body)).toMatchObject({ success: true });
  expect(codesOf(endpoint)).toContain(body.code);
  expect(body.status).toBe(status);
}

export interface BrokenRequest {
  /** Name of the invalid field or parameter. */
  readonly path: string;
  readonly query: string;
  readonly body: unknown;
}

/** Returns requests that are valid except for one field, with each kind of invalid value. */
export function brokenRequests(
  { body, query }: Pick<Endpoint, 'body' | 'query'>,
  example: object | undefined,
): BrokenRequest[] {
  const texts = ['x', '-1', '1.5', '99999999999', 'x'.repeat(5000), '\u0000', 'a\nb', '2026-02-30'];
  const values = [...texts, '\ud800', '', null, 12.5, true, [], ['x'], {}];
  return [
    ...fieldsOf(body).flatMap((path) =>
      values.map((value) => ({ path, query: '', body: { ...example, [path]: value } })),
    ),
    ...fieldsOf(query).flatMap((path) =>
      texts.map((value) => ({ path, query: queryOf({ ...requiredOf(query), [path]: value }), body: example })),
    ),
  ];
}

/** Returns the query string of an endpoint's required parameters, with the values of its example, and of further ones. */
export function queryFor({ query }: Pick<Endpoint, 'query'>, more: Record<string, string> = {}): string {
  return queryOf({ ...requiredOf(query), ...more });
}

const queryOf = (values: Record<string, string>) => `?${new URLSearchParams(values)}`;

function requiredOf(query: Endpoint['query']): Record<string, string> {
  const example = Object.entries(query ? (exampleOf(query) ?? {}) : {});
  const required = fieldsOf(query, { required: true });
  return Object.fromEntries(
    example.filter(([name]) => required.includes(name)).map(([name, value]) => [name, `${value}`]),
  );
}

/** Returns the names of a schema's fields: all of them, or only the required ones. */
export function fieldsOf(schema: unknown, { required = false } = {}): string[] {
  const shape: Record<string, { safeParse(value: unknown): { success: boolean } }> = Object(schema).shape ?? {};
  const fields = Object.entries(shape);
  return fields.filter(([, field]) => !required || !field.safeParse(undefined).success).map(([name]) => name);
}

/** Returns endpoints with their names, for `describe.each`. */
export const named = (list: readonly Endpoint[]): [string, Endpoint][] =>
  list.map((endpoint) => [`${endpoint.method.toUpperCase()} ${endpoint.path}`, endpoint]);

/** Endpoints for the keys that every project has. The others are tested in project-file.test.ts and lists.test.ts. */
const common = endpoints.filter(({ scope }) => scope === undefined);

export const all = named(common);
export const posts = named(common.filter(({ method }) => method === 'post'));
export const withIds = named(common.filter(({ params }) => params));
export const withBodies = named(common.filter(({ body }) => body));

/** Limits that loops do not reach. */
export const wideLimits = {
  rate_limits: { secret_per_second: 100_000, publishable_per_second: 100_000, publishable_burst: 100_000 },
};
