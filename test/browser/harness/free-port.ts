import { createServer } from 'node:net';

/** A port of 127.0.0.1 that the kernel says is free. Nothing keeps it so. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        if (address && typeof address === 'object') resolve(address.port);
        else reject(new Error('The kernel gave no port'));
      });
    });
  });
}
