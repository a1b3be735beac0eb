import { once } from 'node:events';
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net';

/** A port through which a PostgreSQL at a socket in a folder is reached, or not yet. Nobody else has it meanwhile. */
export interface Wire {
  /** The address of the database at this side. */
  readonly url: string;
  connect(): void;
  /** Ends all connections, and each new one at once. */
  cut(): void;
  close(): void;
}

/** Lays a wire to a database, which is cut until `connect`. */
export async function layWire(databaseUrl: string): Promise<Wire> {
  const target = new URL(databaseUrl);
  const path = `${decodeURIComponent(target.hostname)}/.s.PGSQL.5432`;
  const sockets = new Set<Socket>();
  let isCut = true;
  const server = createServer((near) => {
    if (isCut) {
      near.resetAndDestroy();
      return;
    }
    const far = createConnection(path);
    for (const socket of [near, far]) sockets.add(socket.on('error', () => undefined));
    near.pipe(far).pipe(near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const cut = () => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  return {
    url: `postgresql://postgres@127.0.0.1:${port}${target.pathname}`,
    connect() {
      isCut = false;
    },
    cut,
    close() {
      cut();
      server.close();
    },
  };
}
