import type { z } from '@hono/zod-openapi';

/**
 * Simplifies a type to what schemas can express: `string & {}` next to string literals becomes `string`, and optional
 * fields exclude `undefined`, which neither JSON nor a query can contain.
 */
export type Plain<Type> = Type extends string
  ? string extends Type
    ? string
    : Type
  : Type extends readonly (infer Item)[]
    ? Plain<Item>[]
    : Type extends object
      ? { [Key in keyof Type]: Plain<Exclude<Type[Key], undefined>> }
      : Type;

type IsSame<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** `unknown` if both types are the same, field by field; otherwise a type that nothing is assignable to. */
export type Agreeing<Output, Wire> =
  IsSame<Plain<Output>, Plain<Wire>> extends true ? unknown : { driftsFromWire: never };

/**
 * Names a schema for the OpenAPI document, adds an example, and checks it against a type of `whorl/wire`. If a field
 * differs in its type or in whether it is optional, compilation fails.
 */
export function wireSchema<Wire>() {
  return <Schema extends z.ZodType>(
    name: string,
    schema: Schema & Agreeing<z.output<Schema>, Wire>,
    example: Plain<Wire>,
  ): Schema => namedSchema(name, schema, example);
}

/** Names a schema for the OpenAPI document, and adds an example. */
export function namedSchema<Schema extends z.ZodType>(name: string, schema: Schema, example: unknown): Schema {
  const named = schema.openapi(name, { example });
  examples.set(named, example);
  return named;
}

const examples = new WeakMap<z.ZodType, unknown>();

/** Returns the example of a schema. */
export function exampleOf(schema: z.ZodType): unknown {
  return examples.get(schema);
}
