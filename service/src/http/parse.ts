import { z } from '@hono/zod-openapi';
import { ApiError, type InputError } from '../errors.js';
import type { Plain } from '../schemas/wire-schema.js';
import { describeIssue } from './describe-issue.js';

/** Checks an input, and answers what the schema makes of it. Without a schema, the input is of no interest. */
export type Parser<Schema extends z.ZodType> = (input: unknown) => Plain<z.output<Schema>>;

/** A parser of bodies and queries. In an optional field, `""` and null mean that it is absent, unless null is a value. */
export function parserOf<Schema extends z.ZodType>(schema: Schema | undefined): Parser<Schema> {
  const emptiness = emptinessOf(schema);
  const refuse = (errors: InputError[]) => new ApiError('invalid_request', { errors });
  return (input) => parse(schema, withoutEmpty(input, emptiness), refuse);
}

/**
 * Returns a parser of a path's parameters. An id that nothing can have is `not_found`, as one that nothing has; where
 * the endpoint would create what it names, it is `invalid_request`.
 */
export function pathParserOf<Schema extends z.ZodType>(
  schema: Schema | undefined,
  { createsMissing = false }: { readonly createsMissing?: boolean } = {},
): Parser<Schema> {
  const refuse = (errors: InputError[]) =>
    createsMissing ? new ApiError('invalid_request', { errors }) : new ApiError('not_found');
  return (input) => parse(schema, input, refuse);
}

const anything = z.unknown();

function parse<Schema extends z.ZodType>(
  schema: Schema | undefined,
  input: unknown,
  refuse: (errors: InputError[]) => ApiError,
): Plain<z.output<Schema>> {
  const { success, data, error } = (schema ?? anything).safeParse(input, { error: describeIssue });
  if (!success) throw refuse(error.issues.map(toError));
  // The compiler does not follow the conditional type; `wireSchema` holds each schema to what it comes out as.
  return data as Plain<z.output<Schema>>;
}

function toError({ path, message }: z.core.$ZodIssue): InputError {
  return { path: path.join('.'), message };
}

/** Of each optional field, whether null is a value in it. */
type Emptiness = ReadonlyMap<string, { takesNull: boolean }>;

function emptinessOf(schema: z.ZodType | undefined): Emptiness {
  if (!(schema instanceof z.ZodObject)) return new Map();
  const fields = Object.entries<z.ZodType>(schema.shape);
  const optional = fields.filter(([, field]) => field.safeParse(undefined).success);
  return new Map(optional.map(([name, field]) => [name, { takesNull: field.safeParse(null).success }]));
}

function withoutEmpty(input: unknown, emptiness: Emptiness): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  const isEmpty = ([name, value]: [string, unknown]) =>
    value === '' ? emptiness.has(name) : value === null && emptiness.get(name)?.takesNull === false;
  const fields = Object.entries(input);
  return fields.some(isEmpty) ? Object.fromEntries(fields.filter((field) => !isEmpty(field))) : input;
}
