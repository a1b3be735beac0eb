import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below those that the kernel gives to whoever asks for any, on Linux (from 32768) as on macOS (from 49152). */
const ports = { from: 20_000, below: 32_000 } as const;

/** A port of 127.0.0.1 that is free, and stays so: nobody gets it by chance. */
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
