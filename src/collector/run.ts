import type { Reading, ReadingContext, ReadingFailure, ReadingResult } from './result.js';

const timedOut = Symbol();

/** Runs one reading. Never rejects, and resolves within the deadline. */
export async function run(reading: Reading, context: ReadingContext, deadlineMs: number): Promise<ReadingResult> {
  const startedAt = performance.now();
  const durationMs = () => performance.now() - startedAt;
  try {
    const outcome = reading(context);
    const value = outcome instanceof Promise ? await withDeadline(outcome, context, deadlineMs) : outcome;
    if (value === timedOut) return { status: 'timeout', durationMs: durationMs() };
    if (value === undefined) return { status: 'unsupported', durationMs: durationMs() };
    return { status: 'ok', value, durationMs: durationMs() };
  } catch (error) {
    return { status: failureOf(error), message: String(error), durationMs: durationMs() };
  }
}

function failureOf(error: unknown): ReadingFailure {
  const name = error instanceof Error || error instanceof DOMException ? error.name : '';
  return name === 'SecurityError' || name === 'NotAllowedError' ? 'blocked' : 'error';
}

async function withDeadline<Value>(
  promise: Promise<Value>,
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
