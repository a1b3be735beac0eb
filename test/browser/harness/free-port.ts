import { createServer } from 'node:net';

/** Below the kernel's ephemeral ports, which start at 32768 on Linux and at 49152 on macOS. */
const FIRST_PORT = 20_000;
const PORTS_PER_WORKER = 1_000;
const WORKERS = 12;

/** Each worker of Vitest has its own block, so that two files never get the same port before either listens on it. */
const block = FIRST_PORT + (Number(process.env.VITEST_POOL_ID ?? 0) % WORKERS) * PORTS_PER_WORKER;
/** Begins anywhere in the block, because another run of the tests may use the same one. */
let given = Math.floor(Math.random() * PORTS_PER_WORKER);

/** Returns a free port of 127.0.0.1 that the kernel does not assign to others, and each of them once. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = block + (given++ % PORTS_PER_WORKER);
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
