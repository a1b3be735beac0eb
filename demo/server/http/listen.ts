import type { Server as NetServer } from 'node:net';
import { createAdaptorServer, type ServerType } from '@hono/node-server';
import type { Hono } from 'hono';
import type { DemoEnv } from '../demo.js';
import { StartError } from '../start-error.js';

interface ListenOptions {
  readonly port: number;
  readonly host: string;
  /** The server's name in messages, such as "the pages". */
  readonly label: string;
  /** The environment variable that sets the port. */
  readonly variable: string;
}

/** Listens on any free port, for this machine only. */
export const loopback: ListenOptions = { port: 0, host: '127.0.0.1', label: 'the mailbox', variable: 'PORT' };

export interface Listener {
  readonly port: number;
  close(): Promise<void>;
}

/** Serves an application. @throws StartError if the port is in use or not allowed. */
export async function serve(app: Pick<Hono<DemoEnv>, 'fetch'>, place: ListenOptions): Promise<Listener> {
  const server = createAdaptorServer({ fetch: app.fetch });
  const port = await listen(server, place);
  return { port, close: () => closeServer(server) };
}

/** Makes a server listen, and returns its port. @throws StartError if the port is in use or not allowed. */
export function listen(server: NetServer, { port, host, label, variable }: ListenOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isInUse = error.code === 'EADDRINUSE';
      const advice = `Stop the process that uses it, or set another port for ${label} with ${variable}=${port + 10}.`;
      reject(
        new StartError(
          isInUse ? `Port ${port} is in use. ${advice}` : `Could not open a port for ${label}: ${error.message}.`,
        ),
      );
    });
    server.listen(port, host, () => {
      const address = server.address();
      if (address && typeof address === 'object') resolve(address.port);
      else reject(new StartError(`Could not open a port for ${label}.`));
    });
  });
}

function closeServer(server: ServerType): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    if ('closeAllConnections' in server) server.closeAllConnections();
  });
}
