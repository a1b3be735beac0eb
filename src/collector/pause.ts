/**
 * Resolves in a new task, so that the page can paint and answer its user in between. A message rather than a timer:
 * timers are clamped to 4 ms, and to a second in a background tab.
 */
export function pause(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(0);
  });
}
