const TIMEOUT_MS = 60_000;
const PAUSE_MS = 20;

/** Asks again until the answer is true, or fails after a minute. What is asked may throw to give up at once. */
export async function waitFor(
  ask: () => boolean | Promise<boolean>,
  { what, timeoutMs = TIMEOUT_MS }: { what: string; timeoutMs?: number },
): Promise<void> {
  const end = Date.now() + timeoutMs;
  while (!(await ask())) {
    if (Date.now() > end) throw new Error(`Waited ${timeoutMs} ms in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
