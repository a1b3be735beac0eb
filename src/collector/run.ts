import { attempt } from '../attempt.js';
import { now } from './now.js';
import type { Reading, ReadingContext, ReadingFailure, ReadingResult, ReadingValue } from './result.js';

const timedOut = Symbol();

/**
 * Runs one reading. Never rejects, and resolves within the deadline. Awaits whatever the reading returns: libraries
 * replace `Promise`, so its class shows nothing. A value of another type than `ReadingValue` is an error.
 */
export async function run(reading: Reading, context: ReadingContext, deadlineMs: number): Promise<ReadingResult> {
  const startedAt = now();
  const end = <Result>(result: Result) => ({ ...result, durationMs: now() - startedAt });
  try {
    const returned = reading(context);
    const value = isValue(returned) ? returned : await withDeadline(returned, context, deadlineMs);
    if (isValue(value)) return end({ status: 'ok', value });
    const status = value === timedOut ? 'timeout' : value === undefined ? 'unsupported' : 'error';
    return end({ status });
  } catch (error) {
    return end({ status: failureOf(error), message: attempt(() => String(error)) ?? '' });
  }
}

/** Returns whether a value is of the type that readings declare. Something in the page may have returned any other. */
function isValue(value: unknown): value is ReadingValue {
  // A copy, because `every` skips holes.
  if (Array.isArray(value)) return [...value].every(isValue);
  return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}

function failureOf(error: unknown): ReadingFailure {
  return attempt(() => /^(Security|NotAllowed)Error$/.test(Object(error).name)) ? 'blocked' : 'error';
}

async function withDeadline<Value>(
  promise: Value | PromiseLike<Value>,
  { nextTask }: ReadingContext,
  deadlineMs: number,
): Promise<Value | typeof timedOut> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const deadline = new Promise<typeof timedOut>((resolve) => {
    timer = setTimeout(async () => {
      // On a busy page, the timer can be due while the result already waits behind it. Let the result in first.
      await nextTask();
      await nextTask();
      resolve(timedOut);
    }, deadlineMs);
  });
  try {
    return await Promise.race([promise, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
