import fc from 'fast-check';
import { z } from 'zod';
import { elsewhere, home, laptop, phone, tablet } from './customer.js';

/** Parts of a JSON schema from which requests are generated. */
const schemaObject = z.looseObject({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.unknown()).optional(),
  format: z.string().optional(),
  pattern: z.string().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
});
type SchemaObject = z.output<typeof schemaObject>;

const operationObject = z.object({
  parameters: z.array(z.object({ name: z.string(), in: z.string(), schema: z.unknown() })).default([]),
  requestBody: z.object({ content: z.object({ 'application/json': z.object({ schema: z.unknown() }) }) }).optional(),
  security: z.array(z.record(z.string(), z.unknown())),
});

const documentObject = z.object({
  paths: z.record(z.string(), z.record(z.string(), operationObject)),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
});
type Schemas = z.output<typeof documentObject>['components']['schemas'];

/** Generated request. A numeric ID is an index into the existing IDs, resolved when the request is sent. */
export interface FuzzRequest {
  readonly method: string;
  readonly path: string;
  readonly ids: Readonly<Record<string, string | number>>;
  readonly query: Readonly<Record<string, string>>;
  /** Text of the body. `{device 5}` is replaced by the ID of an existing device. */
  readonly body: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly isPublishable: boolean;
}

export const deviceMark = /\{device (\d+)\}/g;

/** Returns requests to all operations of a document that need a key. Three of five are valid, the others are broken. */
export function requestsFrom(document: unknown): fc.Arbitrary<FuzzRequest> {
  const { paths, components } = documentObject.parse(document);
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { security }]) => security.some((one) => 'secretKey' in one))
      .map(([method, operation]) => ({
        arbitrary: requestTo(method.toUpperCase(), path, operation, components.schemas),
        weight: weightOf(path),
      })),
  );
  return fc.oneof(...operations);
}

/**
 * Weights operations: those that create data are frequent and those that delete it are rare, so that the others find
 * data.
 */
function weightOf(path: string): number {
  if (path.endsWith('/evaluate')) return 8;
  return path.endsWith('/delete') ? 1 : 3;
}

function requestTo(
  method: string,
  path: string,
  { parameters, requestBody }: z.output<typeof operationObject>,
  schemas: Schemas,
): fc.Arbitrary<FuzzRequest> {
  const named = (place: string, arbitrary: (schema: SchemaObject, name: string) => fc.Arbitrary<unknown>) =>
    Object.fromEntries(
      parameters
        .filter((parameter) => parameter.in === place)
        .map(({ name, schema }) => [name, arbitrary(resolved(schema, schemas), name)]),
    );
  const ids = named('path', () => (path.includes('/user/') ? mostly<string | number>(user, id) : id));
  const query = named('query', (schema, name) => mostly(valueFor(schema, name, schemas), anyText).map(String));
  const schema = requestBody?.content['application/json'].schema;
  return fc.record({
    method: fc.constant(method),
    path: fc.constant(path),
    ids: fc.record(ids) as fc.Arbitrary<FuzzRequest['ids']>,
    query: fc.record(query, { requiredKeys: [] }) as fc.Arbitrary<FuzzRequest['query']>,
    body: method === 'POST' ? bodyOf(schema, schemas) : fc.constant(undefined),
    headers,
    isPublishable: fc.integer({ min: 0, max: 9 }).map((dice) => dice === 0),
  });
}

/** Returns `usual` nine times out of ten, otherwise `other`. */
function mostly<Value>(usual: fc.Arbitrary<Value>, other: fc.Arbitrary<Value>): fc.Arbitrary<Value> {
  return fc.oneof({ arbitrary: usual, weight: 9 }, { arbitrary: other, weight: 1 });
}

const hostile = fc.constantFrom(
  ...[
    '\u0000',
    '\ud800',
    'a\udfff',
    '__proto__',
    'constructor',
    '%00',
    '../..',
    "'; drop table users; --",
    '\u202e',
    ' ',
  ],
  ...[
    'NaN',
    'null',
    'undefined',
    '-0',
    '1e999',
    '9'.repeat(400),
    'a'.repeat(5000),
    '𝒳'.repeat(300),
    '{"a":1}',
    '\r\nX: y',
  ],
);
const anyText = fc.oneof(fc.string({ unit: 'binary', maxLength: 40 }), fc.string({ unit: 'grapheme' }), hostile);
const anyNumber = fc.constantFrom(0, -1, 1.5, 1e300, 2 ** 53, -(2 ** 63), 2147483648);
const deep = fc.integer({ min: 1, max: 200 }).map((levels) => {
  let value: unknown = 'bottom';
  for (let level = 0; level < levels; level += 1) value = level % 2 ? [value] : { in: value };
  return value;
});
const anyJson: fc.Arbitrary<unknown> = fc.oneof(
  anyText,
  anyNumber,
  fc.boolean(),
  fc.constant(null),
  deep,
  fc.jsonValue(),
);
const dictionary = fc.dictionary(fc.oneof(fc.string(), hostile), fc.oneof(fc.jsonValue(), anyText), { maxKeys: 4 });

