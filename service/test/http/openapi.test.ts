import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  codesOf,
  createVault,
  endpoints,
  errorCodes,
  errorTable,
  exampleOf,
  publicRoutes,
  renderApiDocs,
  signDeviceToken,
  styles,
  wireSchema,
  writtenErrors,
  writtenOpenApi,
  writtenProjectSchema,
  writtenRules,
  writtenWebhooks,
} from '../../src/testing.js';
import { named } from '../support/operations.js';
import { startService, type TestService } from '../support/service.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8');
const regenerate = 'run npm run --workspace service openapi';

const operation = z.looseObject({
  operationId: z.string(),
  summary: z.string(),
  security: z.array(z.record(z.string(), z.unknown())),
  parameters: z.array(z.object({ name: z.string(), in: z.string() })).default([]),
  responses: z.record(z.string(), z.unknown()),
  'x-codeSamples': z.array(z.object({ source: z.string() })).optional(),
});
const documentSchema = z.looseObject({
  openapi: z.string(),
  paths: z.record(z.string(), z.record(z.string(), operation)),
  webhooks: z.record(z.string(), z.unknown()),
  components: z.record(z.string(), z.record(z.string(), z.unknown())),
});
const document = documentSchema.parse(JSON.parse(read('service/openapi.json')));
const operationOf = ({ method, path }: { method: string; path: string }) =>
  operation.parse(document.paths[path]?.[method]);

describe('generated files are up to date', () => {
  test(`service/openapi.json; else ${regenerate}`, () => {
    expect(JSON.parse(read('service/openapi.json'))).toEqual(JSON.parse(writtenOpenApi()));
  });

  test(`service/project.schema.json; else ${regenerate}`, () => {
    expect(JSON.parse(read('service/project.schema.json'))).toEqual(JSON.parse(writtenProjectSchema()));
  });

  test(`docs/errors.md; else ${regenerate}`, () => {
    expect(read('docs/errors.md')).toBe(writtenErrors());
  });

  test(`the table of events in docs/webhooks.md; else ${regenerate}`, () => {
    const page = read('docs/webhooks.md');
    expect(page).toBe(writtenWebhooks(page));
  });

  test(`the table of facts in docs/rules.md; else ${regenerate}`, () => {
    const page = read('docs/rules.md');
    expect(page).toBe(writtenRules(page));
  });

  test('the error guide has all errors, in the order of the table', () => {
    expect(errorCodes).toEqual(Object.keys(errorTable));
  });
});

