import type { z } from '@hono/zod-openapi';

/**
 * A type without what schemas cannot say: `string & {}` beside named strings is a string, and an optional field that
 * is there is never `undefined`, for neither JSON nor a query can hold that.
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

/** `unknown` where both are the same type, field by field; else a type that nothing fits. */
type Agreeing<Output, Wire> = IsSame<Plain<Output>, Plain<Wire>> extends true ? unknown : { driftsFromWire: never };

/**
 * Names a schema for the OpenAPI document, gives it an example, and holds it to a type of `whorl/wire`: where the two
 * differ in a field, its type or whether it is optional, it does not compile.
 */
export function wireSchema<Wire>() {
  return <Schema extends z.ZodType>(
    name: string,
    schema: Schema & Agreeing<z.output<Schema>, Wire>,
    example: Plain<Wire>,
  ): Schema => {
    const named = schema.openapi(name, { example });
    examples.set(named, example);
    return named;
  };
}

const examples = new WeakMap<z.ZodType, unknown>();

/** The example that a schema was given. */
export function exampleOf(schema: z.ZodType): unknown {
  return examples.get(schema);
}