const id = fc.oneof(
  { arbitrary: fc.nat({ max: 1000 }), weight: 8 },
  { arbitrary: fc.uuid(), weight: 1 },
  { arbitrary: anyText, weight: 1 },
);
const user = fc.constantFrom('ada', 'bob', 'eve', 'Zoë', 'a/b c', '42');
const moments = fc.oneof(
  fc
    .date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString()),
  fc.constantFrom('2026-01-31', '1970-01-01', '9999-12-31', '2024-02-29', '2026-11-21T10:00:00+05:30'),
);

/** Values by field name, which let requests refer to the same data and reach further than random texts would. */
const fields: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  user,
  fingerprint: mostly<string>(fc.constantFrom(laptop, phone, tablet), fc.string({ minLength: 1 })),
  last_fingerprint: fc.constantFrom(laptop, phone, tablet, ''),
  action: fc.constantFrom('login', 'signup', 'referral', 'payment', 'password_reset', 'own_1'),
  ip: fc.oneof(fc.constantFrom(home, elsewhere, '::1'), fc.ipV4(), fc.ipV6()),
  email: fc.oneof(fc.emailAddress(), fc.constantFrom('ada@example.com', 'x@mailinator.com')),
  phone: fc.constantFrom('+14155550123', '0049 170 1234567', '12'),
  start_date: moments,
  end_date: moments,
  device: fc.nat({ max: 1000 }).map((number) => `{device ${number}}`),
  metadata: fc.oneof(dictionary, fc.record({ referrer: user })),
};

function resolved(schema: unknown, schemas: Schemas): SchemaObject {
  const { $ref, ...own } = schemaObject.parse(schema);
  return $ref === undefined ? own : resolved(schemas[$ref.slice($ref.lastIndexOf('/') + 1)], schemas);
}

function valueFor(schema: SchemaObject, name: string, schemas: Schemas): fc.Arbitrary<unknown> {
  const types = [schema.type ?? 'string'].flat();
  const own = fields[name] ?? plainValueFor(schema, types, schemas);
  return types.includes('null') ? fc.option(own) : own;
}

function plainValueFor(schema: SchemaObject, types: string[], schemas: Schemas): fc.Arbitrary<unknown> {
  const { minimum = 0, maximum = 1000 } = schema;
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.properties) return objectOf(schema, schemas);
  if (types.includes('object')) return dictionary;
  if (types.includes('boolean')) return fc.boolean();
  if (types.includes('integer')) return fc.integer({ min: minimum, max: Math.min(maximum, 2 ** 31) });
  if (types.includes('number')) return fc.double({ min: minimum, max: maximum, noNaN: true });
  if (schema.pattern) return fc.stringMatching(new RegExp(schema.pattern));
  if (schema.format === 'uuid') return fc.uuid();
  return fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 });
}

function objectOf({ properties = {}, required = [] }: SchemaObject, schemas: Schemas): fc.Arbitrary<object> {
  const values: Record<string, fc.Arbitrary<unknown>> = {};
  for (const [name, schema] of Object.entries(properties)) {
    const value = valueFor(resolved(schema, schemas), name, schemas);
    values[name] = required.includes(name) ? value : fc.option(value, { nil: undefined });
  }
  // JSON omits undefined fields.
  return fc.record(values);
}

function bodyOf(schema: unknown, schemas: Schemas): fc.Arbitrary<string | undefined> {
  const whole = schema === undefined ? fc.constant<object>({}) : objectOf(resolved(schema, schemas), schemas);
  const broken = fc
    .tuple(
      whole,
      fc.dictionary(fc.constantFrom(...namesIn(schema, schemas), 'unknown'), anyJson, { minKeys: 1, maxKeys: 2 }),
    )
    .map(([right, wrong]) => ({ ...right, ...wrong }));
  const asText = (value: unknown) => JSON.stringify(value);
  return fc.oneof(
    { arbitrary: whole.map(asText), weight: 12 },
    { arbitrary: broken.map(asText), weight: 5 },
    { arbitrary: fc.oneof(anyJson.map(asText), anyText, fc.constant(undefined)), weight: 2 },
    { arbitrary: fc.tuple(whole.map(asText), fc.nat({ max: 60 })).map(([text, end]) => text.slice(0, end)), weight: 1 },
  );
}

function namesIn(schema: unknown, schemas: Schemas): string[] {
  return schema === undefined ? [] : Object.keys(resolved(schema, schemas).properties ?? {});
}

const headers = mostly<Record<string, string>>(
  fc.constant({ 'Content-Type': 'application/json' }),
  fc.record(
    {
      'Content-Type': fc.constantFrom('application/json; charset=utf-8', 'text/plain', 'application/json;;', '*/*'),
      'Idempotency-Key': fc.constantFrom('a', 'b', 'c', 'd', ' ', 'x'.repeat(300)),
      'X-Request-Id': fc.constantFrom('own-id', 'not sane', 'x'.repeat(1000)),
      'X-Forwarded-For': fc.constantFrom('203.0.113.1', 'nonsense', ',,,'),
      'User-Agent': fc.constantFrom('fuzz', ''),
      Accept: fc.constantFrom('text/html', '*/*'),
    },
    { requiredKeys: ['Content-Type'] },
  ),
);
