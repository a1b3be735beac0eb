const TIMEOUT_MS = 60_000;
const PAUSE_MS = 20;

/** Polls a condition until it is true. Fails after a minute, or at once if the condition throws. */
export async function waitFor(
  condition: () => boolean | Promise<boolean>,
  { what, timeoutMs = TIMEOUT_MS }: { what: string; timeoutMs?: number },
): Promise<void> {
  const end = Date.now() + timeoutMs;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`Waited ${timeoutMs} ms in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
