import { once } from 'node:events';
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net';

/**
 * Port that forwards to the socket of a PostgreSQL server and can be disconnected. The port stays reserved meanwhile.
 */
export interface DatabasePort {
  /** URL of the database through this port. */
  readonly url: string;
  connect(): void;
  /** Closes all connections, and each new one immediately. */
  cut(): void;
  /** Keeps all connections, and forwards nothing until `connect`, like a server that is frozen. */
  freeze(): void;
  close(): void;
}

/** Opens a port to a database, disconnected until `connect`. */
export async function openDatabasePort(databaseUrl: string): Promise<DatabasePort> {
  const target = new URL(databaseUrl);
  const path = `${decodeURIComponent(target.hostname)}/.s.PGSQL.5432`;
  const sockets = new Set<Socket>();
  let isCut = true;
  let isFrozen = false;
  const server = createServer((near) => {
    if (isCut) {
      near.resetAndDestroy();
      return;
    }
    const far = createConnection(path);
    for (const socket of [near, far]) sockets.add(socket.on('error', () => undefined));
    near.pipe(far).pipe(near);
    if (isFrozen) for (const socket of [near, far]) socket.pause();
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
      isFrozen = false;
      for (const socket of sockets) socket.resume();
    },
    cut,
    freeze() {
      isFrozen = true;
      for (const socket of sockets) socket.pause();
    },
    close() {
      cut();
      server.close();
    },
  };
}
