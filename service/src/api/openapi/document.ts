import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import { type Endpoint, isIdempotent, type tags } from '../../http/endpoint.js';
import type { OpenApiDocument, PublicRoute } from '../../http/public-route.js';
import { problem } from '../../http/schemas/problem.js';
import { scopesFor } from '../../http/scopes.js';
import { importedUser } from '../users/import/schemas.js';
import { events } from '../webhooks/events.js';
import { codeSampleOf } from './code-sample.js';
import { codesOf, codesOfPublicRoute, problems, registerProblems } from './error-responses.js';

const version = '2';

const introduction = `Identifies the devices and browsers that are used with an application's accounts, and evaluates the risk of an action.

Send a key as \`Authorization: Bearer <key>\`, and bodies as \`Content-Type: application/json\`, at most 64 KiB (an import of users: 4 MiB; a project or entries of lists: 1 MiB). Unknown fields are ignored, and named in \`warnings\` with test keys; a project is the exception, and refuses them; \`""\` and null in an optional field mean that it is absent. Times are ISO 8601 in UTC with milliseconds.

An \`Idempotency-Key\` on a POST with a secret key makes the request safe to repeat for 24 hours: the same key and body return the same response, with \`Idempotent-Replayed: true\`.

Every error is a problem document (RFC 9457) with a stable \`code\`.`;

const tagDescriptions: Readonly<Record<(typeof tags)[number] | 'Service' | 'Webhooks', string>> = {
  Evaluations: 'Verdicts about actions, and feedback about them.',
  Devices: 'Devices of users, and what is allowed on them.',
  Users: 'Users, their contacts and their data.',
  Challenges: 'Codes that confirm a user on a device.',
  Lists: 'Entries that block, allow or mark, for secret keys with the scope `manage`.',
  Project: 'Settings and webhook endpoints of the project, for secret keys with the scope `manage`.',
  Assistants: 'Tools that only read, for assistants that speak the Model Context Protocol.',
  Legacy: 'Endpoints with the names and shapes of an earlier interface.',
  Service: 'Files, documentation and state of the service. No key.',
  Webhooks: 'Requests that the service sends to your endpoints.',
};

/**
 * Returns the OpenAPI 3.1 document, generated from the schemas that validate requests.
 *
 * @param baseUrl URL of the service. Default: the placeholder `{base_url}`.
 */
export function openApiDocument(
  endpoints: readonly Endpoint[],
  publicRoutes: readonly PublicRoute[],
  baseUrl?: string,
): OpenApiDocument {
  const app = new OpenAPIHono();
  const { openAPIRegistry: registry } = app;
  registry.registerComponent('securitySchemes', 'secretKey', {
    type: 'http',
    scheme: 'bearer',
    description:
      'A secret key of a project: `sk_live_…` or `sk_test_…`. It needs one of the scopes that each operation names.',
  });
  registry.registerComponent('securitySchemes', 'publishableKey', {
    type: 'http',
    scheme: 'bearer',
    description: "A publishable key, `pk_live_…` or `pk_test_…`, from one of the project's allowed origins.",
  });
  registry.registerComponent('securitySchemes', 'deviceToken', {
    type: 'http',
    scheme: 'bearer',
    description: 'The `device_token` of an evaluation or attachment, for pages on that device. Valid for 24 hours.',
  });
  registry.register('Problem', problem);
  // Registered explicitly: no request schema refers to it, because rows are validated individually.
  registry.register('ImportedUser', importedUser);
  registerProblems(registry, [...endpoints.map(codesOf), ...publicRoutes.map(codesOfPublicRoute)]);
  for (const endpoint of endpoints) registry.registerPath(pathOfEndpoint(endpoint, baseUrl));
  for (const route of publicRoutes) registry.registerPath(pathOfPublicRoute(route));
  for (const [type, event] of Object.entries(events)) registry.registerWebhook(webhookOf(type, event));
  return app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Whorl',
      version,
      description: introduction,
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    servers: baseUrl
      ? [{ url: baseUrl }]
      : [{ url: '{base_url}', variables: { base_url: { default: 'http://localhost:4200' } } }],
    tags: Object.entries(tagDescriptions).map(([name, description]) => ({ name, description })),
  });
}

