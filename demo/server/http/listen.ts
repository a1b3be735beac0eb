import type { Server } from 'node:net';
import { StartError } from '../start-error.js';

/**
 * Lets a server listen, and answers its port.
 *
 * @param what Names the server in sentences, as in "the pages".
 * @param variable The environment variable that chooses the port.
 * @throws StartError where that cannot be.
 */
export function listen(
  server: Server,
  { port, host, what, variable }: { port: number; host: string; what: string; variable: string },
): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === 'EADDRINUSE';
      const advice = `stop what listens there, or choose another port for ${what}, with ${variable}=${port + 10}.`;
      reject(new StartError(isTaken ? `Port ${port} is taken: ${advice}` : `No port for ${what}: ${error.message}.`));
    });
    server.listen(port, host, () => {
      const address = server.address();
      if (address && typeof address === 'object') resolve(address.port);
      else reject(new StartError(`No port for ${what}.`));
    });
  });
}

/** A free port of this machine, for what others need not reach. */
export function listenOnLoopback(server: Server): Promise<number> {
  return listen(server, { port: 0, host: '127.0.0.1', what: 'the mailbox', variable: 'PORT' });
}
