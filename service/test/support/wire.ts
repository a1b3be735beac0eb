import { once } from 'node:events';
import { type AddressInfo, createConnection, createServer, type Server, type Socket } from 'node:net';

/** A port through which a PostgreSQL at a socket in a folder is reached, or not yet. */
export interface Wire {
  /** The address of the database at this side. */
  readonly url: string;
  connect(): Promise<void>;
  close(): Promise<void>;
}

/** Lays a wire to a database, which is cut until `connect`. */
export async function layWire(databaseUrl: string): Promise<Wire> {
  const target = new URL(databaseUrl);
  const path = `${decodeURIComponent(target.hostname)}/.s.PGSQL.5432`;
  const port = await freePort();
  const sockets = new Set<Socket>();
  let server: Server | undefined;
  return {
    url: `postgresql://postgres@127.0.0.1:${port}${target.pathname}`,
    async connect() {
      server = createServer((near) => {
        const far = createConnection(path);
        for (const socket of [near, far]) sockets.add(socket.on('error', () => undefined));
        near.pipe(far).pipe(near);
      });
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server?.close();
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