describe('the document', () => {
  test('passes the recommended rules of a linter', async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const problems = await lintFromString({ source: read('service/openapi.json'), config });
    const errors = problems.filter(({ severity }) => severity === 'error');
    expect(errors.map(({ message, location }) => [message, location[0]?.pointer])).toEqual([]);
  });

  test('is OpenAPI 3.1, and each reference is valid', () => {
    expect(document.openapi).toBe('3.1.0');
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)];
    expect(references.length).toBeGreaterThan(100);
    for (const [reference, kind = '', name = ''] of references) {
      expect(document.components[kind]?.[name], reference).toBeDefined();
    }
  });

  test('has every route, with a unique name', () => {
    const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    const served = [...endpoints, ...publicRoutes.map(({ path }) => ({ method: 'get', path }))];
    expect(routes.sort()).toEqual(served.map(({ method, path }) => `${method} ${path}`).sort());
    const ids = [...endpoints, ...publicRoutes].map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test.each(named(endpoints))('%s: documents its keys, scopes, path parameters and summary', (_name, endpoint) => {
    const { security, parameters, 'x-codeSamples': samples } = operationOf(endpoint);
    const usual = endpoint.method === 'get' ? ['evaluate', 'read'] : ['evaluate'];
    const scopes = { manage: ['manage'], manage_or_read: ['manage', 'read'], read: ['evaluate', 'read'], usual }[
      endpoint.scope ?? 'usual'
    ];
    expect(security).toEqual([
      ...scopes.map((scope) => ({ secretKey: [scope] })),
      ...(endpoint.keys === 'any' ? [{ publishableKey: [] }] : []),
    ]);
    const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)).toEqual(inPath);
    expect(samples?.[0]?.source).toContain("'{base_url}/v2/");
    expect(samples?.[0]?.source).not.toMatch(/\{(id|device)\}/);
  });

  test.each(named(endpoints))('%s: documents each status and code', (_name, endpoint) => {
    const { responses } = operationOf(endpoint);
    const codes = codesOf(endpoint);
    expect(codes).toEqual(
      expect.arrayContaining([
        'unauthorized',
        'forbidden',
        'insufficient_scope',
        'rate_limited',
        'internal',
        'unavailable',
      ]),
    );
    if (endpoint.path.includes('{')) expect(codes).toContain('not_found');
    const statuses = new Set(['200', ...codes.map((code) => String(errorTable[code].status))]);
    expect(Object.keys(responses)).toEqual([...statuses].sort());
    for (const code of codes) {
      const reference = z.object({ $ref: z.string() }).parse(responses[errorTable[code].status]);
      const response = document.components.responses?.[reference.$ref.split('/').at(-1) ?? ''];
      expect(JSON.stringify(response)).toContain(`"${code}"`);
    }
  });

  const withExamples = endpoints.flatMap(({ body, response }) => [body ?? [], response]).flat();
  const examples = withExamples.flatMap((schema) => (exampleOf(schema) ? [[schema, exampleOf(schema)] as const] : []));

  test('has valid examples', () => {
    expect(examples.length).toBeGreaterThan(25);
    for (const [schema, example] of examples) expect(schema.safeParse(example)).toMatchObject({ success: true });
  });

  test('has realistic device tokens in its examples', () => {
    const vault = createVault('a master secret that only tests know');
    const real = signDeviceToken(vault, { device: randomUUID(), project: randomUUID() }, new Date());
    const formOf = (token: string) => token.split('.').map((part) => part.length);
    const tokens = [...JSON.stringify(document).matchAll(/"device_token":"([^"]+)"/g)].map(([, token = '']) => token);
    expect(tokens.length).toBeGreaterThan(1);
    for (const token of tokens) expect(formOf(token)).toEqual(formOf(real));
  });
});

test('a schema that differs from the wire type does not compile', () => {
  const named = wireSchema<{ a: string; b?: number }>();
  named('Same', z.object({ a: z.string(), b: z.number().optional() }), { a: '' });
  // @ts-expect-error Missing field.
  named('Missing', z.object({ a: z.string() }), { a: '' });
  // @ts-expect-error Extra field.
  named('Additional', z.object({ a: z.string(), b: z.number().optional(), c: z.string() }), { a: '' });
  // @ts-expect-error Field that must not be required.
  named('Required', z.object({ a: z.string(), b: z.number() }), { a: '' });
  // @ts-expect-error Field of the wrong type.
  named('Other', z.object({ a: z.string(), b: z.string().optional() }), { a: '' });
  // @ts-expect-error Field that must not be null.
  named('Null', z.object({ a: z.string(), b: z.number().nullable().optional() }), { a: '' });
});

describe('docs/api.md', () => {
  const text = read('docs/api.md');

  test.each(named(endpoints).map(([name]) => name))('has a line for %s', (name) => {
    expect(text).toContain(`- \`${name}\`: `);
  });

  test('names all metrics and public routes', () => {
    const metrics = [...read('service/src/http/metrics.ts').matchAll(/'(whorl_\w+)'/g)].map(([, name]) => name ?? '');
    expect(metrics.length).toBeGreaterThan(5);
    const paths = publicRoutes.map(({ path }) => path);
    for (const name of [...metrics, ...paths]) expect(text.replaceAll('`GET /', '`/')).toContain(`\`${name}\``);
  });
});

