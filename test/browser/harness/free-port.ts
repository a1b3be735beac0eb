import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the kernel's ephemeral ports, which start at 32768 on Linux and at 49152 on macOS. */
const ports = { from: 20_000, below: 32_000 } as const;

/** Returns a free port of 127.0.0.1 that the kernel does not assign to others. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(ports.from, ports.below);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
