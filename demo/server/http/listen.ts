import type { Server as NetServer } from 'node:net';
import { createAdaptorServer, type ServerType } from '@hono/node-server';
import type { Hono } from 'hono';
import type { DemoEnv } from '../demo.js';
import { StartError } from '../start-error.js';

interface Place {
  readonly port: number;
  readonly host: string;
  /** The server's name in messages, such as "the pages". */
  readonly what: string;
  /** The environment variable that sets the port. */
  readonly variable: string;
}

/** Any free port, reachable from this machine only. */
export const loopback: Place = { port: 0, host: '127.0.0.1', what: 'the mailbox', variable: 'PORT' };

export interface Listener {
  readonly port: number;
  close(): Promise<void>;
}

/** Serves an application. @throws StartError if the port is taken or not allowed. */
export async function serve(app: Pick<Hono<DemoEnv>, 'fetch'>, place: Place): Promise<Listener> {
  const server = createAdaptorServer({ fetch: app.fetch });
  const port = await listen(server, place);
  return { port, close: () => closeServer(server) };
}

/** Lets a server listen, and returns its port. @throws StartError if the port is taken or not allowed. */
export function listen(server: NetServer, { port, host, what, variable }: Place): Promise<number> {
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

function closeServer(server: ServerType): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    if ('closeAllConnections' in server) server.closeAllConnections();
  });
}
