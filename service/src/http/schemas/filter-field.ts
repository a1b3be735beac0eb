import { z } from '@hono/zod-openapi';
import { type Filter, maxFilterLength } from '../../resources/filters/rules/filter.js';

/** Returns the schema of a query parameter that is a filter. */
export function filterField<Value extends string | number | boolean>({
  form,
  description,
  example,
  choices,
  read,
}: Filter<Value>) {
  return z
    .string()
    .transform((text, context): Value => {
      const value = text.length <= maxFilterLength ? read(text) : undefined;
      if (value !== undefined) return value;
      context.addIssue({ code: 'custom', message: `must be ${form}` });
      return z.NEVER;
    })
    .optional()
    .openapi({
      type: typeOf(example),
      description,
      ...(choices && typeof example === 'string' ? { enum: [...choices] } : { example }),
    });
}

function typeOf(example: string | number | boolean): 'string' | 'number' | 'boolean' {
  if (typeof example === 'string') return 'string';
  return typeof example === 'number' ? 'number' : 'boolean';
}