describe('service/test/README.md', () => {
  const lines = read('service/test/README.md').split('\n');

  test.each(named(endpoints).map(([name]) => name))('names existing test files of %s', (name) => {
    const line = lines.find((candidate) => candidate.startsWith(`| \`${name}\` |`));
    const files = [...(line ?? '').matchAll(/`([\w-]+\.test\.ts)`/g)].map(([, file]) => `service/test/http/${file}`);
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) expect(existsSync(root + file), file).toBe(true);
  });
});

describe('public routes', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ database: 'embedded' });
  });
  afterAll(() => service.close());
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(service.url + path, { headers });
    return { response, text: await response.text() };
  };
  const sha = (name: string, value: string) => createHash(name).update(value).digest('base64');

  test('/openapi.json is the document, with the URL of the service', async () => {
    const { response, text } = await get('/openapi.json');
    const served = documentSchema.parse(JSON.parse(text));
    expect(served.servers).toEqual([{ url: 'https://fraud.example' }]);
    expect(Object.keys(served.paths)).toEqual(Object.keys(document.paths));
    expect(text).not.toContain('{base_url}/v2');
    expect(response.headers.get('Cache-Control')).toMatch(/max-age=\d/);
  });

  // It is a page of the built documentation, if that was built, which test/browser/docs-site.test.ts tests.
  test('/docs/api lists all endpoints, and explains the error that each `type` links', async () => {
    const { response, text } = await get('/docs/api');
    expect(response.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
    for (const { path } of [...endpoints, ...publicRoutes]) expect(text).toContain(path);
    for (const code of errorCodes) expect(text).toContain(`id="error-${code}"`);
    expect(text).not.toMatch(/\sstyle=|\son\w+=|javascript:/i);
  });

  test('without the built documentation, /docs/api is one page with all operations, no script and only its own style', () => {
    const text = renderApiDocs(
      JSON.parse(read('service/openapi.json')),
      '<script src="https://fraud.example/whorl.min.js"></script>',
    );
    for (const { operationId } of [...endpoints, ...publicRoutes]) expect(text).toContain(`id="${operationId}"`);
    for (const event of Object.keys(document.webhooks)) expect(text).toContain(event);
    for (const code of errorCodes) expect(text).toContain(`id="error-${code}"`);
    expect(text).not.toMatch(/<script|\sstyle=|\son\w+=|javascript:/i);
    expect(/<style>(.*?)<\/style>/s.exec(text)?.[1]).toBe(styles);
  });

  test.each(['whorl.min.js', 'whorl-events.min.js'])('/%s is the package for a script tag', async (name) => {
    const { response, text } = await get(`/${name}`);
    expect(text).toBe(read(`dist/${name}`));
    expect(response.headers.get('Content-Type')).toBe('text/javascript; charset=utf-8');
    expect(response.headers.get('Cross-Origin-Resource-Policy')).toBe('cross-origin');
    expect(response.headers.get('Cache-Control')).toMatch(/public, max-age=\d/);
    const etag = response.headers.get('ETag') ?? '';
    const again = await get(`/${name}`, { 'If-None-Match': etag });
    expect([again.response.status, again.text]).toEqual([304, '']);
    expect((await get(`/${name}`, { 'If-None-Match': '"another"' })).response.status).toBe(200);
  });

  test('the docs contain the integrity hash of the script', async () => {
    expect((await get('/docs/api')).text).toContain(`sha384-${sha('sha384', read('dist/whorl.min.js'))}`);
  });

  test('/.well-known/jwks.json has all public keys', async () => {
    await service.newProject();
    const { response, text } = await get('/.well-known/jwks.json');
    const { keys } = z.object({ keys: z.array(z.record(z.string(), z.unknown())) }).parse(JSON.parse(text));
    expect(keys.length).toBeGreaterThan(0);
    for (const key of keys) {
      expect(key).toMatchObject({ kty: 'EC', crv: 'P-256', alg: 'ES256', kid: expect.any(String) });
      expect(key).not.toHaveProperty('d');
    }
    expect(response.headers.get('Cache-Control')).toBe('public, max-age=30');
  });
});
