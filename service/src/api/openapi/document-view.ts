import { z } from 'zod';

const reference = z.object({ $ref: z.string() });

const schemaObject = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  description: z.string().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  enum: z.array(z.unknown()).optional(),
  items: z.unknown().optional(),
  anyOf: z.array(z.unknown()).optional(),
  example: z.unknown().optional(),
});

const content = z.record(z.string(), z.object({ schema: z.unknown() })).optional();

const responseObject = z.object({ description: z.string(), content });

const operationObject = z.object({
  operationId: z.string(),
  summary: z.string(),
  description: z.string().optional(),
  deprecated: z.boolean().optional(),
  tags: z.tuple([z.string()]),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  parameters: z
    .array(
      z.object({
        name: z.string(),
        in: z.string(),
        required: z.boolean().optional(),
        description: z.string().optional(),
        schema: z.unknown(),
      }),
    )
    .default([]),
  requestBody: z.object({ content }).optional(),
  responses: z.record(z.string(), z.union([reference, responseObject])),
  'x-codeSamples': z.tuple([z.object({ source: z.string() })]).optional(),
});

const documentObject = z.object({
  info: z.object({ title: z.string(), description: z.string() }),
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), operationObject)),
  webhooks: z.record(z.string(), z.object({ post: operationObject })).default({}),
  components: z.object({
    schemas: z.record(z.string(), z.unknown()),
    responses: z.record(z.string(), responseObject),
  }),
});

export interface FieldView {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string | undefined;
}

export interface OperationView {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string | undefined;
  readonly isDeprecated: boolean;
  /** Names of its security schemes; empty for public routes. */
  readonly keys: readonly string[];
  /** Scopes of which a secret key needs one. */
  readonly scopes: readonly string[];
  readonly parameters: readonly FieldView[];
  readonly body: readonly FieldView[];
  readonly sample: string | undefined;
  /** One example for each variant of the response. */
  readonly responses: readonly unknown[];
  readonly problems: readonly { readonly status: string; readonly description: string }[];
}

export interface DocumentView {
  readonly title: string;
  readonly description: string;
  /** The resources that the operations belong to. */
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly operations: readonly OperationView[];
}

type SchemaObject = z.output<typeof schemaObject>;

type ResponseObject = z.output<typeof responseObject>;

/** Resolves references. All point to components of the document. */
interface Resolver {
  schema(value: unknown): SchemaObject;
  response(value: ResponseObject | z.output<typeof reference>): ResponseObject;
}

/** Extracts the contents of the documentation page from an OpenAPI document of this service. */
export function viewOf(document: unknown): DocumentView {
  const { info, tags, paths, webhooks, components } = documentObject.parse(document);
  const resolver: Resolver = {
    schema(value) {
      const named = reference.safeParse(value).data;
      return schemaObject.parse(named ? components.schemas[nameIn(named)] : value);
    },
    response: (value) => responseObject.parse('$ref' in value ? components.responses[nameIn(value)] : value),
  };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, ...operationView(operation, resolver) })),
  );
  const events = Object.entries(webhooks).map(([path, { post }]) => eventView(path, post, resolver));
  return { ...info, tags, operations: [...operations, ...events] };
}

function nameIn({ $ref }: z.output<typeof reference>): string {
  return $ref.slice($ref.lastIndexOf('/') + 1);
}

function operationView(
  operation: z.output<typeof operationObject>,
  resolver: Resolver,
): Omit<OperationView, 'path' | 'method'> {
  const { responses, requestBody } = operation;
  const success = responses[200] && resolver.response(responses[200]);
  return {
    id: operation.operationId,
    tag: operation.tags[0],
    summary: operation.summary,
    description: operation.description,
    isDeprecated: operation.deprecated ?? false,
    keys: [...new Set(operation.security.flatMap((scheme) => Object.keys(scheme)))],
    scopes: operation.security.flatMap((scheme) => scheme.secretKey ?? []),
    parameters: operation.parameters.map(({ name, required = false, description, schema }) => ({
      name,
      type: typeOf(schema, resolver),
      isRequired: required,
      description,
    })),
    body: fieldsOf(requestBody?.content?.['application/json']?.schema, resolver),
    sample: operation['x-codeSamples']?.[0].source,
    responses: responsesOf(success?.content?.['application/json']?.schema, resolver),
    problems: Object.entries(responses)
      .filter(([status]) => status !== '200')
      .map(([status, response]) => ({ status, description: resolver.response(response).description })),
  };
}

/** An event has the same parameters as every other one, and its body shows more as an example than as a list of fields. */
function eventView(path: string, operation: z.output<typeof operationObject>, resolver: Resolver): OperationView {
  const body = operation.requestBody?.content?.['application/json']?.schema;
  return {
    ...operationView(operation, resolver),
    path,
    method: 'event',
    parameters: [],
    body: [],
    responses: responsesOf(body, resolver),
    problems: [],
  };
}

function fieldsOf(schema: unknown, resolver: Resolver): FieldView[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = resolver.schema(schema);
  return Object.entries(properties).map(([name, field]) => ({
    name,
    type: typeOf(field, resolver),
    isRequired: required.includes(name),
    description: resolver.schema(field).description,
  }));
}

function responsesOf(schema: unknown, resolver: Resolver): unknown[] {
  if (schema === undefined) return [];
  const { anyOf, items, example } = resolver.schema(schema);
  if (anyOf) return anyOf.flatMap((form) => responsesOf(form, resolver));
  if (items !== undefined) return [responsesOf(items, resolver)];
  return example === undefined ? [] : [example];
}

function typeOf(schema: unknown, resolver: Resolver): string {
  const { type = 'any', enum: values } = resolver.schema(schema);
  if (values) return values.map((value) => JSON.stringify(value)).join(' | ');
  return Array.isArray(type) ? type.join(' | ') : type;
}