function pathOfEndpoint(endpoint: Endpoint, baseUrl: string | undefined) {
  const { method, path, operationId, tag, summary, description, keys, params, query, versioned, response } = endpoint;
  const body = endpoint.bodyInDocs ?? endpoint.body;
  const withSecretKey = scopesFor(endpoint).map((scope) => ({ secretKey: [scope] }));
  return createRoute({
    method,
    path,
    operationId,
    tags: [tag],
    summary,
    ...(description && { description }),
    ...(endpoint.deprecated && { deprecated: true }),
    'x-codeSamples': [{ lang: 'Shell', label: 'curl', source: codeSampleOf(endpoint, baseUrl ?? '{base_url}') }],
    security: keys === 'any' ? [...withSecretKey, { publishableKey: [] }] : withSecretKey,
    request: {
      ...(params instanceof z.ZodObject && { params }),
      ...(query instanceof z.ZodObject && { query }),
      ...(isIdempotent(endpoint) && { headers: idempotencyHeader }),
      ...(method === 'put' && versioned && { headers: versionHeader }),
      ...(body && { body: { required: !isOptional(body), content: { 'application/json': { schema: body } } } }),
    },
    responses: {
      200: {
        description: 'Success.',
        content: { 'application/json': { schema: response } },
        ...(versioned && { headers: etagHeader }),
      },
      ...problems(codesOf(endpoint)),
    },
  });
}

function webhookOf(type: string, { title, when, schema }: (typeof events)[keyof typeof events]) {
  return {
    method: 'post' as const,
    path: type,
    operationId: `on_${type.replace('.', '_')}`,
    tags: ['Webhooks'],
    summary: title,
    description: when,
    // Receivers check the signature in a header.
    security: [],
    request: {
      headers: webhookHeaders,
      body: { required: true, content: { 'application/json': { schema } } },
    },
    responses: {
      '2XX': { description: 'The event was received.' },
      410: { description: 'The receiver wants no more events. The endpoint is disabled.' },
      default: { description: 'The event is sent again later, after `Retry-After` if present.' },
    },
  };
}

const webhookHeaders = z.object({
  'webhook-id': z.uuid().openapi({ description: "The event's ID, the same in every attempt." }),
  'webhook-timestamp': z.string().openapi({ description: 'When this attempt was signed, in seconds since 1970.' }),
  'webhook-signature': z.string().openapi({
    description: 'Signatures of Standard Webhooks (`v1,…`), separated by spaces: one for each valid secret.',
  }),
});

const idempotencyHeader = z.object({
  'Idempotency-Key': z.string().min(1).max(255).optional().openapi({
    description:
      'A key of your own for this request. Requests with the same key are carried out once. With secret keys only.',
  }),
});

const versionHeader = z.object({
  'If-Match': z.string().openapi({
    description:
      'The `ETag` of what you read. The request is refused if it was changed since. `*`: replace it in any case.',
  }),
});

const etagHeader = z.object({ ETag: z.string().openapi({ description: 'Version, for `If-Match`.' }) });

function isOptional(body: z.ZodType): boolean {
  return body.safeParse({}).success;
}

function pathOfPublicRoute(route: PublicRoute) {
  const { path, operationId, summary, description, contentType, response, json, params, withDeviceToken } = route;
  return createRoute({
    method: 'get',
    path,
    operationId,
    tags: [withDeviceToken ? 'Devices' : 'Service'],
    summary,
    ...(description && { description }),
    security: withDeviceToken ? [{ deviceToken: [] }] : [],
    request: { ...(params && { params }) },
    responses: {
      200: {
        description: 'Success.',
        content: {
          [contentType]: { schema: response ?? z.string() },
          ...(json && { 'application/json': { schema: json } }),
        },
      },
      ...problems(codesOfPublicRoute(route)),
    },
  });
}
