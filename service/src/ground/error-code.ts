const maxCauseDepth = 5;

/** Returns the code of an error or of its cause. */
export function codeOf(error: unknown, depth = 0): string | undefined {
  if (!(error instanceof Error) || depth > maxCauseDepth) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  // The error lists several addresses of one host that were tried.
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause;
  return codeOf(inner, depth + 1);
}
