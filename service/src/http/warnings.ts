import { z } from '@hono/zod-openapi';
import { closestMatch } from 'leven';
import type { RequestWarning } from 'whorl/wire';

const maxWarnings = 100;
const maxPathLength = 64;

/** Returns a warning for each field that is not in the schema. */
export function unknownFields(schema: z.ZodType | undefined, input: unknown, prefix = ''): RequestWarning[] {
  if (!(schema instanceof z.ZodObject) || typeof input !== 'object' || input === null) return [];
  const known = Object.keys(schema.shape);
  return Object.keys(input)
    .filter((name) => !known.includes(name))
    .map((name) => ({ path: prefix + name, message: describeUnknown(name, known) }));
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

function describeUnknown(name: string, known: readonly string[]): string {
  const nearest = nearestField(name.slice(0, maxPathLength), known);
  const question = nearest === undefined ? '' : `; did you mean \`${nearest}\`?`;
  return `is not a known field and was ignored${question}`;
}

/** Ignores case and separators, so that `userAgent` matches `user_agent`. */
function nearestField(name: string, known: readonly string[]): string | undefined {
  const plain = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '');
  const target = plain(name);
  const maxDistance = Math.max(1, Math.floor(target.length * 0.4));
  const nearest = closestMatch(target, known.map(plain), { maxDistance });
  return known.find((field) => plain(field) === nearest);
}
