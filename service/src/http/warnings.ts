import { z } from '@hono/zod-openapi';
import type { RequestWarning } from 'whorl/wire';
import { suggestion } from '../ground/name-rules.js';

const maxWarnings = 100;
const maxPathLength = 64;

/** Returns a warning for each field that is not in the schema. */
export function unknownFields(schema: z.ZodType | undefined, input: unknown, prefix = ''): RequestWarning[] {
  if (!(schema instanceof z.ZodObject) || typeof input !== 'object' || input === null) return [];
  const known = Object.keys(schema.shape);
  return Object.keys(input)
    .filter((name) => !known.includes(name))
    .map((name) => ({
      path: prefix + name,
      message: `is not a known field and was ignored${suggestion(name, known)}`,
    }));
}

/** Limits the number of warnings and the length of their paths: field names come from the caller. */
export function boundedWarnings(warnings: readonly RequestWarning[]): RequestWarning[] {
  const bounded = warnings.slice(0, maxWarnings).map(({ path, message }) => ({ path: shorten(path), message }));
  const excess = warnings.length - maxWarnings;
  if (excess <= 0) return bounded;
  return [...bounded.slice(0, -1), { path: '', message: `has ${excess + 1} more warnings` }];
}

function shorten(path: string): string {
  return path.length > maxPathLength ? `${path.slice(0, maxPathLength - 1)}…` : path;
}
