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
  const result = await settle(reading, context, deadlineMs).catch((error: unknown) => ({
    status: failureOf(error),
    message: attempt(() => String(error)) ?? '',
  }));
  return { ...result, durationMs: now() - startedAt };
}

type Settled = { status: 'ok'; value: ReadingValue } | { status: ReadingFailure };

async function settle(reading: Reading, context: ReadingContext, deadlineMs: number): Promise<Settled> {
  const returned = reading(context);
  const value = isValue(returned) ? returned : await withDeadline(returned, context, deadlineMs);
  if (value === timedOut) return { status: 'timeout' };
  if (value === undefined) return { status: 'unsupported' };
  if (isValue(value)) return { status: 'ok', value };
  throw new TypeError('Not a value');
}

/** Returns whether a value is of the type that readings declare. Something in the page may have returned any other. */
function isValue(value: unknown): value is ReadingValue {
  if (!Array.isArray(value)) return /^(?:str|boo)/.test(typeof value) || Number.isFinite(value);
  // An index, because a library may replace the iteration of lists.
  for (let index = 0; index < value.length; index++) if (!isValue(value[index])) return false;
  return true;
}

function failureOf(error: unknown): ReadingFailure {
  const name = attempt(() => String(Object(error).name));
  return name === 'SecurityError' || name === 'NotAllowedError' ? 'blocked' : 'error';
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
