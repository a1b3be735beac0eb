import { z } from '@hono/zod-openapi';
import { ApiError, type InputError } from '../ground/errors.js';
import { describeIssue, issuesByName } from '../ground/issue-rules.js';
import { suggestion } from '../ground/name-rules.js';
import type { Plain } from './schemas/wire-schema.js';

/** Validates an input and returns the parsed value. Without a schema, any input is accepted. */
export type Parser<Schema extends z.ZodType> = (input: unknown) => Plain<z.output<Schema>>;

/** Parsed value, or the errors of the input. */
export type Parsed<Schema extends z.ZodType> =
  | { readonly value: Plain<z.output<Schema>>; readonly errors?: undefined }
  | { readonly errors: InputError[] };

/**
 * Returns a parser of bodies and queries. Optional fields that are `""` or null count as absent, unless the schema allows
 * null.
 */
export function parserOf<Schema extends z.ZodType>(schema: Schema | undefined): Parser<Schema> {
  const parseSafely = safeParserOf(schema);
  return (input) => unwrap(parseSafely(input), (errors) => new ApiError('invalid_request', { errors }));
}

/** Like `parserOf`, but returns errors instead of throwing them. */
export function safeParserOf<Schema extends z.ZodType>(schema: Schema | undefined): (input: unknown) => Parsed<Schema> {
  const emptiness = emptinessOf(schema);
  return (input) => parse(schema, withoutEmpty(input, emptiness));
}

/** Returns a parser of queries. A parameter that is repeated is an error: only one of its values could count. */
export function queryParserOf<Schema extends z.ZodType>(
  schema: Schema | undefined,
): (input: Readonly<Record<string, readonly string[]>>) => Plain<z.output<Schema>> {
  const parseValues = parserOf(schema);
  const names = namesOf(schema);
  return (input) => {
    const repeated = names.filter((name) => (input[name]?.length ?? 0) > 1);
    const errors = repeated.map((path) => ({ path, message: 'must not be repeated' }));
    if (errors.length > 0) throw new ApiError('invalid_request', { errors });
    return parseValues(Object.fromEntries(Object.entries(input).map(([name, [value]]) => [name, value])));
  };
}

/**
 * Returns a parser of path parameters. A malformed ID is `not_found`, like an unknown one, or `invalid_request` if the
 * endpoint creates missing objects.
 */
export function pathParserOf<Schema extends z.ZodType>(
  schema: Schema | undefined,
  { createsMissing = false }: { readonly createsMissing?: boolean } = {},
): Parser<Schema> {
  const refuse = (errors: InputError[]) =>
    createsMissing
      ? new ApiError('invalid_request', { errors })
      : new ApiError('not_found', { detail: 'There is nothing with this ID.' });
  return (input) => unwrap(parse(schema, input), refuse);
}

const anything = z.unknown();

function parse<Schema extends z.ZodType>(schema: Schema | undefined, input: unknown): Parsed<Schema> {
  const { success, data, error } = (schema ?? anything).safeParse(input, { error: describeIssue });
  if (!success) return { errors: issuesByName(error.issues, () => namesOf(schema), unknownParameter) };
  // TypeScript cannot resolve the conditional type. `wireSchema` checks the output type of each schema.
  return { value: data as Plain<z.output<Schema>> };
}

function unwrap<Schema extends z.ZodType>(
  parsed: Parsed<Schema>,
  refuse: (errors: InputError[]) => ApiError,
): Plain<z.output<Schema>> {
  if (parsed.errors) throw refuse(parsed.errors);
  return parsed.value;
}

function namesOf(schema: z.ZodType | undefined): string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

/** Describes a parameter or field that a strict schema does not have. */
function unknownParameter(name: string, known: readonly string[]): string {
  return `is not a known parameter${suggestion(name, known)}`;
}

/** How empty values of a field are handled; for a list of objects, also of their fields. */
interface FieldEmptiness {
  readonly isOptional: boolean;
  readonly allowsNull: boolean;
  readonly items: Emptiness | undefined;
}

type Emptiness = ReadonlyMap<string, FieldEmptiness>;

function emptinessOf(schema: z.ZodType | undefined): Emptiness {
  if (!(schema instanceof z.ZodObject)) return new Map();
  const fields = Object.entries<z.ZodType>(schema.shape).map(
    ([name, field]) => [name, fieldEmptinessOf(field)] as const,
  );
  return new Map(fields.filter(([, { isOptional, items }]) => isOptional || items));
}

function fieldEmptinessOf(field: z.ZodType): FieldEmptiness {
  const isOptional = field.safeParse(undefined).success;
  const inner = field instanceof z.ZodOptional ? field.unwrap() : field;
  const items =
    inner instanceof z.ZodArray && inner.element instanceof z.ZodObject ? emptinessOf(inner.element) : undefined;
  return { isOptional, allowsNull: isOptional && field.safeParse(null).success, items };
}

function withoutEmpty(input: unknown, emptiness: Emptiness): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  const isEmpty = ([name, value]: [string, unknown]) => {
    const field = emptiness.get(name);
    return field?.isOptional === true && (value === '' || (value === null && !field.allowsNull));
  };
  const hasItems = ([name, value]: [string, unknown]) =>
    Array.isArray(value) && emptiness.get(name)?.items !== undefined;
  const fields = Object.entries(input);
  if (!fields.some((field) => isEmpty(field) || hasItems(field))) return input;
  const present = fields.filter((field) => !isEmpty(field));
  return Object.fromEntries(
    present.map(([name, value]) => [name, withoutEmptyItems(value, emptiness.get(name)?.items)]),
  );
}

function withoutEmptyItems(value: unknown, items: Emptiness | undefined): unknown {
  return items && Array.isArray(value) ? value.map((item) => withoutEmpty(item, items)) : value;
}
