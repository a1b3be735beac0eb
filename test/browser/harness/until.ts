const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 100;
const GROWTH = 1.3;

/**
 * Polls until `attempt` returns a value. Fails with a message after the time limit, with the last error as its cause.
 * The pauses grow, because each attempt takes processor time from what it waits for.
 */
export async function until<Value>(
  what: string,
  attempt: () => Promise<Value | undefined> | Value | undefined,
  { timeoutMs = 120_000 }: { timeoutMs?: number } = {},
): Promise<Value> {
  const deadline = performance.now() + timeoutMs;
  let pauseMs = FIRST_PAUSE_MS;
  let cause: unknown;
  do {
    try {
      const value = await attempt();
      if (value !== undefined) return value;
    } catch (error) {
      cause = error;
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    pauseMs = Math.min(pauseMs * GROWTH, LONGEST_PAUSE_MS);
  } while (performance.now() < deadline);
  throw new Error(`${what} did not happen within ${timeoutMs} ms`, { cause });
}

/** Rejects with a message if the promise has not settled in time. The promise itself is not cancelled. */
export async function within<Value>(what: string, timeoutMs: number, promise: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took longer than ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
